import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  alternating,
  bucket,
  chargingDouble,
  fixed,
  type Limiter,
  sliding,
  weighted,
  withHidden,
} from './limiters-testing.ts';
import { conditions, MINUTE, simulate, steady, worldOf } from './pacer-testing.ts';

const hidden: Readonly<Record<string, (phase: number) => Limiter>> = {
  'a fixed window': (phase) => fixed(60, MINUTE, phase),
  'a sliding window': () => sliding(60, MINUTE, 'next'),
  'a token bucket': () => bucket(60, MINUTE, 'all'),
  'a weighted window': (phase) => weighted(60, MINUTE, phase),
};

test.each(Object.entries(hidden))(
  'headers show the day, the minute is %s -> no 429, with or without --plan',
  (_kind, make) => {
    fc.assert(
      fc.property(conditions, fc.constantFrom('free' as const, null), (condition, plan) => {
        const limiter = withHidden(make(condition.phase), fixed(1_000, 86_400_000, 0));
        const result = simulate({ ...worldOf(limiter, condition, 240), pacerOptions: { plan } });
        expect(result.unexpected429s).toBe(0);
        const slack = (240 / condition.concurrency) * 800;
        if (result.endReason === null) expect(result.tookMs).toBeLessThan((4 * MINUTE) / 0.9 + slack);
      }),
    );
  },
);

test('headers show the day, requests are charged as two -> no 429 in the minute', () => {
  fc.assert(
    fc.property(conditions, (condition) => {
      const twice = (limit: number, windowMs: number) =>
        chargingDouble(limit, windowMs, condition.phase, () => true);
      const limiter = withHidden(twice(60, MINUTE), twice(1_000, 86_400_000));
      const result = simulate({ ...worldOf(limiter, condition, 120), pacerOptions: { plan: 'free' } });
      expect(result.unexpected429s).toBe(0);
    }),
  );
});

test('headers show minute and day by turns -> no 429, with or without --plan', () => {
  fc.assert(
    fc.property(
      conditions,
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom('free' as const, null),
      (condition, count, plan) => {
        const limiter = alternating(fixed(60, MINUTE, condition.phase), fixed(1_000, 86_400_000, 0), count);
        const result = simulate({ ...worldOf(limiter, condition, 240), pacerOptions: { plan } });
        expect(result.unexpected429s).toBe(0);
      },
    ),
  );
});

test('day that refills evenly -> not mistaken for a minute', () => {
  const limiter = withHidden(fixed(60, MINUTE, 0), bucket(1_000, 86_400_000, 'next'));
  for (const plan of ['free' as const, null]) {
    const result = simulate({ ...worldOf(limiter, steady, 240), pacerOptions: { plan } });
    expect(result).toMatchObject({ unexpected429s: 0, endReason: null });
  }
});

test('1,000 a minute (Business) -> not mistaken for the day of Free', () => {
  const result = simulate(worldOf(fixed(1_000, MINUTE, 1_234), steady, 2_000));
  expect(result).toMatchObject({ unexpected429s: 0, endReason: null });
  expect(result.tookMs).toBeLessThan(130_000);
});

test('Date of the start of the connection -> the minute is not mistaken for a day', () => {
  const connections = 4_000;
  const world = worldOf(sliding(1_000, MINUTE, 'all'), { ...steady, skewMs: 0 }, 900);
  const result = simulate({
    ...world,
    headers: (decision, lines) => {
      const now = decision.resetAt - MINUTE;
      const begun = new Date(now - (now % connections)).toUTCString();
      return lines.map((line) => (line[0] === 'Date' ? ['Date', begun] : line));
    },
  });
  expect(result).toMatchObject({ unexpected429s: 0, endReason: null });
  expect(result.tookMs).toBeLessThan(MINUTE);
});

test('Reset in milliseconds from now -> the minute is not mistaken for a day', () => {
  const result = simulate({
    ...worldOf(fixed(1_000, MINUTE, 0), { ...steady, skewMs: 0 }, 900),
    headers: ({ resetAt }, lines, serverNow) =>
      lines.map((line) =>
        line[0] === 'X-RateLimit-Reset' ? [line[0], `${serverNow / 1000 + resetAt - serverNow}`] : line,
      ),
  });
  expect(result).toMatchObject({ unexpected429s: 0, endReason: null });
  expect(result.tookMs).toBeLessThan(MINUTE);
});
