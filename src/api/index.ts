/** The suite as functions, for scripts and for any test runner. */

import { settingsProblems } from '../config/refusals.ts';
import type { Report } from '../report/conformance.ts';
import { prepareRun, replayPathError } from './prepare.ts';
import { givenSettings, problemsOfNames, type Settings } from './settings.ts';

export * from '../check/index.ts';
export type { Report } from '../report/conformance.ts';
export type { Failure, RequirementResult, Verdict } from '../run/outcome.ts';
export {
  type ReferenceServer,
  type ReferenceServerOptions,
  startReferenceServer,
} from './reference-server.ts';
export type { PlanName, Settings } from './settings.ts';

/** The result of a run. */
export interface RunReport {
  /** The exit code of the command: 0 no MUST failed, 1 a MUST failed, 3 the server cannot be tested, 4 the suite failed, 130 aborted. */
  readonly exitCode: 0 | 1 | 3 | 4 | 130;
  /** As in conformance.json: it contains no key. */
  readonly report: Report;
}

/** Options of `run` besides the settings. */
export interface RunOptions {
  /** Ends the run when it is aborted. The report has everything tested so far. */
  readonly signal?: AbortSignal;
}

/** Settings that cannot be used. Nothing was sent. */
export class InvalidSettings extends Error {
  override name = 'InvalidSettings';
  /** One sentence for each problem. */
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * Tests a server. Only the settings of the call count: neither the environment nor a configuration file is read. Reports are written
 * if `reportDir` is given.
 *
 * @example
 * const { exitCode, report } = await run({ baseUrl: 'http://127.0.0.1:8080/v1', apiKey: 'my-key' });
 *
 * @throws InvalidSettings before anything is sent.
 */
export const run = async (settings: Settings, { signal }: RunOptions = {}): Promise<RunReport> => {
  const names = problemsOfNames(settings);
  if (names.length > 0) throw new InvalidSettings(names);
  if (settings.baseUrl === undefined && settings.reference !== true)
    throw new InvalidSettings([settingsProblems.noServer]);
  const writesReports = settings.reportDir !== undefined;
  const { flags, own } = givenSettings(settings);
  const prepared = await prepareRun({ flags, own, env: {}, directory: null, writesReports });
  if (!prepared.ok) throw new InvalidSettings(prepared.problems);
  const { runSuite } = await import('./run-suite.ts');
  const { ReplayPathNotFound } = await import('../run/run-deps.ts');
  const { toReport } = await import('../report/conformance.ts');
  const { removeEarlierReports } = await import('../report/earlier.ts');
  const earlier = writesReports ? await removeEarlierReports(prepared.settings.reportDir) : null;
  try {
    const { outcome, exit } = await runSuite(prepared.settings, {
      ...prepared.read,
      signal: signal ?? new AbortController().signal,
    });
    if (writesReports) {
      const { writeReports } = await import('../report/write.ts');
      await writeReports(outcome, { dir: prepared.settings.reportDir, env: {}, earlier });
    }
    return { exitCode: exit, report: toReport(outcome) };
  } catch (error) {
    throw error instanceof ReplayPathNotFound
      ? new InvalidSettings([replayPathError(prepared.settings)])
      : error;
  }
};
