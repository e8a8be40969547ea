import { describe, expect, test } from 'vitest';
import type { RunSettings } from '../../src/config/settings.ts';
import { createVirtualClock } from '../../src/time/virtual-clock.ts';
import { countingServer, mainKey, type ServerSetup } from '../support/counting-server.ts';
import { judge } from '../support/paced-run.ts';
import { alarms } from '../support/run-in-words.ts';

const window = { limit: 120, seconds: 6 };
const spareWindow = { limit: 300, seconds: 6 };
const oneKey: ServerSetup['keys'] = [{ plan: 'business', window }];
const twoKeys: ServerSetup['keys'] = [oneKey[0], { plan: 'business', window: spareWindow }];
const runs = [1, 2, 3];

interface Scenario {
  readonly name: string;
  readonly keys: ServerSetup['keys'];
  readonly settings: Partial<RunSettings>;
  /** The fewest and the most keys whose other clients a run reports. */
  readonly noticed: readonly [number, number];
}

const scenarios: readonly Scenario[] = [
  { name: 'one API key', keys: oneKey, settings: { budget: 150 }, noticed: [1, 1] },
  {
    name: 'one API key, declared as shared',
    keys: oneKey,
    settings: { budget: 150, sharedKey: true },
    noticed: [0, 0],
  },
  {
    name: 'one API key and one rate limit key',
    keys: twoKeys,
    settings: { only: ['LIST', 'RATE-6'], runs: 5 },
    noticed: [1, 2],
  },
];

/** How long a run takes for this many requests with its share of each window. */
const shareMs = (requests: number, { limit, seconds }: typeof window): number =>
  (1_000 * seconds * runs.length * requests) / limit;

describe.each(scenarios)('three runs that start together with $name', ({ keys, settings, noticed }) => {
  // They start at different times of a window, on slower and slower networks.
  test.each([1, 2, 3, 4, 5, 6])('no 429, no alarm, and each run gets its share (%i)', async (nth) => {
    const clock = createVirtualClock(Date.parse('2026-06-01T12:00:17.300Z') + nth * 1_370);
    const { target, count } = countingServer({ keys }, clock, 3 * nth);
    const ended = await Promise.all(
      runs.map((run) => judge(target, clock, { ...settings, concurrency: 8, seed: 10 * nth + run })),
    );
    expect([count.refused(mainKey), count.bans()]).toEqual([0, 0]);
    for (const { outcome, tookMs } of ended) {
      expect(alarms(outcome)).toEqual([]);
      const others = outcome.observations.filter(({ subject }) => subject === 'other clients').length;
      expect(others).toBeGreaterThanOrEqual(noticed[0]);
      expect(others).toBeLessThanOrEqual(noticed[1]);
      expect(tookMs).toBeLessThan(2 * shareMs(outcome.traffic.requests, window));
    }
  });
});
