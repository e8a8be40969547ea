import type { Command } from 'commander';
import { reportProblems } from '../report/text/report-files.ts';
import { summaryWords } from '../report/text/summary.ts';
import { print, printError } from './output.ts';

const mergeFiles = async (paths: readonly string[]) => {
  const { readExchanges, readReport, UnreadableReport } = await import('../report/read.ts');
  const { mergeShards } = await import('../report/merge.ts');
  const { whyNotOneRun } = await import('../report/one-run.ts');
  const [first, ...rest] = await Promise.all(
    paths.map(async (path) => ({ report: await readReport(path), exchanges: await readExchanges(path) })),
  );
  if (first === undefined) throw new UnreadableReport(reportProblems.noneNamed);
  const problem = whyNotOneRun([first, ...rest].map(({ report }) => report));
  if (problem !== null) throw new UnreadableReport(problem);
  return mergeShards(first, ...rest);
};

const merge = async (paths: readonly string[], dir: string, command: Command): Promise<void> => {
  const { UnreadableReport } = await import('../report/read.ts');
  const { UnwritableReports } = await import('../report/files.ts');
  const { headline } = await import('../report/headline.ts');
  const { writeReports } = await import('../report/write.ts');
  try {
    const { outcome, exit } = await mergeFiles(paths);
    const warn = (text: string) => printError(`${text}\n`);
    const reports = await writeReports(outcome, { dir, env: process.env, warn });
    print(
      [
        `${headline(outcome)}.`,
        ...reports.map(({ path, for: use }) => `  ${summaryWords.report(path, use)}`),
        '',
      ].join('\n'),
    );
    process.exitCode = exit;
  } catch (error) {
    if (error instanceof UnreadableReport || error instanceof UnwritableReports) command.error(error.message);
    throw error;
  }
};

/** Adds the command that merges the reports of a run's shards. Its exit code is that of the whole run. */
export const register = (command: Command): void => {
  command
    .argument('<REPORT...>', 'each a conformance.json, or the folder it is in')
    .option('--report-dir <DIR>', 'where the reports go', 'reports')
    .action((paths: readonly string[], { reportDir }: { readonly reportDir: string }, command: Command) =>
      merge(paths, reportDir, command),
    );
};
