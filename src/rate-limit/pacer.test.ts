import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Header } from '../http/exchange.ts';
import { bucket, chargingTwo, fixed, type Limiter, type Said, sliding } from './limiters-testing.ts';
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

/** A window that ends before its answers show a pattern, with seven requests under way. */
const secondsBeforeRenewal: [Conditions, number][] = [16_016, 39_956, 59_996].map((phase) => [
  { skewMs: 0, concurrency: 1, latencies: [149, 73], rounding: Math.floor, dated: true, phase },
  7,
]);

test.each([1, 2, 3])('requests are charged as two, one in %i, and none meets a 429 for it', (every) => {
  fc.assert(
    fc.property(conditions, fc.integer({ min: 1, max: 8 }), (condition, concurrency) => {
      let count = 0;
      const isTwo = (): boolean => {
        count += 1;
        return count % every === 0;
      };
      const limiter = chargingTwo(60, MINUTE, condition.phase, isTwo);
      const seen = simulate(worldOf(limiter, { ...condition, concurrency }, 150));
      expect(seen.unasked).toBe(0);
      expect(seen.servedAt).toHaveLength(150);
    }),
    { numRuns: 60, examples: secondsBeforeRenewal },
  );
});

describe.each(Object.entries(kinds))('%s', (_kind, make) => {
  test('is never overrun, and nearly all of it is used', () => {
    fc.assert(
      fc.property(conditions, fc.constantFrom(10, 60, 300), (condition, limit) => {
        const seen = simulate(worldOf(make(limit, condition.phase), condition, 4 * limit));
        expect(seen.unasked).toBe(0);
        expect(seen.servedAt).toHaveLength(4 * limit);
        const perRound = limit / Math.min(condition.concurrency, limit);
        const slack = 4 * (perRound * 800 + 3_000);
        expect(seen.tookMs).toBeLessThan(4 * MINUTE * 1.1 + slack);
      }),
      { numRuns: 60 },
    );
  });

  test('is never overrun with a neighbour who spends half of it', () => {
    fc.assert(
      fc.property(conditions, (condition) => {
        const world = worldOf(make(60, condition.phase), condition, 150);
        const seen = simulate({ ...world, neighbourMs: 2_000 });
        expect(seen.unasked).toBe(0);
        expect(seen.servedAt).toHaveLength(150);
      }),
      { numRuns: 60 },
    );
  });
});

/** What is agreed one by one: windows of seconds, and buckets that hold less than the limit. */
const agreed: Readonly<Record<string, (limit: number, windowMs: number, phase: number) => Limiter>> = {
  'a fixed window': fixed,
  'a sliding window': (limit, windowMs) => sliding(limit, windowMs, 'next'),
  'a token bucket': (limit, windowMs) => bucket(limit, windowMs, 'all'),
  'a token bucket that holds a few': (limit, windowMs, phase) =>
    bucket(limit, windowMs, 'all', Math.min(limit, 5 + (phase % 30))),
};

test.each(Object.entries(agreed))('%s that is agreed individually is not overrun', (_, make) => {
  fc.assert(
    fc.property(
      conditions,
      fc.constantFrom(20, 77, 600),
      fc.constantFrom(1_000, 5_000, 10_000),
      (condition, limit, windowMs) => {
        const limiter = make(limit, windowMs, condition.phase);
        expect(simulate(worldOf(limiter, condition, 400)).unasked).toBe(0);
      },
    ),
    { numRuns: 100 },
  );
});

