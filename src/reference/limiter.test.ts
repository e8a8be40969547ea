import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fixedWindow, type LimiterFactory, slidingWindow, tokenBucket } from './limiter.ts';

const kinds: readonly (readonly [string, LimiterFactory])[] = [
  ['fixed window', fixedWindow],
  ['sliding window', slidingWindow],
  ['token bucket', tokenBucket],
];

const start = Date.parse('2026-03-01T12:00:20Z');
const windows = fc.record({
  limit: fc.integer({ min: 1, max: 20 }),
  seconds: fc.integer({ min: 1, max: 90 }),
});
const waits = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 80 });

describe.each(kinds)('a %s', (_name, factory) => {
  test('shows a remaining count within the limit, and times that lie at or after now', () => {
    fc.assert(
      fc.property(windows, waits, (window, pauses) => {
        const limiter = factory(window);
        let now = start;
        for (const pause of pauses) {
          now += pause;
          const standing = limiter.standing(now);
          expect(standing.remaining).toBeGreaterThanOrEqual(0);
          expect(standing.remaining).toBeLessThanOrEqual(window.limit);
          expect(standing.resetAt).toBeGreaterThanOrEqual(now);
          expect(standing.resetAt).toBeLessThanOrEqual(now + window.seconds * 1000 + 0.001);
          expect(standing.servedAt === now).toBe(standing.remaining > 0);
          if (standing.remaining > 0) limiter.spend(now);
        }
      }),
    );
  });

  test('serves as many as the limit at once, and no more', () => {
    fc.assert(
      fc.property(windows, (window) => {
        const limiter = factory(window);
        const served = Array.from({ length: window.limit + 5 }, () => {
          const { remaining } = limiter.standing(start);
          if (remaining > 0) limiter.spend(start);
          return remaining;
        });
        const falling = Array.from({ length: window.limit + 5 }, (_, n) => Math.max(0, window.limit - n));
        expect(served).toEqual(falling);
      }),
    );
  });

  test('serves at the time that an exhausted standing names, and not a millisecond before', () => {
    fc.assert(
      fc.property(windows, fc.integer({ min: 0, max: 100_000 }), (window, offset) => {
        const limiter = factory(window);
        const now = start + offset;
        for (let left = window.limit; left > 0; left -= 1) limiter.spend(now);
        const { servedAt, resetAt } = limiter.standing(now);
        expect(servedAt).toBeLessThanOrEqual(resetAt);
        if (servedAt - 1 > now) expect(limiter.standing(servedAt - 1).remaining).toBe(0);
        expect(limiter.standing(servedAt).remaining).toBeGreaterThan(0);
      }),
    );
  });
});

test('a fixed window forgets everything at its end: minutes end on the minute', () => {
  const limiter = fixedWindow({ limit: 2, seconds: 60 });
  limiter.spend(start);
  limiter.spend(start);
  expect(limiter.standing(start + 39_999).remaining).toBe(0);
  expect(limiter.standing(start + 40_000).remaining).toBe(2);
});

test('a sliding window gives back each request when that one is old enough', () => {
  const limiter = slidingWindow({ limit: 2, seconds: 60 });
  limiter.spend(start);
  limiter.spend(start + 30_000);
  expect(limiter.standing(start + 59_999).remaining).toBe(0);
  expect(limiter.standing(start + 60_000).remaining).toBe(1);
  expect(limiter.standing(start + 90_000).remaining).toBe(2);
});

test('a token bucket refills evenly', () => {
  const limiter = tokenBucket({ limit: 6, seconds: 60 });
  for (let left = 6; left > 0; left -= 1) limiter.spend(start);
  const remainingAfter = (seconds: number) => limiter.standing(start + seconds * 1000).remaining;
  expect([0, 9.9, 10, 25, 60, 600].map(remainingAfter)).toEqual([0, 0, 1, 2, 6, 6]);
});
