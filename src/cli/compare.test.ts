import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { conformanceJson } from '../report/conformance.ts';
import { readReport } from '../report/read.ts';
import { brokenOutcome, outcomeOf } from '../report/testing.ts';
import { main } from './main.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'compare-'));
  vi.stubEnv('GITHUB_STEP_SUMMARY', '');
  await writeFile(join(root, 'good.json'), conformanceJson(outcomeOf()));
  await writeFile(join(root, 'broken.json'), conformanceJson(brokenOutcome()));
  await writeFile(
    join(root, 'other.json'),
    conformanceJson(outcomeOf({ target: { baseUrl: 'http://other/v1' } })),
  );
  await writeFile(join(root, 'no.json'), '{"schemaVersion": 1}');
});
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = undefined;
  await rm(root, { recursive: true, force: true });
});

const run = async (...words: readonly string[]) => {
  let stdout = '';
  let stderr = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    stdout += String(text);
    return true;
  });
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    stderr += String(text);
    return true;
  });
  await main(words.map((word) => (word.endsWith('.json') || word === 'out' ? join(root, word) : word)));
  return { code: process.exitCode, stdout, stderr };
};

test('compare ends with 1 where something newly fails, else with 0', async () => {
  const worse = await run('compare', 'good.json', 'broken.json');
  expect(worse).toMatchObject({ code: 1, stderr: '' });
  expect(worse.stdout).toContain('Newly failing\n  GEN-4');
  const better = await run('compare', 'broken.json', 'good.json');
  expect(better).toMatchObject({ code: 0, stderr: '' });
  expect(better.stdout).toContain('Newly passing');
  expect(await run('compare', 'good.json', 'good.json')).toEqual({
    code: 0,
    stdout: 'Nothing changed.\n',
    stderr: '',
  });
});

test('a report that cannot be read is one line and exit code 2', async () => {
  for (const file of ['missing.json', 'no.json']) {
    const { code, stderr } = await run('compare', 'good.json', file);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
    expect(stderr).toContain(file);
  }
});

test('merge writes the reports of the whole and ends as the whole does', async () => {
  const merged = await run('merge', 'good.json', 'broken.json', '--report-dir', 'out');
  // A fault of the suite outweighs failures, as at the end of a run.
  expect(merged).toMatchObject({ code: 4, stderr: '' });
  expect(merged.stdout).toContain('Failed: 2 of 27 requirements');
  expect((await readReport(join(root, 'out'))).traffic.requests).toBe(1330);
  expect(await readdir(join(root, 'out'))).toContain('index.html');
  expect(await run('merge', 'good.json', 'good.json', '--report-dir', 'out')).toMatchObject({ code: 0 });
});

test('merge refuses what is not of one run, and what cannot be read', async () => {
  for (const file of ['other.json', 'missing.json']) {
    const { code, stderr } = await run('merge', 'good.json', file, '--report-dir', 'out');
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
  }
  expect(await readdir(root)).not.toContain('out');
});