test('at least 90 % of each fixed window is used', () => {
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

test('without headers it keeps to the plan, or to the fallback, or to nothing, and says so', () => {
  const run = (pace: Partial<PacerOptions>) => {
    const notes: string[] = [];
    const world = worldOf(sliding(60, MINUTE, 'next'), steady, 180);
    const seen = simulate({
      ...world,
      headers: () => [],
      pace: { ...pace, note: (text) => notes.push(text) },
    });
    return { ...seen, notes };
  };
  for (const pace of [{ plan: 'free' as const }, { fallback: { perMinute: 60, perDay: null } }]) {
    const seen = run(pace);
    expect(seen.unasked).toBe(0);
    expect(seen.notes).toEqual([expect.stringContaining('at most 60 requests a minute')]);
  }
  const told = ['at full speed', 'to 16 requests', 'to 8 requests', 'to 4 requests', 'to 2 requests'];
  expect(run({}).notes).toEqual(told.map((text) => expect.stringContaining(text)));
  const free = simulate({ ...worldOf(fixed(1e6, MINUTE, 0), steady, 900), headers: () => [] });
  expect(free.tookMs).toBeLessThan(10_000);
});

const resets: Readonly<Record<string, (said: Said, serverNow: number) => string>> = {
  'in milliseconds': (said) => `${said.resetAt}`,
  'as seconds to go': (said, serverNow) => `${Math.ceil((said.resetAt - serverNow) / 1000)}`,
  'as a date': (said) => new Date(said.resetAt + 1_000).toUTCString(),
};

test.each(Object.entries(resets))('reset %s is understood', (_form, write) => {
  const headers = (said: Said, lines: readonly Header[], serverNow: number): readonly Header[] =>
    lines.map(([name, value]) => [name, name === 'X-RateLimit-Reset' ? write(said, serverNow) : value]);
  const seen = simulate({ ...worldOf(fixed(60, MINUTE, 0), steady, 180), headers });
  expect(seen).toMatchObject({ unasked: 0, endedBecause: null });
  expect(seen.tookMs).toBeLessThan(3 * MINUTE);
});

const now = 1_790_000_000_000;
/** The headers of a window that ends in a minute, or in so many seconds. */
const telling =
  (limit: number, seconds = 60) =>
  (remaining: number): readonly Header[] => [
    ['X-RateLimit-Limit', `${limit}`],
    ['X-RateLimit-Remaining', `${remaining}`],
    ['X-RateLimit-Reset', `${now / 1000 + seconds}`],
    ['Date', new Date(now).toUTCString()],
  ];

test('a Remaining that counts requests made holds nothing up, without the key either', () => {
  const counting = telling(1_000);
  const pace = createPacer(pacerOptions);
  for (const made of [1, 2, 3, 4, 5]) pace.answered(pace.sent(now, anyKind), 200, counting(made), now);
  pace.answeredWithoutKey(pace.sentWithoutKey(now), counting(1), now);
  expect(pace.ask(now).kind).toBe('go');
});

test('what is left of one counter holds while answers tell of another with the same limit', () => {
  const left = telling(60);
  const pace = createPacer(pacerOptions);
  for (const remaining of [3, 58, 57, 56]) pace.answered(pace.sent(now, anyKind), 200, left(remaining), now);
  expect(pace.ask(now).kind).toBe('wait');
  expect(pace.ask(now + 63_000).kind).toBe('go');
});

test('requests without a key are not held up by a Remaining of 0 that nobody enforces', () => {
  const unlimited: Limiter = (now) => ({ served: true, limit: 60, remaining: 0, resetAt: now + MINUTE });
  const seen = simulate({ ...worldOf(unlimited, steady, 200), pace: { slot: 'anonymous' } });
  expect(seen.servedAt).toHaveLength(200);
  expect(seen.tookMs).toBeLessThan(10_000);
});

test('nor by one whose Reset is always now', () => {
  const unlimited: Limiter = (now) => ({ served: true, limit: 60, remaining: 0, resetAt: now });
  const seen = simulate({ ...worldOf(unlimited, steady, 200), pace: { slot: 'anonymous' } });
  expect(seen.servedAt).toHaveLength(200);
  expect(seen.tookMs).toBeLessThan(12_000);
});

test('a counter that stands at 0 is believed for two windows, then the figure of the plan is kept to', () => {
  const unlimited: Limiter = (now) => ({ served: true, limit: 60, remaining: 0, resetAt: now + MINUTE });
  const seen = simulate(worldOf(unlimited, steady, 200));
  expect(seen.servedAt).toHaveLength(200);
  expect(seen.tookMs).toBeLessThan(5.6 * MINUTE);
});

test('without Date headers a skewed clock costs waiting, not 429s', () => {
  for (const skewMs of [-600_000, 0, 600_000]) {
    const seen = simulate({ ...worldOf(fixed(60, MINUTE, 7_000), { ...steady, dated: false, skewMs }, 150) });
    expect(seen.servedAt.length, `${skewMs}`).toBe(150);
    expect(seen.unasked, `${skewMs}`).toBe(0);
  }
});

test('the estimate counts windows', () => {
  const pace = createPacer(pacerOptions);
  expect(pace.estimate(900, now)).toEqual({ ms: 0, note: 'no rate limit detected' });
  pace.answered(pace.sent(now, anyKind), 200, telling(60)(59), now);
  expect(pace.estimate(59, now).ms).toBe(0);
  expect(pace.estimate(179, now).ms).toBeGreaterThanOrEqual(120_000 - 1);
  expect(pace.estimate(179, now).note).toBe('60 requests a minute, 59 of them left in this one');
});

test.each([
  ['begin with a request', 'each window begins later than the one before', 60, 60_000 + 2 * 61_800],
  ['follow the clock', 'each window takes a minute', 30, 31_050 + 2 * 60_000],
])('the estimate: windows that %s -> %s', (_windows, _result, seconds, ms) => {
  const pace = createPacer(pacerOptions);
  pace.answered(pace.sent(now, anyKind), 200, telling(60, seconds)(58), now);
  expect(pace.estimate(58 + 121, now).ms).toBe(ms);
});
