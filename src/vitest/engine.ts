import { type PreparedRun, prepareRun } from '../api/prepare.ts';
import { givenSettings } from '../api/settings.ts';
import type { Observation, Outcome, RequirementResult } from '../run/outcome.ts';
import { type ConformanceSettings, type StartedServer, withStarted } from './settings.ts';

/** What a run found for one requirement. */
export interface Decided {
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
  /** Resolves when the requirement is decided; rejects if the run could not take place. */
  decided(id: string): Promise<Decided>;
  /** Resolves after the reports are written and the server is stopped: what no test has reported; null: nothing. */
  readonly finished: Promise<string | null>;
}

/** Which tests were selected, and how the run is ended. */
export interface Selected {
  readonly ids: readonly string[];
  /** No test of the call was left out. */
  readonly isWhole: boolean;
  /** Every requirement that has a test. */
  readonly registered: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

const prepare = async (
  { start: _, ...settings }: ConformanceSettings,
  started: StartedServer | null,
): Promise<PreparedRun> => {
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
const settingsFor = (
  { settings, read }: PreparedRun,
  { ids, isWhole, registered }: Selected,
): PreparedRun['settings'] => {
  const without = read.extra.requirements.find(({ id }) => !registered.has(id));
  if (without !== undefined && settings.only.length === 0)
    throw new Error(`${without.id} has no test: give own checks to conformance({ checks, requirements })`);
  return isWhole ? settings : { ...settings, only: ids };
};

const isFailing = ({ verdict }: RequirementResult): boolean => verdict === 'failed' || verdict === 'error';

/** What fails the run although no test has reported it: such a run must not be green. */
const unreported = (
  { requirements, ended }: Outcome,
  exit: number,
  told: ReadonlyMap<string, Decided>,
): string | null => {
  const changed = requirements.filter((result) => {
    const earlier = told.get(result.id);
    return earlier !== undefined && isFailing(result) && !isFailing(earlier.result);
  });
  if (changed.length > 0) {
    const lines = changed.map(({ id, reason, failures }) => `${id}: ${failures[0]?.message ?? reason}`);
    return `Failed after the test had ended:\n${lines.join('\n')}`;
  }
  return exit === 0 || requirements.some(isFailing) ? null : ended;
};

const write = async (outcome: Outcome, dir: string): Promise<void> => {
  const { writeReports } = await import('../report/write.ts');
  await writeReports(outcome, { dir, env: process.env });
};

/** Runs the engine once. Each result is told once; returns what no test has reported. */
const testServer = async (
  settings: ConformanceSettings,
  started: StartedServer | null,
  selected: Selected,
  tell: (decided: Decided) => void,
): Promise<string | null> => {
  const prepared = await prepare(settings, started);
  const runSettings = settingsFor(prepared, selected);
  const { strict, seed, baseUrl, reportDir } = runSettings;
  const told = new Map<string, Decided>();
  const shared = { strict, seed, server: baseUrl ?? 'the built-in reference server' };
  const { runSuite } = await import('../api/run-suite.ts');
  const { outcome, exit } = await runSuite(runSettings, {
    ...prepared.read,
    signal: selected.signal,
    onDecided: (result, observations) => {
      const decided = { ...shared, result, observations, ended: null };
      told.set(result.id, decided);
      tell(decided);
    },
  });
  if (settings.reportDir !== undefined) await write(outcome, reportDir);
  if (exit === 3) throw new Error(outcome.ended ?? 'The server cannot be tested');
  for (const result of outcome.requirements.filter(({ id }) => !told.has(id))) {
    const observations = outcome.observations.filter(({ id }) => id === result.id);
    tell({ ...shared, result, observations, ended: outcome.ended });
  }
  return unreported(outcome, exit, told);
};

/** Starts one run for the selected tests. */
export const startEngine = (settings: ConformanceSettings, selected: Selected): Engine => {
  const open = new Map(selected.ids.map((id) => [id, Promise.withResolvers<Decided>()]));
  // Nobody waits for the promise of a test that was cancelled.
  for (const { promise } of open.values()) promise.catch(() => {});
  const waiting = new Set(selected.ids);
  const tell = (decided: Decided) => {
    waiting.delete(decided.result.id);
    open.get(decided.result.id)?.resolve(decided);
  };

  const run = async (): Promise<string | null> => {
    let started: StartedServer | null = null;
    try {
      started = settings.start === undefined ? null : await settings.start();
      return await testServer(settings, started, selected, tell);
    } catch (error) {
      for (const id of waiting) open.get(id)?.reject(error);
      if (waiting.size > 0) return null;
      return error instanceof Error ? error.message : String(error);
    } finally {
      await started?.stop?.();
    }
  };
  const finished = run();
  finished.catch(() => {});
  return {
    decided: (id) => open.get(id)?.promise ?? Promise.reject(new Error(`${id} was not selected`)),
    finished,
  };
};
