import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/folder.ts';
import { conformanceJson, toReport } from './conformance.ts';
import { prepareFolder, UnwritableReports, whyUnwritable, writeWhole } from './files.ts';
import { readExchanges, readReport, UnreadableReport } from './read.ts';
import { brokenOutcome, literal, outcomeOf } from './testing.ts';
import { writeReports } from './write.ts';

const folder = temporaryFolder();
let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(folder, 'write-'));
});

test('writeReports: a folder that does not exist -> created, with every report and no draft', async () => {
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

test('readReport, readExchanges: a report folder, or its file -> what was written', async () => {
  await writeReports(brokenOutcome(), { dir: root, env: {} });
  expect(await readReport(root)).toEqual(literal(toReport(brokenOutcome())));
  expect(await readReport(join(root, 'conformance.json'))).toEqual(literal(toReport(brokenOutcome())));
  expect(await readExchanges(root)).toEqual(literal(brokenOutcome().exchanges));
  expect(await readExchanges(join(root, 'conformance.json'))).toEqual(literal(brokenOutcome().exchanges));
});

test('writeReports: an earlier report in the folder -> the page compares with it, unless it is damaged', async () => {
  const pageText = () => readFile(join(root, 'index.html'), 'utf8');
  await writeReports(outcomeOf(), { dir: root, env: {} });
  expect(await pageText()).not.toContain('Since the last run');
  await writeReports(brokenOutcome(), { dir: root, env: {} });
  expect(await pageText()).toContain('Newly failing');
  await writeFile(join(root, 'conformance.json'), '{');
  await writeReports(outcomeOf(), { dir: root, env: {} });
  expect(await pageText()).not.toContain('Since the last run');
});

test('readExchanges: no traffic.har -> no exchanges', async () => {
  await writeFile(join(root, 'conformance.json'), conformanceJson(outcomeOf()));
  expect(await readExchanges(root)).toEqual([]);
});

test('writeReports: a job summary that cannot be written -> a warning, and all reports', async () => {
  const warnings: string[] = [];
  const env = { GITHUB_STEP_SUMMARY: join(root, 'no', 'such', 'folder.md') };
  await writeReports(outcomeOf(), { dir: root, env, warn: (text) => warnings.push(text) });
  expect(warnings).toEqual([expect.stringContaining('The job summary could not be written')]);
  expect(await readdir(root)).toContain('index.html');
});

test('writeReports: a folder that cannot be written to -> an error of one line that names it', async () => {
  await writeFile(join(root, 'file'), '');
  const dir = join(root, 'file', 'reports');
  await expect(writeReports(outcomeOf(), { dir, env: {} })).rejects.toThrow(UnwritableReports);
  await expect(writeReports(outcomeOf(), { dir, env: {} })).rejects.toThrow(
    `Reports cannot be written to ${dir}: a part of the path is a file.`,
  );
});

test('writeReports: two files that cannot be written -> named in the error, the others are written', async () => {
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

test('whyUnwritable: a common error -> our text; another one -> the text of the system', () => {
  const thrown = (code: string, errno?: number) => Object.assign(new Error(`${code}: open`), { code, errno });
  expect(whyUnwritable(thrown('ENOSPC', -28))).toBe('no space is left');
  expect(whyUnwritable(thrown('EIO', -5))).toBe('i/o error');
  expect(whyUnwritable(thrown('ENEW'))).toBe('ENEW: open');
});

test('prepareFolder: a folder that allows no new folders -> an error, no endless loop', async () => {
  await expect(prepareFolder('/proc/reports/of-today')).rejects.toThrow(
    'Reports cannot be written to /proc/reports/of-today: ',
  );
});

test('writeWhole: a file that cannot be replaced -> no draft remains', async () => {
  await mkdir(join(root, 'taken', 'full'), { recursive: true });
  await expect(writeWhole(root, { name: 'taken', content: 'x' })).rejects.toThrow(UnwritableReports);
  expect(await readdir(root)).toEqual(['taken']);
});

test('readReport: a missing report -> an error', async () => {
  await expect(readReport(join(root, 'none.json'))).rejects.toThrow(UnreadableReport);
  await expect(readReport(join(root, 'none.json'))).rejects.toThrow(
    /^there is no report at .*none\.json: name a conformance\.json/,
  );
});
