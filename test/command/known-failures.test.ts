import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { at, record, resultOf, run } from '../support/command.ts';
import { faultNamed } from '../support/faults.ts';
import { folder } from '../support/processes.ts';

/** A file of known failures, as an argument of the command. */
const known = (name: string, content: string): readonly string[] => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return ['--known-failures', file];
};

const few = ['--only', 'LIST-3', '--only', 'AUTH-1', '--runs', '1', '--seed', '5'];
const read = (dir: string, name: string): string => readFileSync(join(dir, name), 'utf8');
const reason = 'Paging is rewritten, ticket 4711';

/** A new server for each run, because runs would share the limit of the key. */
const faulty = () =>
  record({ patches: ['limit-ignored', 'no-challenge'].map((name) => faultNamed(name).patch) });

test('a file with many mistakes -> shows the first 20, and how many are left', async () => {
  const file = known('repeated.yaml', `- id: LIST-3\n  reason: ${reason}\n`.repeat(1_000));
  const { code, err } = await run(['--reference', ...few, ...file]);
  expect(code).toBe(2);
  expect(err).toMatch(/repeated\.yaml:3:\d+: LIST-3 is listed twice\n/);
  expect(err.match(/^error: .+$/gm)).toHaveLength(21);
  expect(err).toMatch(/error: and 979 more problems\n$/);
});

describe.concurrent('known failure', () => {
  test('fails -> the run passes, and reports show the reason', async () => {
    const file = known('paging.yaml', `- id: LIST-3\n  reason: ${reason}\n`);
    const ended = await run([...at(await faulty()), ...few, ...file]);
    expect(ended).toMatchObject({ code: 0, report: { verdict: 'conformant' } });
    expect(resultOf(ended, 'LIST-3')).toMatchObject({ verdict: 'failed', known: reason });
    expect(resultOf(ended, 'AUTH-1')).toMatchObject({ verdict: 'passed', known: null });
    expect(ended.out).toContain('\nNo failures except 1 known failure');
    expect(ended.out).toContain(`LIST-3: ${reason}`);
    expect(read(ended.reportDir, 'summary.md')).toContain(`LIST-3 (${reason})`);
    expect(read(ended.reportDir, 'index.html')).toContain(reason);
    const junit = read(ended.reportDir, 'junit.xml');
    expect(junit).toMatch(new RegExp(`<skipped message="known failure: ${reason}`));
    expect(junit).toMatch(/^<testsuites [^>]*failures="0" errors="0"/m);
  });

  test('another requirement fails -> the run fails', async () => {
    const file = known('other.yaml', 'AUTH-1: said to be slow\n');
    const ended = await run([...at(await faulty()), ...few, ...file]);
    expect(ended).toMatchObject({ code: 1, report: { verdict: 'nonconformant' } });
    expect(resultOf(ended, 'LIST-3')).toMatchObject({ verdict: 'failed', known: null });
  });

  test('passes -> the run fails, and all reports say so', async () => {
    const file = known('again.json', JSON.stringify({ 'LIST-3': reason }));
    const ended = await run([...at(await record()), ...few, ...file], { GITHUB_ACTIONS: 'true' });
    expect(ended.code).toBe(1);
    expect(resultOf(ended, 'LIST-3')).toMatchObject({ verdict: 'passed', known: reason });
    expect(ended.out).toContain('is listed as known to fail, but passes now - ');
    expect(ended.out).toMatch(/LIST-3 passes now: remove it from the known failures/);
    expect(ended.out).toMatch(/^::error title=LIST-3 [^\n]*Passes now/m);
    expect(read(ended.reportDir, 'summary.md')).toContain(
      'LIST-3 is listed as known to fail, but passes now',
    );
    expect(read(ended.reportDir, 'index.html')).toContain(
      'LIST-3 is listed as a known failure but passes now',
    );
    const junit = read(ended.reportDir, 'junit.xml');
    expect(junit).toMatch(/<failure message="Passes now: remove it from the known failures/);
    expect(junit).toMatch(/^<testsuites [^>]*failures="1" errors="0"/m);
  });

  test('not tested -> skipped, not passed', async () => {
    const file = known('unjudged.yaml', `GET-1: ${reason}\n`);
    const ended = await run([...at(await record()), ...few, ...file]);
    expect(ended.code).toBe(0);
    expect(resultOf(ended, 'GET-1')).toMatchObject({ verdict: 'skipped', known: reason });
  });
});

describe.concurrent('warning', () => {
  const others = ['--only', 'AUTH-6', '--skip', 'LIST-3'];
  test('the run passes', async () => {
    const ended = await run([...at(await faulty()), ...few, ...others]);
    expect(ended).toMatchObject({ code: 0, report: { verdict: 'conformant' } });
    expect(resultOf(ended, 'AUTH-6')?.verdict).toBe('warned');
    expect(ended.out).toContain('! AUTH-6');
  });

  test('--strict -> the run fails, and says so', async () => {
    const ended = await run([...at(await faulty()), ...few, ...others, '--strict']);
    expect(ended).toMatchObject({ code: 1, report: { verdict: 'nonconformant' } });
    expect(resultOf(ended, 'AUTH-6')?.verdict).toBe('warned');
    expect(ended.out).toMatch(/\nFailed: [^\n]*warning/);
  });

  test('--strict, known failure -> the run passes', async () => {
    const file = known('warning.yaml', 'AUTH-6: the gateway cannot\n');
    const ended = await run([...at(await faulty()), ...few, ...others, ...file, '--strict']);
    expect(ended.code).toBe(0);
    expect(resultOf(ended, 'AUTH-6')).toMatchObject({ verdict: 'warned', known: 'the gateway cannot' });
    expect(ended.out).toContain('known: the gateway cannot');
  });
});
