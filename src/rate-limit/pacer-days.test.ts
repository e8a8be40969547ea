import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bucket,
  chargingTwo,
  fixed,
  inTurn,
  type Limiter,
  showing,
  sliding,
  weighted,
} from './limiters-testing.ts';
import { conditions, MINUTE, simulate, steady, worldOf } from './pacer-testing.ts';

const hidden: Readonly<Record<string, (phase: number) => Limiter>> = {
  'a fixed window': (phase) => fixed(60, MINUTE, phase),
  'a sliding window': () => sliding(60, MINUTE, 'next'),
  'a token bucket': () => bucket(60, MINUTE, 'all'),
  'windows of which the one before counts in part': (phase) => weighted(60, MINUTE, phase),
};

test.each(Object.entries(hidden))(
  'a minute of %s is kept as well where the headers show the day, with the plan known or not',
  (_kind, make) => {
    fc.assert(
      fc.property(conditions, fc.constantFrom('free' as const, null), (condition, plan) => {
        const limiter = showing(make(condition.phase), fixed(1_000, 86_400_000, 0));
        const seen = simulate({ ...worldOf(limiter, condition, 240), pace: { plan } });
        expect(seen.unasked).toBe(0);
        const slack = (240 / condition.concurrency) * 800;
        if (seen.endedBecause === null) expect(seen.tookMs).toBeLessThan((4 * MINUTE) / 0.9 + slack);
      }),
    );
  },
);

test('requests charged as two count twice in a minute that the headers do not show', () => {
  fc.assert(
    fc.property(conditions, (condition) => {
      const twice = (limit: number, windowMs: number) =>
        chargingTwo(limit, windowMs, condition.phase, () => true);
      const limiter = showing(twice(60, MINUTE), twice(1_000, 86_400_000));
      const seen = simulate({ ...worldOf(limiter, condition, 120), pace: { plan: 'free' } });
      expect(seen.unasked).toBe(0);
    }),
  );
});

test('a minute is kept where the headers show it and the day by turns, with the plan known or not', () => {
  fc.assert(
    fc.property(
      conditions,
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom('free' as const, null),
      (condition, answers, plan) => {
        const limiter = inTurn(fixed(60, MINUTE, condition.phase), fixed(1_000, 86_400_000, 0), answers);
        const seen = simulate({ ...worldOf(limiter, condition, 240), pace: { plan } });
        expect(seen.unasked).toBe(0);
      },
    ),
  );
});

test('a day that refills request by request is not taken for a minute', () => {
  const limiter = showing(fixed(60, MINUTE, 0), bucket(1_000, 86_400_000, 'next'));
  for (const plan of ['free' as const, null]) {
    const seen = simulate({ ...worldOf(limiter, steady, 240), pace: { plan } });
    expect(seen).toMatchObject({ unasked: 0, endedBecause: null });
  }
});

test('a business minute of 1,000 is not taken for a free day', () => {
  const seen = simulate(worldOf(fixed(1_000, MINUTE, 1_234), steady, 2_000));
  expect(seen).toMatchObject({ unasked: 0, endedBecause: null });
  expect(seen.tookMs).toBeLessThan(130_000);
});

test('a Date that was written when the connection began makes no day of a minute', () => {
  const connections = 4_000;
  const world = worldOf(sliding(1_000, MINUTE, 'all'), { ...steady, skewMs: 0 }, 900);
  const seen = simulate({
    ...world,
    headers: (said, lines) => {
      const now = said.resetAt - MINUTE;
      const begun = new Date(now - (now % connections)).toUTCString();
      return lines.map((line) => (line[0] === 'Date' ? ['Date', begun] : line));
    },
  });
  expect(seen).toMatchObject({ unasked: 0, endedBecause: null });
  expect(seen.tookMs).toBeLessThan(MINUTE);
});

test('a Reset in milliseconds to go, which falls, makes no day of a minute', () => {
  const seen = simulate({
    ...worldOf(fixed(1_000, MINUTE, 0), { ...steady, skewMs: 0 }, 900),
    headers: ({ resetAt }, lines, serverNow) =>
      lines.map((line) =>
        line[0] === 'X-RateLimit-Reset' ? [line[0], `${serverNow / 1000 + resetAt - serverNow}`] : line,
      ),
  });
  expect(seen).toMatchObject({ unasked: 0, endedBecause: null });
  expect(seen.tookMs).toBeLessThan(MINUTE);
});

test('a used-up day ends the use of the key and says until when', () => {
  const limiter = showing(fixed(60, MINUTE, 0), fixed(100, 86_400_000, 0));
  const seen = simulate({ ...worldOf(limiter, steady, 240), pace: { plan: 'free' } });
  expect(seen.unasked).toBe(0);
  expect(seen.servedAt).toHaveLength(100);
  expect(seen.endedBecause).toMatchObject({ detail: 'used-up', until: expect.stringMatching(/^2026-/) });
});

test('a free key’s day is counted where the headers show the minute', () => {
  const seen = simulate(worldOf(fixed(60, MINUTE, 0), steady, 1_100));
  expect(seen.servedAt).toHaveLength(1_000);
  expect(seen.endedBecause?.detail).toBe('used-up');
});
