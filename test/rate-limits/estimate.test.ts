import { describe, expect, test } from 'vitest';
import type { RunSettings } from '../../src/config/settings.ts';
import type { Plan } from '../../src/openapi/plans.ts';
import type { Patch } from '../../src/reference/patch.ts';
import { compose, replace } from '../../src/reference/patch-kit/core.ts';
import { faultNamed } from '../support/faults.ts';
import { judgeOn } from '../support/paced-run.ts';

const settings: Readonly<Record<string, Partial<RunSettings>>> = {
  'a default run': {},
  'neighbours on the key': { sharedKey: true },
  'nothing created': { readOnly: true },
  'neighbours on the key, and nothing created': { sharedKey: true, readOnly: true },
};

const manyFaults = [
  'limit-one-too-many',
  'empty-list-as-null',
  'category-beyond-int64-crashes',
  'lists-with-a-query-need-no-key',
];

/** The estimate of a run, and what it took. Times in milliseconds. `spare`: the plan of a rate limit key. */
const estimateAndRun = async (
  plan: Plan,
  dialects: readonly string[],
  changes: Partial<RunSettings>,
  patch: Patch = compose(),
  spare?: Plan,
) => {
  const {
    outcome,
    tookMs,
    events: timed,
  } = await judgeOn({ keys: [plan, spare], dialects, patch, plansKnown: true }, changes);
  const events = timed.map(({ event }) => event);
  const planned = events.find((event) => event.kind === 'planned');
  if (planned?.kind !== 'planned') throw new Error('No plan was reported.');
  const reasons = events.flatMap((event) => (event.kind === 'waiting' ? [event.reason] : []));
  const remaining = events.flatMap((event) => (event.kind === 'progress' ? [event.remainingMs] : []));
  return { planned, requests: outcome.traffic.requests, tookMs, reasons, remaining };
};

const offBy = (estimated: number, real: number): number => Math.abs(estimated - real) / real;

describe.each(Object.entries(settings))(
  '%s: sends as many requests as planned, within a tenth',
  (_, changes) => {
    test.each([
      ['free', ''],
      ['free', 'sliding-window'],
      ['free', 'token-bucket'],
      ['free', 'headers-of-the-day'],
      ['pro', ''],
      ['pro', 'sliding-window'],
      ['pro', 'token-bucket'],
      ['pro', 'headers-of-the-day'],
    ] as const)('%s key %s: takes as long as estimated', async (plan, dialect) => {
      const dialects = dialect === '' ? [] : [dialect];
      const { planned, requests, tookMs } = await estimateAndRun(plan, dialects, changes);
      expect(offBy(planned.requests, requests)).toBeLessThan(0.1);
      expect(offBy(planned.estimateMs, tookMs)).toBeLessThan(0.1);
    });

    test('business key: does not wait', async () => {
      const { planned, requests, reasons } = await estimateAndRun('business', [], changes);
      expect(offBy(planned.requests, requests)).toBeLessThan(0.1);
      expect([planned.estimateMs, reasons]).toEqual([0, []]);
    });
  },
);

test('a server with many failures -> the retries are counted as they come, so that the end is not shown too early', async () => {
  const { events } = await judgeOn(
    {
      keys: ['business'],
      patch: compose(...manyFaults.map((name) => faultNamed(name).patch)),
      plansKnown: true,
    },
    {},
  );
  const planned = events.find(({ event }) => event.kind === 'planned')?.event;
  const progress = events.flatMap(({ event }) => (event.kind === 'progress' ? [event] : []));
  const last = progress.at(-1);
  if (planned?.kind !== 'planned' || last === undefined)
    throw new Error('No plan or no progress was reported.');
  expect(last.planned).toBeGreaterThan(planned.requests);
  // Before the last requests, less than all is done: retries do not use up what is planned for cases.
  const middle = progress[Math.floor(progress.length / 2)];
  expect((middle?.planned ?? 0) - (middle?.done ?? 0)).toBeGreaterThan(progress.length / 4);
  expect(offBy(last.planned, last.done)).toBeLessThan(0.1);
});

test.each([
  ['free', ''],
  ['free', 'sliding-window'],
  ['pro', ''],
  ['pro', 'headers-of-the-day'],
] as const)(
  '%s key %s, a server with many failures -> takes at least the estimate, and at most the longest one',
  async (plan, dialect) => {
    const dialects = dialect === '' ? [] : [dialect];
    const patch = compose(...manyFaults.map((name) => faultNamed(name).patch));
    const { planned, tookMs } = await estimateAndRun(plan, dialects, {}, patch);
    expect(tookMs).toBeGreaterThan(0.9 * planned.estimateMs);
    expect(tookMs).toBeLessThan(1.1 * planned.longestMs);
  },
);

