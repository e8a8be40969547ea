import { runSuite } from '../../src/api/run-suite.ts';
import type { RunSettings } from '../../src/config/settings.ts';
import { describeOutcome } from '../../src/report/text/failures.ts';
import type { Outcome } from '../../src/run/outcome.ts';
import { type RunResult, runConformance } from '../../src/run/run.ts';
import type { RunDeps, Target } from '../../src/run/run-deps.ts';
import { suite } from '../../suites/index.ts';

/** A run as its reports show it. */
export interface RunInWords extends Omit<RunResult, 'outcome'> {
  readonly outcome: Outcome;
}

type Deps = Omit<RunDeps, 'suite' | 'target'> & { readonly target?: Target };

/** Runs, and describes the outcome as the reports do. Without a target, the settings name it. */
export const runInWords = async (settings: RunSettings, { target, ...deps }: Deps): Promise<RunInWords> => {
  const result = await (target === undefined
    ? runSuite(settings, deps)
    : runConformance(settings, { ...deps, suite, target }));
  return { ...result, outcome: describeOutcome(result.outcome, result.context) };
};
