import type { SuiteResult } from '../../src/api/run-suite.ts';
import type { RunSettings } from '../../src/config/settings.ts';
import type { RunEvent, Target } from '../../src/run/run-deps.ts';
import type { Clock } from '../../src/time/clock.ts';
import { createVirtualClock } from '../../src/time/virtual-clock.ts';
import { countingServer, type ServerSetup } from './counting-server.ts';
import { type RunChanges, runInWords } from './run-in-words.ts';

interface TimedEvent {
  readonly at: number;
  readonly event: RunEvent;
}

/** A run with a fixed seed, and its events with their times. */
export const judge = async (
  target: Target,
  clock: Clock,
  settings: Partial<RunSettings> = {},
  deps: RunChanges = {},
): Promise<SuiteResult & { readonly events: readonly TimedEvent[]; readonly tookMs: number }> => {
  const events: TimedEvent[] = [];
  const startedAt = clock.now();
  const watch = (event: RunEvent) => events.push({ at: clock.now(), event });
  const result = await runInWords({ seed: 5, ...settings }, { clock, watch, target, ...deps });
  return { ...result, events, tookMs: clock.now() - startedAt };
};

/** A run against a counting server. By default it does not start on a whole second. Times in milliseconds. */
export const judgeOn = async (
  setup: ServerSetup,
  settings: Partial<RunSettings> = {},
  { startsAt = Date.parse('2026-06-01T12:00:17.300Z'), latencyMs = 20 } = {},
) => {
  const clock = createVirtualClock(startsAt);
  const { target, count } = countingServer(setup, clock, latencyMs);
  return { ...(await judge(target, clock, settings)), count };
};

/** The number of accepted requests in each window. Without the first and the last window, which may be used only in part. */
export const fillings = (served: readonly number[], windowMs: number, from: number): readonly number[] => {
  const counts = new Map<number, number>();
  for (const at of served) {
    const index = Math.floor((at - from) / windowMs);
    counts.set(index, (counts.get(index) ?? 0) + 1);
  }
  return [...counts.values()].slice(1, -1);
};
