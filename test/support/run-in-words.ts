import { runSuite, type SuiteResult } from '../../src/api/run-suite.ts';
import type { RunSettings } from '../../src/config/settings.ts';
import { describeOutcome } from '../../src/report/text/failures.ts';
import type { Outcome, ServerFailure } from '../../src/run/outcome.ts';
import { runConformance } from '../../src/run/run.ts';
import type { RunDeps } from '../../src/run/run-deps.ts';
import { type ServerSetup, serve, setupFor } from '../../src/selftest/server.ts';
import { suite } from '../../suites/index.ts';
import { noSettings } from './build.ts';

/** Dependencies of a run that are not the default ones. */
export type RunChanges = Partial<Omit<RunDeps, 'onDecided'>>;

const defaults = { watch: () => {}, random: () => 0.5 };

/** Runs with seed 1 by default, and describes the outcome as the reports do. Without a target, the settings name it. */
export const runInWords = async (
  changes: Partial<RunSettings>,
  { target, ...rest }: RunChanges & Pick<RunDeps, 'clock'>,
): Promise<SuiteResult> => {
  const settings = { ...noSettings, seed: 1, ...changes };
  const deps = { ...defaults, signal: new AbortController().signal, ...rest };
  if (target === undefined) return runSuite(settings, deps);
  const { outcome, exit, context } = await runConformance(settings, { suite, ...deps, target });
  return { outcome: describeOutcome(outcome, context), exit };
};

/** The outcome of a run against a server of the self-test. */
export const outcomeOn = async (
  setup: ServerSetup,
  settings: Partial<RunSettings> = {},
  deps: RunChanges = {},
): Promise<Outcome<ServerFailure>> => (await runInWords(settings, { ...serve(setup, 1), ...deps })).outcome;

/** The outcome of a run against a server with these faults; without faults it conforms. */
export const outcomeWith = (
  faults: readonly string[],
  settings: Partial<RunSettings> = {},
  deps: RunChanges = {},
): Promise<Outcome<ServerFailure>> => outcomeOn(setupFor({ kind: 'fault', names: faults }), settings, deps);

/** The result of a requirement. */
export const resultOf = (outcome: Outcome<ServerFailure>, id: string) =>
  outcome.requirements.find((requirement) => requirement.id === id);

/** Requirements that failed, warned, or had an error. */
export const alarming = <Result extends { readonly verdict: string }>(
  results: readonly Result[],
): readonly Result[] => results.filter(({ verdict }) => ['failed', 'warned', 'error'].includes(verdict));

/** Requirements that failed, warned, or had an error, with the reason. */
export const alarms = ({ requirements }: Outcome): readonly string[] =>
  alarming(requirements).map(({ id, failures, reason }) => `${id}: ${failures[0]?.message ?? reason}`);
