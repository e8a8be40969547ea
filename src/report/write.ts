import { appendFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Outcome } from '../run/outcome.ts';
import { conformanceJson } from './conformance.ts';
import {
  prepareFolder,
  type ReportFile,
  UnwritableReports,
  type WrittenReport,
  whyUnwritable,
  writeWhole,
} from './files.ts';
import { har } from './har.ts';
import { page } from './html/page.ts';
import { junitXml } from './junit.ts';
import { readReport } from './read.ts';
import { summaryMarkdown } from './summary.ts';
import { readers, reportProblems } from './text/report-files.ts';

export interface ReportOptions {
  /** The folder. It is created if it does not exist. */
  readonly dir: string;
  /** The process's environment: GITHUB_STEP_SUMMARY names the file of the job's summary. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Called with a sentence if the job summary cannot be written. */
  readonly warn?: (text: string) => void;
}

const appendSummary = async (outcome: Outcome, { env, warn }: ReportOptions): Promise<void> => {
  const file = env.GITHUB_STEP_SUMMARY;
  if (file === undefined || file === '') return;
  try {
    await appendFile(file, `${summaryMarkdown(outcome)}\n`);
  } catch (error) {
    warn?.(reportProblems.jobSummary(error instanceof Error ? error.message : String(error)));
  }
};

/** Writes reports one by one, and collects errors until `finish`. */
const writerTo = (dir: string) => {
  const written: WrittenReport[] = [];
  const missing: { readonly name: string; readonly error: UnwritableReports }[] = [];
  const write = async (file: ReportFile, use: string): Promise<void> => {
    try {
      written.push({ name: file.name, path: await writeWhole(dir, file), for: use });
    } catch (error) {
      if (!(error instanceof UnwritableReports)) throw error;
      missing.push({ name: file.name, error });
    }
  };
  const finish = (): readonly WrittenReport[] => {
    const [first] = missing;
    if (first === undefined) return written;
    const { cause } = first.error;
    const names = missing.map(({ name }) => name);
    const problem = reportProblems.unwritable(resolve(dir), whyUnwritable(cause), names);
    throw new UnwritableReports(problem, { cause, written });
  };
  return { write, finish };
};

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
  const { write, finish } = writerTo(dir);
  const previous = await readReport(dir).catch(() => null);
  await appendSummary(outcome, options);
  // Files for programs come first, in case the process is interrupted or the disk is full.
  await write({ name: 'conformance.json', content: conformanceJson(outcome) }, readers.json);
  await write({ name: 'junit.xml', content: junitXml(outcome) }, readers.junit);
  await write({ name: 'summary.md', content: summaryMarkdown(outcome) }, readers.summary);
  await write({ name: 'traffic.har', content: har(outcome) }, readers.har);
  await write({ name: 'index.html', content: page(outcome, previous) }, readers.page);
  return finish().toSorted((a, b) => Number(b.for === readers.page) - Number(a.for === readers.page));
};
