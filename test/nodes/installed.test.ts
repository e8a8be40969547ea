import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { packageVersion } from '../../src/openapi/package-root.ts';
import { temporaryFolder } from '../support/folder.ts';
import { packInto } from '../support/pack.ts';
import { firstLineOf, start } from '../support/processes.ts';
import { nodeBinary } from './node-binary.ts';

const project = temporaryFolder();
const bin = join(project, 'node_modules', 'animal-store-conformance', 'bin', 'animal-store-conformance.js');

/** With the packages of the registry: one that the package needs and does not name is missing here. */
beforeAll(async () => {
  const { archive } = await packInto(project);
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', archive], { cwd: project });
});

/** Runs Node to its end, and returns what it prints. */
const runIn =
  (cwd: string, node: string) =>
  async (...args: readonly string[]): Promise<string> => {
    const { code, out, err } = await start(node, args, {}, cwd).ended;
    expect(code, `${args.join(' ')}: ${out}${err}`).toBe(0);
    return out;
  };

/** Starts `serve`, and returns the status of a request to it. */
const statusFromServe = async (node: string, cwd: string): Promise<number> => {
  const { child } = start(node, [bin, 'serve', '--port', '0', '--json', '--quiet'], {}, cwd);
  const { baseUrl } = JSON.parse(await firstLineOf(child));
  return (await fetch(`${baseUrl}/pets`)).status;
};

test.concurrent.each([22, 24, 26])('the package on Node %i -> every command works', async (major) => {
  const node = await nodeBinary(major);
  const cwd = mkdtempSync(join(project, 'user-'));
  const run = runIn(cwd, node);
  const command = (...words: readonly string[]) => run(bin, ...words);
  const few = ['--reference', '--only', 'VER', '--only', 'LIST-4', '--seed', '1'];

  expect(await run('--version')).toMatch(`v${major}.`);
  expect(await command('--version')).toBe(`${packageVersion()}\n`);
  expect(await command('--help')).toContain('compare');
  expect(await command('run', ...few)).toContain('No failures');
  expect(existsSync(join(cwd, 'reports', 'index.html'))).toBe(true);
  expect(await command('run', ...few, '--workers', '2', '--report-dir', 'workers')).toContain('No failures');
  for (const shard of ['1/2', '2/2'])
    await command('run', ...few, '--shard', shard, '--report-dir', `part-${shard.at(0)}`);
  expect(await command('merge', 'part-1', 'part-2', '--report-dir', 'whole')).toContain('No failures');
  expect(await command('compare', 'reports', 'whole')).not.toContain('Newly failing');
  expect(await command('requirements')).toContain('GEN-1');
  expect(await command('selftest', '--fault', 'limit-ignored')).toMatch(/Kill rate +100 %/);
  expect(await command('init')).toContain('conformance.config.yaml');
  expect(await statusFromServe(node, cwd)).toBe(401);
  const exported = `import { run } from 'animal-store-conformance'; console.log(typeof run)`;
  expect(await run('--input-type=module', '--eval', exported)).toBe('function\n');
});
