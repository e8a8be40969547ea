import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/openapi/package-root.ts';

/** npm has each Node as a package without an install script, for each platform. */
const packageName = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/**
 * The path of a Node of this major version: the one that NODE_22 (NODE_24, …) names, the one that runs this, or npm's, which is
 * fetched once and kept. Throws an error that says how to provide one.
 */
export const nodeBinary = async (major: number): Promise<string> => {
  const given = process.env[`NODE_${major}`];
  if (given !== undefined) return given;
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const folder = join(packageRoot(), 'node_modules', '.cache', `node-${major}`);
  const binary = join(folder, 'node_modules', packageName, 'bin', 'node');
  if (!existsSync(binary)) await fetchNode(major, folder);
  return binary;
};

const fetchNode = async (major: number, folder: string): Promise<void> => {
  const wanted = `${packageName}@${major}`;
  const options = ['--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
  await promisify(execFile)('npm', ['install', ...options, wanted]).catch((error: unknown) => {
    throw new Error(
      `Node ${major} is needed, and npm could not install ${wanted}. Set NODE_${major} to the path of a Node ${major}, or make a registry available.`,
      { cause: error },
    );
  });
};
