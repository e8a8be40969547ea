import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { conformanceJson, toReport } from './conformance.ts';
import { prepareFolder, UnwritableReports, whyUnwritable, writeWhole } from './files.ts';
import { readExchanges, readReport, UnreadableReport } from './read.ts';
import { brokenOutcome, literal, outcomeOf } from './testing.ts';
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
    'conformance.json',
    'index.html',
    'junit.xml',
    'summary.md',
    'traffic.har',
  ]);
});

test('what a report folder holds can be read back', async () => {
  await writeReports(brokenOutcome(), { dir: root, env: {} });
  expect(await readReport(root)).toEqual(literal(toReport(brokenOutcome())));
  expect(await readReport(join(root, 'conformance.json'))).toEqual(literal(toReport(brokenOutcome())));
  expect(await readExchanges(root)).toEqual(literal(brokenOutcome().exchanges));
  expect(await readExchanges(join(root, 'conformance.json'))).toEqual(literal(brokenOutcome().exchanges));
});

test('the page compares with the report that was in the folder before, unless it is damaged', async () => {
  const pageText = () => readFile(join(root, 'index.html'), 'utf8');
  await writeReports(outcomeOf(), { dir: root, env: {} });
  expect(await pageText()).not.toContain('Since the last run');
  await writeReports(brokenOutcome(), { dir: root, env: {} });
  expect(await pageText()).toContain('Newly failing');
  await writeFile(join(root, 'conformance.json'), '{');
  await writeReports(outcomeOf(), { dir: root, env: {} });
  expect(await pageText()).not.toContain('Since the last run');
});

test('without traffic.har a report does without exchanges', async () => {
  await writeFile(join(root, 'conformance.json'), conformanceJson(outcomeOf()));
  expect(await readExchanges(root)).toEqual([]);
});

test('the summary is appended to that of the job', async () => {
  const GITHUB_STEP_SUMMARY = join(root, 'step.md');
  await writeFile(GITHUB_STEP_SUMMARY, 'before\n');
  await writeReports(outcomeOf(), { dir: root, env: { GITHUB_STEP_SUMMARY } });
  expect(await readFile(GITHUB_STEP_SUMMARY, 'utf8')).toMatch(/^before\n## ✅ No failures\n/);
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

test('what can be written is, and what cannot is named', async () => {
  await mkdir(join(root, 'junit.xml', 'taken'), { recursive: true });
  await mkdir(join(root, 'index.html', 'taken'), { recursive: true });
  const error: unknown = await writeReports(brokenOutcome(), { dir: root, env: {} }).catch(
    (thrown) => thrown,
  );
  expect(error).toMatchObject({
    message: `junit.xml, index.html cannot be written to ${root}: a folder of that name is in the way.`,
    written: [{ name: 'conformance.json' }, { name: 'summary.md' }, { name: 'traffic.har' }],
  });
  expect(await readReport(root)).toEqual(literal(toReport(brokenOutcome())));
});

test('why a file cannot be written is told in words, those of the system where there are no better', () => {
  const thrown = (code: string, errno?: number) => Object.assign(new Error(`${code}: open`), { code, errno });
  expect(whyUnwritable(thrown('ENOSPC', -28))).toBe('no space is left');
  expect(whyUnwritable(thrown('EIO', -5))).toBe('i/o error');
  expect(whyUnwritable(thrown('ENEW'))).toBe('ENEW: open');
});

test('a folder that takes no other is told, and not tried for ever', async () => {
  await expect(prepareFolder('/proc/reports/of-today')).rejects.toThrow(
    'Reports cannot be written to /proc/reports/of-today: ',
  );
});

test('a file that cannot be put in its place leaves no draft behind', async () => {
  await mkdir(join(root, 'taken', 'full'), { recursive: true });
  await expect(writeWhole(root, { name: 'taken', content: 'x' })).rejects.toThrow(UnwritableReports);
  expect(await readdir(root)).toEqual(['taken']);
});

test('a report that is not there is said so', async () => {
  await expect(readReport(join(root, 'none.json'))).rejects.toThrow(UnreadableReport);
  await expect(readReport(join(root, 'none.json'))).rejects.toThrow(/^There is no report at .*none\.json\.$/);
});
