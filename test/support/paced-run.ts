import type { SuiteResult } from '../../src/api/run-suite.ts';
import type { RunSettings } from '../../src/config/settings.ts';
import type { RunEvent, Target } from '../../src/run/run-deps.ts';
import type { Clock } from '../../src/time/clock.ts';
import { createVirtualClock } from '../../src/time/virtual-clock.ts';
import { countingServer, type ServerSetup } from './counting-server.ts';
import { type RunChanges, runInWords } from './run-in-words.ts';

interface Told {
  readonly at: number;
  readonly event: RunEvent;
}

/** A run with a fixed seed, with all that it told and when. */
export const judge = async (
  target: Target,
  clock: Clock,
  settings: Partial<RunSettings> = {},
  deps: RunChanges = {},
): Promise<SuiteResult & { readonly told: readonly Told[]; readonly tookMs: number }> => {
  const told: Told[] = [];
  const startedAt = clock.now();
  const watch = (event: RunEvent) => told.push({ at: clock.now(), event });
  const result = await runInWords({ seed: 5, ...settings }, { clock, watch, target, ...deps });
  return { ...result, told, tookMs: clock.now() - startedAt };
};

/** The same against a counting server, from between two seconds on. Times in milliseconds. */
export const judgeOn = async (
  setup: ServerSetup,
  settings: Partial<RunSettings> = {},
  { startsAt = Date.parse('2026-06-01T12:00:17.300Z'), latencyMs = 20 } = {},
) => {
  const clock = createVirtualClock(startsAt);
  const { target, count } = countingServer(setup, clock, latencyMs);
  return { ...(await judge(target, clock, settings)), count };
};

/** How many were served in each whole window, the first and the last left out: they may be partly over, or not needed whole. */
export const fillings = (served: readonly number[], windowMs: number, from: number): readonly number[] => {
  const counts = new Map<number, number>();
  for (const at of served) {
    const index = Math.floor((at - from) / windowMs);
    counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  return [...counts.values()].slice(1, -1);
};