test.each(['free', 'pro', 'business'] as const)(
  '%s plan, no headers -> keeps to the limit of the plan, as estimated',
  async (plan) => {
    const noHeaders = replace('rateLimitHeaders', () => () => ({}));
    const { planned, tookMs, reasons } = await estimateAndRun(plan, [], {}, noHeaders);
    expect(planned.basis).toMatchObject({ kind: 'evenly' });
    // Requests without a valid key may count towards it: nothing shows it.
    expect(offBy(planned.estimateMs, tookMs)).toBeLessThan(0.15);
    expect(reasons).toContainEqual(
      expect.objectContaining({ kind: 'own-count', per: 'minute', unseen: true }),
    );
  },
);

test.each<Partial<RunSettings>>([{ budget: 300 }, { only: ['LIST'] }, { shard: { index: 2, of: 3 } }])(
  '%o -> estimated by the part that runs',
  async (changes) => {
    const { planned, requests, tookMs } = await estimateAndRun('free', [], changes);
    expect(offBy(planned.requests, requests)).toBeLessThan(0.25);
    expect(offBy(planned.estimateMs, tookMs)).toBeLessThan(0.25);
  },
);

test.each<[Partial<RunSettings>, number]>([
  [{ only: ['LIST-2'] }, 69],
  [{ only: ['LIST-3'] }, 89],
  [{ only: ['GET-7'] }, 0],
  [{ maxCreates: 20 }, 20],
  [{ readOnly: true }, 0],
  [{}, 153],
])('%o -> estimates the requests, and that they create %i animals', async (changes, created) => {
  const { planned, requests } = await estimateAndRun('business', [], changes);
  expect(offBy(planned.requests, requests)).toBeLessThan(0.2);
  expect(planned.creations).toBeGreaterThanOrEqual(0.8 * created);
  expect(planned.creations).toBeLessThanOrEqual(1.2 * created);
});

test('large part of a daily limit -> says how much the plan allows', async () => {
  expect((await estimateAndRun('free', [], {})).planned.day).toEqual({ plan: 'free', requests: 1_000 });
  expect((await estimateAndRun('free', [], { budget: 60 })).planned.day).toBeNull();
  expect((await estimateAndRun('business', [], {})).planned.day).toBeNull();
});

test.each(['free', 'pro', 'business'] as const)(
  'rate-limit key of the %s plan -> its use is estimated',
  async (spare) => {
    const done = await estimateAndRun('business', [], { only: ['RATE-5'] }, compose(), spare);
    expect(offBy(done.planned.requests, done.requests)).toBeLessThan(0.1);
    // The real time depends on when in a minute it starts.
    expect(done.planned.estimateMs).toBe(120_000);
    expect(done.tookMs).toBeLessThan(120_000);
    expect(done.tookMs).toBeGreaterThan(100_000);
    const [first, last] = [done.remaining.at(0), done.remaining.at(-1)];
    expect(first).toBe(120_000);
    expect(last).toBeLessThan(20_000);
    expect(done.planned.usesUpLimit).toBe('known');
  },
);

test.each<[Partial<RunSettings>]>([[{ only: ['RATE-5'] }], [{}]])(
  'rate-limit key of an unknown plan, %o -> estimated by the limit that it shows',
  async (changes) => {
    const spare = { plan: 'enterprise', window: { limit: 20, seconds: 4 } } as const;
    const { outcome, events } = await judgeOn({ keys: ['business', spare] }, changes);
    const planned = events.map(({ event }) => event).find((event) => event.kind === 'planned');
    if (planned === undefined) throw new Error('No plan was reported.');
    expect(offBy(planned.requests, outcome.traffic.requests)).toBeLessThan(0.2);
    expect(planned.usesUpLimit).toBe('known');
    expect(planned.estimateMs).toBeLessThan(20_000);
  },
);

test('daily limit of the rate-limit key -> not counted for the API key', async () => {
  const changes = { only: ['RATE-11'], exhaustDaily: true };
  const { planned } = await estimateAndRun('free', [], changes, compose(), 'free');
  expect(planned.day).toBeNull();
});

test('daily limit of the rate-limit key -> estimated', async () => {
  const changes = { only: ['RATE-11'], exhaustDaily: true };
  const { planned, requests, tookMs } = await estimateAndRun('business', [], changes, compose(), 'free');
  expect(offBy(planned.requests, requests)).toBeLessThan(0.1);
  expect(offBy(planned.estimateMs, tookMs)).toBeLessThan(0.1);
});
