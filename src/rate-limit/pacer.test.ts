import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Header } from '../http/exchange.ts';
import type { PaceNote } from '../http/pacing-types.ts';
import { readRateLimit } from './headers.ts';
import {
  bucket,
  chargingDouble,
  fixed,
  type Limiter,
  type LimiterResult,
  sliding,
} from './limiters-testing.ts';
import { createPacer } from './pacer.ts';
import type { PacerOptions } from './pacer-state.ts';
import {
  anyKind,
  type Conditions,
  conditions,
  MINUTE,
  pacerOptions,
  simulate,
  steady,
  worldOf,
} from './pacer-testing.ts';

const kinds: Readonly<Record<string, (limit: number, phase: number) => Limiter>> = {
  'a fixed window': (limit, phase) => fixed(limit, MINUTE, phase),
  'a sliding window that shows when the next request is freed': (limit) => sliding(limit, MINUTE, 'next'),
  'a sliding window that shows when all are freed': (limit) => sliding(limit, MINUTE, 'all'),
  'a token bucket that shows its next token': (limit) => bucket(limit, MINUTE, 'next'),
  'a token bucket that shows when it is full': (limit) => bucket(limit, MINUTE, 'all'),
};

/** A window that ends before its responses show a pattern, with 7 requests in flight. */
const secondsBeforeRenewal: [Conditions, number][] = [16_016, 39_956, 59_996].map((phase) => [
  { skewMs: 0, concurrency: 1, latencies: [149, 73], rounding: Math.floor, hasDate: true, phase },
  7,
]);

test.each([1, 2, 3])('one in %i requests is charged as two -> no 429', (every) => {
  fc.assert(
    fc.property(conditions, fc.integer({ min: 1, max: 8 }), (condition, concurrency) => {
      let count = 0;
      const isDouble = (): boolean => {
        count += 1;
        return count % every === 0;
      };
      const limiter = chargingDouble(60, MINUTE, condition.phase, isDouble);
      const result = simulate(worldOf(limiter, { ...condition, concurrency }, 150));
      expect(result.unexpected429s).toBe(0);
      expect(result.servedAt).toHaveLength(150);
    }),
    { numRuns: 60, examples: secondsBeforeRenewal },
  );
});

describe.each(Object.entries(kinds))('%s', (_kind, make) => {
  test('no 429, and nearly the whole limit is used', () => {
    fc.assert(
      fc.property(conditions, fc.constantFrom(10, 60, 300), (condition, limit) => {
        const result = simulate(worldOf(make(limit, condition.phase), condition, 4 * limit));
        expect(result.unexpected429s).toBe(0);
        expect(result.servedAt).toHaveLength(4 * limit);
        const perRound = limit / Math.min(condition.concurrency, limit);
        const slack = 4 * (perRound * 800 + 3_000);
        expect(result.tookMs).toBeLessThan(4 * MINUTE * 1.1 + slack);
      }),
      { numRuns: 60 },
    );
  });

  test('another client uses half of the limit -> no 429', () => {
    fc.assert(
      fc.property(conditions, (condition) => {
        const world = worldOf(make(60, condition.phase), condition, 150);
        const result = simulate({ ...world, otherClientMs: 2_000 });
        expect(result.unexpected429s).toBe(0);
        expect(result.servedAt).toHaveLength(150);
      }),
      { numRuns: 60 },
    );
  });
});

/** Individual limits: windows of seconds, and buckets that are smaller than the limit. */
const individual: Readonly<Record<string, (limit: number, windowMs: number, phase: number) => Limiter>> = {
  'a fixed window': fixed,
  'a sliding window': (limit, windowMs) => sliding(limit, windowMs, 'next'),
  'a token bucket': (limit, windowMs) => bucket(limit, windowMs, 'all'),
  'a small token bucket': (limit, windowMs, phase) =>
    bucket(limit, windowMs, 'all', Math.min(limit, 5 + (phase % 30))),
};

test.each(Object.entries(individual))('individual limit, %s -> no 429', (_, make) => {
  fc.assert(
    fc.property(
      conditions,
      fc.constantFrom(20, 77, 600),
      fc.constantFrom(1_000, 5_000, 10_000),
      (condition, limit, windowMs) => {
        const limiter = make(limit, windowMs, condition.phase);
        expect(simulate(worldOf(limiter, condition, 400)).unexpected429s).toBe(0);
      },
    ),
    { numRuns: 100 },
  );
});

test('fixed windows -> at least 90 % of each is used', () => {
  fc.assert(
    fc.property(conditions, (condition) => {
      const world = worldOf(fixed(60, MINUTE, condition.phase), condition, 300);
      const quick = { ...world, concurrency: Math.max(4, world.concurrency) };
      const windows = new Map<number, number>();
      for (const at of simulate(quick).servedAt) {
        const index = Math.floor((at + condition.phase) / MINUTE);
        windows.set(index, (windows.get(index) ?? 0) + 1);
      }
      const whole = [...windows.values()].slice(1, -1);
      expect(whole.length).toBeGreaterThan(1);
      for (const used of whole) expect(used).toBeGreaterThanOrEqual(54);
    }),
  );
});

