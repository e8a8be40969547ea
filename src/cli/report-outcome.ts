import type { RunSettings } from '../config/settings.ts';
import { UnwritableReports, type WrittenReport } from '../report/files.ts';
import { oneLine } from '../report/text/escape.ts';
import { reportProblems } from '../report/text/report-files.ts';
import type { Outcome } from '../run/outcome.ts';
import { printAnnotations, printError } from './output.ts';
import { withoutSecrets } from './secrets.ts';
import type { Screen } from './terminal/screen.ts';
import { exitCodes, problemLines } from './usage.ts';

type Env = Readonly<Record<string, string | undefined>>;

const showSummary = async (
  outcome: Outcome,
  screen: Screen,
  { reports, verbose }: { readonly reports: readonly WrittenReport[]; readonly verbose: boolean },
  { env, hints }: Showing,
): Promise<void> => {
  const { summaryText } = await import('./terminal/summary.ts');
  screen.write(summaryText(outcome, { color: screen.color, reports, verbose }));
  for (const hint of hints(outcome)) screen.write(`${hint}\n`);
  if (env.GITHUB_ACTIONS !== 'true') return;
  const { annotations } = await import('../report/annotations.ts');
  printAnnotations(annotations(outcome));
};

/** The written reports, and the error that prevented others; null: all were written. */
interface WriteResult {
  readonly reports: readonly WrittenReport[];
  readonly error: unknown;
}

const write = async (
  outcome: Outcome,
  dir: string,
  screen: Screen,
  { env, earlier }: Showing,
): Promise<WriteResult> => {
  const warn = (text: string) => screen.write(`${oneLine(text)}\n`);
  try {
    const { writeReports } = await import('../report/write.ts');
    return {
      reports: await writeReports(outcome, { dir, env, warn, ...(earlier === undefined ? {} : { earlier }) }),
      error: null,
    };
  } catch (error) {
    return { reports: error instanceof UnwritableReports ? error.written : [], error };
  }
};

/** Prints why reports could not be written. This comes after the summary, so that the result is shown anyway. */
const printWriteError = (error: unknown): number => {
  if (!(error instanceof UnwritableReports)) throw error;
  printError(withoutSecrets(problemLines([`${error.message} ${reportProblems.room}`])));
  return exitCodes.suiteError;
};

interface Showing {
  /** See `ReportOptions`. */
  readonly earlier?: string | null;
  readonly env: Env;
  /** Lines after the summary. */
  readonly hints: (outcome: Outcome) => readonly string[];
}

/** Writes the reports and prints the summary. Returns the exit code. */
export const reportOutcome = async (
  { outcome, exit }: { readonly outcome: Outcome; readonly exit: number },
  { reportDir, verbose }: Pick<RunSettings, 'reportDir' | 'verbose'>,
  screen: Screen,
  showing: Showing,
): Promise<number> => {
  const { reports, error } = await write(outcome, reportDir, screen, showing);
  await showSummary(outcome, screen, { reports, verbose }, showing);
  return error === null ? exit : printWriteError(error);
};
