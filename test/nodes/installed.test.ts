import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageVersion } from '../../src/openapi/package-root.ts';
import { packInto } from '../support/pack.ts';
import { nodeBinary } from './node-binary.ts';

const project = mkdtempSync(join(tmpdir(), 'installed-'));
const bin = join(project, 'node_modules', 'animal-store-conformance', 'bin', 'animal-store-conformance.js');

/** With the packages of the registry: one that the package needs and does not name is missing here. */
beforeAll(async () => {
  const { archive } = await packInto(project);
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', archive], { cwd: project });
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

const inherited = Object.entries(process.env).filter(
  ([name]) => !/^(ANIMAL_STORE|GITHUB|NODE_OPTIONS|VITEST|npm_|CI$)/.test(name),
);
const env = { ...Object.fromEntries(inherited), NO_COLOR: '1' };

const runIn =
  (cwd: string, node: string) =>
  (...args: readonly string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      execFile(node, [bin, ...args], { cwd, env, encoding: 'utf8' }, (error, stdout, stderr) =>
        error === null ? resolve(stdout) : reject(new Error(`${args.join(' ')}: ${stdout}${stderr}`)),
      );
    });

/** Starts `serve`, and returns the status of a request to it. */
const statusFromServe = async (node: string, cwd: string): Promise<number> => {
  const child = spawn(node, [bin, 'serve', '--port', '0', '--json', '--quiet'], { cwd, env });
  try {
    const [line] = await once(createInterface(child.stdout), 'line');
    const { baseUrl } = JSON.parse(String(line));
    return (await fetch(`${baseUrl}/pets`)).status;
  } finally {
    child.kill();
    await once(child, 'close');
  }
};

test.concurrent.each([22, 24, 26])('the package on Node %i -> every command works', async (major) => {
  const node = await nodeBinary(major);
  const cwd = mkdtempSync(join(project, 'user-'));
  const command = runIn(cwd, node);
  const few = ['--reference', '--only', 'VER', '--only', 'LIST-4', '--seed', '1'];

  expect((await promisify(execFile)(node, ['--version'])).stdout).toMatch(`v${major}.`);
  expect(await command('--version')).toBe(`${packageVersion()}\n`);
  expect(await command('--help')).toContain('compare');
  expect(await command('run', ...few)).toContain('No failures');
  expect(existsSync(join(cwd, 'reports', 'index.html'))).toBe(true);
  for (const shard of ['1/2', '2/2'])
    await command('run', ...few, '--shard', shard, '--report-dir', `part-${shard.at(0)}`);
  expect(await command('merge', 'part-1', 'part-2', '--report-dir', 'whole')).toContain('No failures');
  expect(await command('compare', 'reports', 'whole')).not.toContain('Newly failing');
  expect(await command('requirements')).toContain('GEN-1');
  expect(await command('selftest', '--fault', 'limit-ignored')).toMatch(/Kill rate +100 %/);
  expect(await command('init')).toContain('conformance.config.yaml');
  expect(await statusFromServe(node, cwd)).toBe(401);
  const exported = `import { run } from 'animal-store-conformance'; console.log(typeof run)`;
  const { stdout } = await promisify(execFile)(node, ['--input-type=module', '--eval', exported], { cwd });
  expect(stdout).toBe('function\n');
});