test('no headers -> the limit of the plan, or of the fallback, or none, with a note', () => {
  const run = (pace: Partial<PacerOptions>) => {
    const notes: PaceNote[] = [];
    const world = worldOf(sliding(60, MINUTE, 'next'), steady, 180);
    const result = simulate({
      ...world,
      headers: () => [],
      pacerOptions: { ...pace, note: (note) => notes.push(note) },
    });
    return { ...result, notes };
  };
  for (const pace of [{ plan: 'free' as const }, { fallback: { perMinute: 60, perDay: null } }]) {
    const result = run(pace);
    expect(result.unexpected429s).toBe(0);
    expect(result.notes).toMatchObject([{ kind: 'limit-unseen', headers: 'absent', perMinute: 60 }]);
  }
  expect(run({}).notes).toMatchObject([
    { kind: 'limit-unseen', perMinute: null },
    ...[16, 8, 4, 2].map((perSecond) => ({ kind: 'slowed-down', perSecond })),
  ]);
  const free = simulate({ ...worldOf(fixed(1e6, MINUTE, 0), steady, 900), headers: () => [] });
  expect(free.tookMs).toBeLessThan(10_000);
});

const resets: Readonly<Record<string, (decision: LimiterResult, serverNow: number) => string>> = {
  'in milliseconds': (decision) => `${decision.resetAt}`,
  'as seconds from now': (decision, serverNow) => `${Math.ceil((decision.resetAt - serverNow) / 1000)}`,
  'as a date': (decision) => new Date(decision.resetAt + 1_000).toUTCString(),
};

test.each(Object.entries(resets))('Reset %s -> understood', (_form, write) => {
  const headers = (decision: LimiterResult, lines: readonly Header[], serverNow: number): readonly Header[] =>
    lines.map(([name, value]) => [name, name === 'X-RateLimit-Reset' ? write(decision, serverNow) : value]);
  const result = simulate({ ...worldOf(fixed(60, MINUTE, 0), steady, 180), headers });
  expect(result).toMatchObject({ unexpected429s: 0, endReason: null });
  expect(result.tookMs).toBeLessThan(3 * MINUTE);
});

const now = 1_790_000_000_000;
/** Makes the headers of a window that ends in `seconds`. */
const headersWith =
  (limit: number, seconds = 60) =>
  (remaining: number): readonly Header[] => [
    ['X-RateLimit-Limit', `${limit}`],
    ['X-RateLimit-Remaining', `${remaining}`],
    ['X-RateLimit-Reset', `${now / 1000 + seconds}`],
    ['Date', new Date(now).toUTCString()],
  ];

test('no key, Remaining 0 is not enforced and Reset is always now -> no waits', () => {
  const unlimited: Limiter = (now) => ({ served: true, limit: 60, remaining: 0, resetAt: now });
  const result = simulate({ ...worldOf(unlimited, steady, 200), pacerOptions: { slot: 'anonymous' } });
  expect(result.servedAt).toHaveLength(200);
  expect(result.tookMs).toBeLessThan(12_000);
});

test('no Date and a skewed clock -> waits, but no 429', () => {
  for (const skewMs of [-600_000, 0, 600_000]) {
    const result = simulate({
      ...worldOf(fixed(60, MINUTE, 7_000), { ...steady, hasDate: false, skewMs }, 150),
    });
    expect(result.servedAt.length, `${skewMs}`).toBe(150);
    expect(result.unexpected429s, `${skewMs}`).toBe(0);
  }
});

test('estimate: windows of a minute -> the time of the waits', () => {
  const pacer = createPacer(pacerOptions);
  expect(pacer.estimate(900, now)).toEqual({ ms: 0, basis: { kind: 'none' } });
  pacer.responded(pacer.sent(now, anyKind), 200, readRateLimit(headersWith(60)(59), now), now);
  expect(pacer.estimate(59, now).ms).toBe(0);
  expect(pacer.estimate(179, now).ms).toBeGreaterThanOrEqual(120_000 - 1);
  expect(pacer.estimate(179, now).basis).toEqual({ kind: 'window', limit: 60, left: 59, per: 'minute' });
});

test.each([
  ['begin with a request', 'each window begins later than the previous one', 60, 60_000 + 2 * 61_800],
  ['follow the clock', 'each window takes a minute', 30, 31_050 + 2 * 60_000],
])('estimate: windows that %s -> %s', (_windows, _result, seconds, ms) => {
  const pacer = createPacer(pacerOptions);
  pacer.responded(pacer.sent(now, anyKind), 200, readRateLimit(headersWith(60, seconds)(58), now), now);
  expect(pacer.estimate(58 + 121, now).ms).toBe(ms);
});

test('shared key, another counter with a limit below the reserve of the key -> no wait', () => {
  const pacer = createPacer({ ...pacerOptions, sharedKey: true });
  const respond = (limit: number, remaining: number): void =>
    pacer.responded(pacer.sent(now, anyKind), 200, readRateLimit(headersWith(limit)(remaining), now), now);
  respond(10_000, 9_900);
  respond(100_000, 99_000);
  expect(pacer.ask(now)).toEqual({ kind: 'go' });
  respond(10_000, 900);
  expect(pacer.ask(now).kind).toBe('wait');
});
