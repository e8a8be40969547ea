import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { conformanceJson, toReport } from './conformance.ts';
import { UnwritableReports, writeFolder, writeWhole } from './files.ts';
import { readExchanges, readReport, UnreadableReport } from './read.ts';
import { brokenOutcome, outcomeOf } from './testing.ts';
import { writeReports } from './write.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'write-'));
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

test('every report is there, in a folder that was not, and nothing half written', async () => {
  const dir = join(root, 'a', 'b');
  const written = await writeReports(brokenOutcome(), { dir, env: {} });
  expect(written.map(({ name }) => name)).toEqual([
    'index.html',
    'conformance.json',
    'junit.xml',
    'summary.md',
    'traffic.har',
  ]);
  for (const { path } of written) expect((await readFile(path)).length).toBeGreaterThan(0);
  expect((await readdir(dir)).sort()).toEqual([
    'allure-history.jsonl',
    'allure-results',
    'conformance.json',
    'index.html',
    'junit.xml',
    'summary.md',
    'traffic.har',
  ]);
});

test('a second run replaces the first, results for Allure included, and its history grows', async () => {
  await writeReports(brokenOutcome(), { dir: root, env: {} });
  await writeReports(outcomeOf(), { dir: root, env: {} });
  const results = await readdir(join(root, 'allure-results'));
  expect(results.filter((name) => name.endsWith('-result.json'))).toHaveLength(
    outcomeOf().requirements.length,
  );
  expect(results.filter((name) => name.endsWith('-attachment.txt'))).toEqual([]);
  const history = await readFile(join(root, 'allure-history.jsonl'), 'utf8');
  expect(history.trim().split('\n')).toHaveLength(2);
});

test('what a report folder holds can be read back', async () => {
  await writeReports(brokenOutcome(), { dir: root, env: {} });
  expect(await readReport(root)).toEqual(toReport(brokenOutcome()));
  expect(await readReport(join(root, 'conformance.json'))).toEqual(toReport(brokenOutcome()));
  expect(await readExchanges(root)).toEqual(brokenOutcome().exchanges);
  expect(await readExchanges(join(root, 'conformance.json'))).toEqual(brokenOutcome().exchanges);
});

test('without traffic.har a report does without exchanges', async () => {
  await writeFile(join(root, 'conformance.json'), conformanceJson(outcomeOf()));
  expect(await readExchanges(root)).toEqual([]);
});

test('the summary is appended to that of the job', async () => {
  const GITHUB_STEP_SUMMARY = join(root, 'step.md');
  await writeFile(GITHUB_STEP_SUMMARY, 'before\n');
  await writeReports(outcomeOf(), { dir: root, env: { GITHUB_STEP_SUMMARY } });
  expect(await readFile(GITHUB_STEP_SUMMARY, 'utf8')).toMatch(/^before\n## ✅ Conformant\n/);
});

test('a job summary that cannot be written is told, and the reports are there', async () => {
  const told: string[] = [];
  const env = { GITHUB_STEP_SUMMARY: join(root, 'no', 'such', 'folder.md') };
  await writeReports(outcomeOf(), { dir: root, env, warn: (text) => told.push(text) });
  expect(told).toEqual([expect.stringContaining('The job summary could not be written')]);
  expect(await readdir(root)).toContain('index.html');
});

test('a folder that cannot be written is one line that names it', async () => {
  await writeFile(join(root, 'file'), '');
  const dir = join(root, 'file', 'reports');
  await expect(writeReports(outcomeOf(), { dir, env: {} })).rejects.toThrow(UnwritableReports);
  await expect(writeReports(outcomeOf(), { dir, env: {} })).rejects.toThrow(
    `Reports cannot be written to ${dir}: a part of the path is a file.`,
  );
});

test('a file that cannot be put in its place leaves no draft behind', async () => {
  await mkdir(join(root, 'taken', 'full'), { recursive: true });
  await expect(writeWhole(root, { name: 'taken', content: 'x' })).rejects.toThrow(UnwritableReports);
  expect(await readdir(root)).toEqual(['taken']);
});

test('a folder keeps what is not ours', async () => {
  await writeFile(join(root, 'notes.txt'), 'mine');
  await writeFile(join(root, 'old.ours'), '');
  await writeFolder(root, [{ name: 'new.ours', content: '' }], (name) => name.endsWith('.ours'));
  expect((await readdir(root)).sort()).toEqual(['new.ours', 'notes.txt']);
});

test('a report that is not there is said so', async () => {
  await expect(readReport(join(root, 'none.json'))).rejects.toThrow(UnreadableReport);
  await expect(readReport(join(root, 'none.json'))).rejects.toThrow(/^There is no report at .*none\.json\.$/);
});
