import { type PreparedRun, prepareRun } from '../api/prepare.ts';
import { givenSettings } from '../api/settings.ts';
import { summaryWords } from '../report/text/summary.ts';
import { testEndings, testProblems } from '../report/text/vitest.ts';
import type { Observation, Outcome, RequirementResult } from '../run/outcome.ts';
import { type ConformanceSettings, type StartedServer, withStarted } from './settings.ts';

/** What a run found for one requirement. */
export interface Decision {
  readonly result: RequirementResult;
  readonly observations: readonly Observation[];
  /** Why the run ended early; null: it did not, or not yet. */
  readonly ended: string | null;
  /** Warnings fail the run. */
  readonly strict: boolean;
  readonly server: string;
  readonly seed: number;
}

/** One run, shared by the tests of one call. */
export interface Engine {
  /** Resolves when the requirement has a result; rejects if the run could not take place. */
  decisionOn(id: string): Promise<Decision>;
  /** Resolves after the reports are written and the server is stopped: failures that no test reported, or null. */
  readonly finished: Promise<string | null>;
}

/** The selected tests, and the signal that ends the run. */
export interface TestSelection {
  readonly ids: readonly string[];
  /** Every test of the call is selected. */
  readonly isWhole: boolean;
  /** Every requirement that has a test. */
  readonly registered: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

const prepare = async ({ start: _, ...settings }: ConformanceSettings, started: StartedServer | null) => {
  const { ANIMAL_STORE_SEED } = process.env;
  const prepared = await prepareRun({
    ...givenSettings(withStarted(settings, started)),
    env: started === null ? process.env : { ANIMAL_STORE_SEED },
    directory: started === null ? process.cwd() : null,
    writesReports: settings.reportDir !== undefined,
  });
  if (!prepared.ok) throw new Error(prepared.problems.join('\n'));
  return prepared;
};

/** The settings that send what the selected tests need, and no more. */
const settingsFor = ({ settings, read }: PreparedRun, { ids, isWhole, registered }: TestSelection) => {
  const without = read.extra.requirements.find(({ id }) => !registered.has(id));
  if (without !== undefined && settings.only.length === 0) throw new Error(testProblems.noTest(without.id));
  return isWhole ? settings : { ...settings, only: ids };
};

const isFailing = ({ verdict }: RequirementResult): boolean => verdict === 'failed' || verdict === 'error';

/** Returns failures that no test reported, so that the run is not green; null: none. */
const unreportedFailures = (
  { requirements, ended }: Outcome,
  exit: number,
  reported: ReadonlyMap<string, Decision>,
): string | null => {
  const changed = requirements.filter((result) => {
    const earlier = reported.get(result.id);
    return earlier !== undefined && isFailing(result) && !isFailing(earlier.result);
  });
  if (changed.length > 0) {
    const lines = changed.map(({ id, reason, failures }) => `${id}: ${failures[0]?.message ?? reason}`);
    return testEndings.afterEnd(lines);
  }
  return exit === 0 || requirements.some(isFailing) ? null : ended;
};

const write = async (outcome: Outcome, dir: string): Promise<void> => {
  const { writeReports } = await import('../report/write.ts');
  await writeReports(outcome, { dir, env: process.env });
};

/** Runs the suite once, and reports each result once. Returns failures that no test reported. */
const testServer = async (
  settings: ConformanceSettings,
  started: StartedServer | null,
  selected: TestSelection,
  report: (decision: Decision) => void,
): Promise<string | null> => {
  const prepared = await prepare(settings, started);
  const runSettings = settingsFor(prepared, selected);
  const { strict, seed, baseUrl, reportDir } = runSettings;
  const reported = new Map<string, Decision>();
  const shared = { strict, seed, server: baseUrl ?? summaryWords.reference };
  const { runSuite } = await import('../api/run-suite.ts');
  const { outcome, exit } = await runSuite(runSettings, {
    ...prepared.read,
    signal: selected.signal,
    onDecided: (result, observations) => {
      const decision = { ...shared, result, observations, ended: null };
      reported.set(result.id, decision);
      report(decision);
    },
  });
  if (settings.reportDir !== undefined) await write(outcome, reportDir);
  if (exit === 3) throw new Error(outcome.ended ?? testProblems.untestable);
  for (const result of outcome.requirements.filter(({ id }) => !reported.has(id))) {
    const observations = outcome.observations.filter(({ id }) => id === result.id);
    report({ ...shared, result, observations, ended: outcome.ended });
  }
  return unreportedFailures(outcome, exit, reported);
};

/** Starts one run for the selected tests. */
export const startEngine = (settings: ConformanceSettings, selected: TestSelection): Engine => {
  const pending = new Map(selected.ids.map((id) => [id, Promise.withResolvers<Decision>()]));
  // Nobody waits for the promise of a test that was cancelled.
  for (const { promise } of pending.values()) promise.catch(() => {});
  const waiting = new Set(selected.ids);
  const report = (decision: Decision) => {
    waiting.delete(decision.result.id);
    pending.get(decision.result.id)?.resolve(decision);
  };

  const run = async (): Promise<string | null> => {
    let started: StartedServer | null = null;
    try {
      started = settings.start === undefined ? null : await settings.start();
      return await testServer(settings, started, selected, report);
    } catch (error) {
      for (const id of waiting) pending.get(id)?.reject(error);
      if (waiting.size > 0) return null;
      return error instanceof Error ? error.message : String(error);
    } finally {
      await started?.stop?.();
    }
  };
  const finished = run();
  finished.catch(() => {});
  return {
    decisionOn: (id) => pending.get(id)?.promise ?? Promise.reject(new Error(testProblems.notSelected(id))),
    finished,
  };
};
