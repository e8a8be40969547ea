import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Outcome } from '../run/outcome.ts';
import type { OfflinePage } from './allure/offline.ts';
import { allureResults, isAllureResult } from './allure/results.ts';
import { conformanceJson } from './conformance.ts';
import { prepareFolder, type ReportFile, writeFolder, writeWhole } from './files.ts';
import { har } from './har.ts';
import { junitXml } from './junit.ts';
import { page } from './page/page.ts';
import type { Proofs } from './page/requirements.ts';
import { loadProofs } from './proofs.ts';
import { summaryMarkdown } from './summary.ts';

/** A report on disk, and what it is for. */
export interface WrittenReport {
  readonly name: string;
  readonly path: string;
  readonly for: string;
}

export interface ReportOptions {
  /** The folder, made where it does not exist. */
  readonly dir: string;
  /** The process's environment: GITHUB_STEP_SUMMARY names the file of the job's summary. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absent: those that the package ships. */
  readonly proofs?: Proofs;
  /** Is told, in a sentence, of what could not be written though the reports were. */
  readonly warn?: (text: string) => void;
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Allure is an extra: the report does without it rather than fail. */
const allureView = async ({ dir, warn }: ReportOptions): Promise<OfflinePage | null> => {
  try {
    const { allurePage } = await import('./allure/page.ts');
    return await allurePage(join(dir, 'allure-results'), join(dir, 'allure-history.jsonl'));
  } catch (error) {
    warn?.(`The report has no Allure view: ${reasonOf(error)}`);
    return null;
  }
};

const appendSummary = async (outcome: Outcome, { env, warn }: ReportOptions): Promise<void> => {
  const file = env.GITHUB_STEP_SUMMARY;
  if (file === undefined || file === '') return;
  try {
    await appendFile(file, `${summaryMarkdown(outcome)}\n`);
  } catch (error) {
    warn?.(`The job summary could not be written: ${reasonOf(error)}`);
  }
};

/**
 * Writes all reports of a run into a folder, each whole or not at all, and appends the summary to the job's where there is one.
 * Throws UnwritableReports, with one clear line, where the folder cannot be written.
 */
export const writeReports = async (
  outcome: Outcome,
  options: ReportOptions,
): Promise<readonly WrittenReport[]> => {
  const { dir, env } = options;
  const proofs = options.proofs ?? (await loadProofs());
  await prepareFolder(dir);
  const write = async (file: ReportFile, use: string): Promise<WrittenReport> => ({
    name: file.name,
    path: await writeWhole(dir, file),
    for: use,
  });
  // What programs need comes first: it is there even if the rest were to be interrupted.
  const written = await Promise.all([
    write({ name: 'conformance.json', content: conformanceJson(outcome) }, 'programs'),
    write({ name: 'junit.xml', content: junitXml(outcome) }, 'CI systems'),
    write({ name: 'summary.md', content: summaryMarkdown(outcome) }, 'a pull request'),
    write({ name: 'traffic.har', content: har(outcome) }, 'developer tools'),
    writeFolder(join(dir, 'allure-results'), allureResults(outcome, env), isAllureResult),
    appendSummary(outcome, options),
  ]);
  const allure = await allureView(options);
  const index = await write({ name: 'index.html', content: page(outcome, { proofs, allure }) }, 'people');
  return [index, ...written.filter((report) => report !== undefined)];
};
