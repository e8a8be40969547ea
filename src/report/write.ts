import { appendFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isOfServer, type Outcome } from '../run/outcome.ts';
import { conformanceJson, type Report } from './conformance.ts';
import { prepareFolder, UnwritableReports, type WrittenReport, whyUnwritable, writeWhole } from './files.ts';
import { har } from './har.ts';
import { page } from './html/page.ts';
import { junitXml } from './junit.ts';
import { parseReport, readReport } from './read.ts';
import { summaryMarkdown } from './summary.ts';
import { readers, reportProblems } from './text/report-files.ts';

export interface ReportOptions {
  /** The folder. It is created if it does not exist. */
  readonly dir: string;
  /** The process's environment: GITHUB_STEP_SUMMARY names the file of the job's summary. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called with a sentence if the job summary cannot be written. */
  readonly warn?: (text: string) => void;
  /** The text of the JSON report that was in the folder before the run; null: none was. Absent: it is still there. */
  readonly earlier?: string | null;
}

/** Appends a summary to that of the job, if there is one. */
export const appendSummary = async (
  summary: string,
  { env, warn }: Omit<ReportOptions, 'dir'>,
): Promise<void> => {
  const file = env.GITHUB_STEP_SUMMARY;
  if (file === undefined || file === '') return;
  try {
    await appendFile(file, `${summary}\n`);
  } catch (error) {
    warn?.(reportProblems.jobSummary(error instanceof Error ? error.message : String(error)));
  }
};

/** A report to write, and what it is for. */
export interface NewReport {
  readonly name: string;
  readonly use: string;
  readonly content: () => string | Uint8Array;
}

/**
 * Writes files into a folder, each completely or not at all. Throws UnwritableReports if some cannot be written. It lists the files that
 * were written.
 */
const writeFiles = async (dir: string, reports: readonly NewReport[]): Promise<readonly WrittenReport[]> => {
  const written: WrittenReport[] = [];
  const missing: { readonly name: string; readonly error: UnwritableReports }[] = [];
  for (const { name, use, content } of reports) {
    try {
      written.push({ name, path: await writeWhole(dir, { name, content: content() }), for: use });
    } catch (error) {
      if (!(error instanceof UnwritableReports)) throw error;
      missing.push({ name, error });
    }
  }
  const [first] = missing;
  if (first === undefined)
    return written.toSorted((a, b) => Number(b.for === readers.page) - Number(a.for === readers.page));
  const { cause } = first.error;
  const names = missing.map(({ name }) => name);
  const problem = reportProblems.unwritable(resolve(dir), whyUnwritable(cause), names);
  throw new UnwritableReports(problem, { cause, written });
};

/** Writes the reports that every outcome has. Files for programs come first, in case the process is interrupted or the disk is full. */
export const writeFormats = (
  dir: string,
  formats: Readonly<Record<'json' | 'junit' | 'summary' | 'har' | 'page', NewReport['content']>>,
): Promise<readonly WrittenReport[]> =>
  writeFiles(dir, [
    { name: 'conformance.json', use: readers.json, content: formats.json },
    { name: 'junit.xml', use: readers.junit, content: formats.junit },
    { name: 'summary.md', use: readers.summary, content: formats.summary },
    { name: 'traffic.har', use: readers.har, content: formats.har },
    { name: 'index.html', use: readers.page, content: formats.page },
  ]);

const previousReport = async ({ dir, earlier }: ReportOptions): Promise<Report | null> => {
  if (earlier === undefined) return readReport(dir).catch(() => null);
  try {
    return earlier === null ? null : parseReport(earlier, dir);
  } catch {
    return null;
  }
};

/** The bodies that commands of reports read from files. */
const bodyFiles = ({ requirements }: Outcome): ReadonlyMap<string, Uint8Array> =>
  new Map(
    requirements
      .flatMap(({ failures }) => failures.filter(isOfServer))
      .flatMap(({ shortCurl }) => (shortCurl === undefined ? [] : [[shortCurl.file, shortCurl.body]])),
  );

/**
 * Writes all reports of a run into a folder, each completely or not at all, and appends the summary to the job summary, if there is one.
 * Throws UnwritableReports if some cannot be written. It lists the reports that were written.
 */
export const writeReports = async (
  outcome: Outcome,
  options: ReportOptions,
): Promise<readonly WrittenReport[]> => {
  const { dir } = options;
  await prepareFolder(dir);
  const previous = await previousReport(options);
  await appendSummary(summaryMarkdown(outcome), options);
  for (const [name, content] of bodyFiles(outcome)) await writeWhole(dir, { name, content });
  return writeFormats(dir, {
    json: () => conformanceJson(outcome),
    junit: () => junitXml(outcome),
    summary: () => summaryMarkdown(outcome),
    har: () => har(outcome),
    page: () => page(outcome, previous),
  });
};
