import { describeOutcome } from '../../src/report/text/failures.ts';
import type { Outcome } from '../../src/run/outcome.ts';
import { type RunResult, runConformance } from '../../src/run/run.ts';

/** A run as its reports show it. */
export interface RunInWords extends Omit<RunResult, 'outcome'> {
  readonly outcome: Outcome;
}

/** Runs, and describes the outcome as the reports do. */
export const runInWords = async (...args: Parameters<typeof runConformance>): Promise<RunInWords> => {
  const result = await runConformance(...args);
  return { ...result, outcome: describeOutcome(result.outcome, result.redact) };
};
