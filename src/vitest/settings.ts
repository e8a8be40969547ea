import type { PlanName, Settings } from '../api/settings.ts';
import type { Check } from '../check/index.ts';
import { testProblems } from '../report/text/vitest.ts';

/** The server that `start` started. */
export interface StartedServer {
  /** Ends in /v1. */
  readonly baseUrl: string;
  /** A valid API key. */
  readonly apiKey?: string | undefined;
  /** A second valid key that only this run uses, of another account. */
  readonly rateLimitKey?: string | undefined;
  readonly plan?: PlanName | undefined;
  readonly rateLimitPlan?: PlanName | undefined;
  /** Stops the server; awaited after the last test. */
  readonly stop?: (() => unknown) | undefined;
}

/** Settings by their names in the configuration file, with `start` and with checks as values. */
export interface ConformanceSettings extends Omit<Settings, 'checks'> {
  /**
   * Starts the server to test, before the first test. With it, neither the configuration file nor the environment counts, except
   * ANIMAL_STORE_SEED. Without it, they count as for `run`.
   */
  readonly start?: (() => StartedServer | Promise<StartedServer>) | undefined;
  /** Checks of your own (see `defineCheck`). */
  readonly checks?: readonly Check[] | undefined;
}

const fromStart = ['baseUrl', 'apiKey', 'rateLimitKey', 'plan', 'rateLimitPlan'] as const;

/** The settings of a run against the server that was started. Throws if `start` returned none. */
export const withStarted = (settings: Settings, started: StartedServer | null): Settings => {
  if (started === null) return settings;
  if (typeof started?.baseUrl !== 'string') throw new Error(testProblems.noBaseUrl);
  const given = fromStart.filter((name) => started[name] !== undefined);
  return { ...settings, ...Object.fromEntries(given.map((name) => [name, started[name]])) };
};
