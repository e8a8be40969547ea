import { describe, expect, test } from 'vitest';
import type { RunSettings } from '../src/config/settings.ts';
import type { Plan } from '../src/openapi/plans.ts';
import type { Patch } from '../src/reference/patch.ts';
import { compose, replace } from '../src/reference/patch-kit/core.ts';
import { judgeOn } from './support/paced-run.ts';

const settings: Readonly<Record<string, Partial<RunSettings>>> = {
  'a default run': {},
  'neighbours on the key': { sharedKey: true },
  'nothing created': { readOnly: true },
  'neighbours on the key, and nothing created': { sharedKey: true, readOnly: true },
};

/** What was planned and what it came to. Times in milliseconds. `spare`: the plan of a rate limit key. */
const plannedAndDone = async (
  plan: Plan,
  dialects: readonly string[],
  changes: Partial<RunSettings>,
  patch: Patch = compose(),
  spare: Plan | null = null,
) => {
  const grants = {
    main: { key: 'main-key-of-these-tests', plan },
    ...(spare === null ? {} : { 'rate-limit': { key: 'spare-key-of-these-tests', plan: spare } }),
  };
  const { outcome, tookMs, told } = await judgeOn({ grants, dialects, patch, plansTold: true }, changes);
  const events = told.map(({ event }) => event);
  const planned = events.find((event) => event.kind === 'planned');
  if (planned?.kind !== 'planned') throw new Error('No plan was told.');
  const reasons = events.flatMap((event) => (event.kind === 'waiting' ? [event.reason] : []));
  const remaining = events.flatMap((event) => (event.kind === 'progress' ? [event.remainingMs] : []));
  return { planned, requests: outcome.traffic.requests, tookMs, reasons, remaining };
};

const offBy = (estimated: number, real: number): number => Math.abs(estimated - real) / real;

describe.each(Object.entries(settings))(
  'what is planned is what is sent, within a tenth: %s',
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
    ] as const)('and it takes as long as was told, on a %s key: %s', async (plan, dialect) => {
      const dialects = dialect === '' ? [] : [dialect];
      const { planned, requests, tookMs } = await plannedAndDone(plan, dialects, changes);
      expect(offBy(planned.requests, requests)).toBeLessThan(0.1);
      expect(offBy(planned.estimateMs, tookMs)).toBeLessThan(0.1);
    });

    test('and nothing is waited for where nothing need be, on a business key', async () => {
      const { planned, requests, reasons } = await plannedAndDone('business', [], changes);
      expect(offBy(planned.requests, requests)).toBeLessThan(0.1);
      expect([planned.estimateMs, reasons]).toEqual([0, []]);
    });
  },
);

test.each(['free', 'pro', 'business'] as const)(
  'without headers it is the limit of the plan that is kept to, and told before: %s',
  async (plan) => {
    const noHeaders = replace('rateLimitHeaders', () => () => ({}));
    const { planned, tookMs, reasons } = await plannedAndDone(plan, [], {}, noHeaders);
    expect(planned.note).toMatch(/^\d+ requests a minute, sent evenly(; the free plan allows 1000 a day)?$/);
    // Requests without a valid key may be charged to it: nothing tells.
    expect(offBy(planned.estimateMs, tookMs)).toBeLessThan(0.15);
    expect(reasons).toContainEqual(expect.stringMatching(/sent evenly, as no header shows what is left/));
  },
);

test.each<Partial<RunSettings>>([{ budget: 300 }, { only: ['LIST'] }, { shard: { index: 2, of: 3 } }])(
  'a part of a run is planned by what it is made of, with %o',
  async (changes) => {
    const { planned, requests, tookMs } = await plannedAndDone('free', [], changes);
    expect(offBy(planned.requests, requests)).toBeLessThan(0.25);
    expect(offBy(planned.estimateMs, tookMs)).toBeLessThan(0.25);
  },
);

test('a run that takes much of a day says how much the plan allows', async () => {
  expect((await plannedAndDone('free', [], {})).planned.note).toMatch(/; the free plan allows 1000 a day$/);
  expect((await plannedAndDone('free', [], { budget: 60 })).planned.note).not.toContain('a day');
  expect((await plannedAndDone('business', [], {})).planned.note).not.toContain('a day');
});

test.each(['free', 'pro', 'business'] as const)(
  'what a rate limit key is used up by is planned by its plan: %s',
  async (spare) => {
    const done = await plannedAndDone('business', [], { only: ['RATE-5'] }, compose(), spare);
    expect(offBy(done.planned.requests, done.requests)).toBeLessThan(0.1);
    // It depends on when in a minute it begins.
    expect(done.planned.estimateMs).toBe(120_000);
    expect(done.tookMs).toBeLessThan(120_000);
    expect(done.tookMs).toBeGreaterThan(100_000);
    const [first, last] = [done.remaining.at(0), done.remaining.at(-1)];
    expect(first).toBe(120_000);
    expect(last).toBeLessThan(20_000);
    expect(done.planned.note).toMatch(/; with what it takes to use up the limit of the rate limit key$/);
  },
);

test('a day that the rate limit key takes is none of the other key', async () => {
  const changes = { only: ['RATE-11'], exhaustDaily: true };
  const { planned } = await plannedAndDone('free', [], changes, compose(), 'free');
  expect(planned.note).not.toContain('a day');
});

test('and so is a day of it', async () => {
  const changes = { only: ['RATE-11'], exhaustDaily: true };
  const { planned, requests, tookMs } = await plannedAndDone('business', [], changes, compose(), 'free');
  expect(offBy(planned.requests, requests)).toBeLessThan(0.1);
  expect(offBy(planned.estimateMs, tookMs)).toBeLessThan(0.1);
});
