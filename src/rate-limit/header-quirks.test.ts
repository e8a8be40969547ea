import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCountsUp } from './header-quirks.ts';
import type { RateLimit } from './headers.ts';

const headersWith = (remaining: number, resetAt = 60_000): RateLimit => ({
  limit: 100,
  remaining,
  resetAt,
  date: 0,
  retryAfter: null,
});

const alone = { inFlight: 0, sentAt: 0, now: 0 };

/** Returns the Remaining read from each response. `inFlight`: other requests in flight when it arrives. */
const remainingOf = (responses: readonly RateLimit[], inFlight: (index: number) => number = () => 0) => {
  const countsUp = createCountsUp();
  return responses.map((response, index) => {
    const sentAt = 10 * (index - inFlight(index));
    countsUp.observe(response, { inFlight: inFlight(index), sentAt, now: 10 * index + 9 });
    return countsUp.correct(response).remaining;
  });
};

test('Remaining rises by one with each request -> a count of requests made, also in the next window', () => {
  const rising = [
    ...[3, 4, 5, 6, 7, 8].map((each) => headersWith(each)),
    headersWith(1, 120_000),
    headersWith(2, 120_000),
  ];
  expect(remainingOf(rising)).toEqual([3, 4, 5, 94, 93, 92, 99, 98]);
});

test('another limit -> a count of requests made too, unless fewer were made', () => {
  const countsUp = createCountsUp();
  const read = (limit: number, remaining: number) =>
    countsUp.correct({ ...headersWith(remaining), limit }).remaining;
  for (const made of [1, 2, 3, 4]) {
    countsUp.sent();
    countsUp.observe(headersWith(made), alone);
  }
  expect([read(60, 2), read(10_000, 9_999)]).toEqual([58, 9_999]);
  countsUp.observe({ ...headersWith(9_999), limit: 10_000 }, alone);
  countsUp.observe(headersWith(5), alone);
  expect([read(100, 5), read(10_000, 2)]).toEqual([95, 2]);
});

test('limit of no plan and no sign of a longer window -> may be a fast refill', () => {
  const rising = (changes: Partial<RateLimit>) =>
    [1, 2, 3, 4, 5].map((each) => ({ ...headersWith(each), ...changes }));
  expect(remainingOf(rising({ date: null }))).toEqual([1, 2, 3, 4, 5]);
  expect(remainingOf(rising({ date: 59_000 }))).toEqual([1, 2, 3, 4, 5]);
  expect(remainingOf(rising({ date: null, limit: 60 })).slice(3)).toEqual([56, 55]);
});

test('large limit: the rise is slower than a refill, but equals the requests for long -> a count of requests made', () => {
  const rising = Array.from({ length: 45 }, (_, index) => ({ ...headersWith(index + 1), limit: 60_000 }));
  expect(remainingOf(rising).slice(39, 42)).toEqual([40, 59_959, 59_958]);
});

test('long time to Reset -> a slow refill does not explain the rise', () => {
  const rising = (resetAt: number) =>
    [1, 2, 3, 4, 5].map((each) => ({ ...headersWith(each, resetAt), limit: 100_000, date: 0 }));
  expect(remainingOf(rising(86_400_000)).slice(3)).toEqual([99_996, 99_995]);
  expect(remainingOf(rising(60_000)).slice(3)).toEqual([4, 5]);
});

test('responses out of order -> still a count of requests made, until Remaining falls', () => {
  const rising = [1, 2, 3, 4, 7, 5, 6, 8].map((each) => headersWith(each));
  const inFlight = (index: number): number => (index < 4 || index === 7 ? 0 : 2);
  expect(remainingOf(rising, inFlight).slice(3)).toEqual([96, 93, 95, 94, 92]);
  expect(remainingOf([...rising, headersWith(5)], inFlight).at(-1)).toBe(5);
});

test('window begins far above 0 -> not a count of requests made', () => {
  expect(remainingOf([...[1, 2, 3, 4].map((each) => headersWith(each)), headersWith(90, 61_000)])).toEqual([
    1, 2, 3, 96, 90,
  ]);
});

test('counter without a lock: Remaining rises and falls -> not a count of requests made', () => {
  const lost = [99, 98, 95, 94, 99, 95, 96, 97, 98, 99].map((each) => headersWith(each));
  for (const others of [0, 3])
    expect(remainingOf(lost, () => others)).toEqual(lost.map(({ remaining }) => remaining));
});

test('falling Remaining, any concurrency and order -> unchanged', () => {
  const batch = fc.integer({ min: 1, max: 8 }).chain((size) =>
    fc.shuffledSubarray(
      Array.from({ length: size }, (_, index) => index),
      { minLength: size },
    ),
  );
  fc.assert(
    fc.property(fc.array(batch, { maxLength: 12 }), (batches) => {
      const countsUp = createCountsUp();
      let left = 100;
      for (const order of batches) {
        order.forEach((place, index) => {
          const headers = headersWith(left - place);
          countsUp.observe(headers, { inFlight: order.length - index - 1, sentAt: 0, now: 0 });
          expect(countsUp.correct(headers)).toBe(headers);
        });
        left -= order.length;
      }
    }),
  );
});

test('bucket that refills as fast as requests come -> unchanged', () => {
  const pauses = fc.integer({ min: 1, max: 2_500 });
  fc.assert(
    fc.property(
      fc.constantFrom(60, 300, 1_000, 5_000),
      pauses,
      fc.integer({ min: 0, max: 60 }),
      fc.constantFrom('next', 'all'),
      (limit, pause, start, shows) => {
        const countsUp = createCountsUp();
        const refill = (limit * pause) / 60_000;
        let tokens = start;
        for (let now = pause; now <= 60 * pause; now += pause) {
          tokens = Math.min(limit, tokens + refill - 1);
          const wanted = shows === 'all' ? limit - tokens : 1 - (tokens % 1);
          const resetAt = Math.ceil((now + (wanted * 60_000) / limit) / 1_000) * 1_000;
          const headers = { ...headersWith(Math.max(0, Math.floor(tokens)), resetAt), limit, date: now };
          countsUp.observe(headers, { inFlight: 0, sentAt: now - pause, now });
          expect(countsUp.correct(headers)).toBe(headers);
          tokens = Math.max(0, tokens);
        }
      },
    ),
    { numRuns: 300 },
  );
});

/** Responses of a limit that may refill as fast as requests come, at these times. Each shows what it is given. */
const fastLimit = (times: readonly number[], remaining: (index: number) => number) => {
  const countsUp = createCountsUp();
  const headers = (index: number) => ({ ...headersWith(remaining(index), 3_000), limit: 5_000, date: 0 });
  for (const [index, at] of times.entries())
    countsUp.observe(headers(index), { inFlight: 0, sentAt: at, now: at + 2 });
  return { countsUp, isCorrected: countsUp.correct(headers(0)).remaining !== remaining(0) };
};

test('limit that may refill fast -> asks for a pause, over which a count of requests made rises by one, too', () => {
  const quick = [0, 3, 6, 9];
  const { countsUp, isCorrected } = fastLimit(quick, (index) => index + 1);
  const pausedUntil = countsUp.pauseUntil() ?? 0;
  expect([isCorrected, pausedUntil > 50, pausedUntil < 200]).toEqual([false, true, true]);
  const paused = [...quick, pausedUntil];
  const after = fastLimit(paused, (index) => index + 1);
  expect([after.isCorrected, after.countsUp.pauseUntil(), after.countsUp.isProven()]).toEqual([
    true,
    null,
    false,
  ]);
  const many = [...paused, ...Array.from({ length: 40 }, (_, index) => 200 + 3 * index)];
  expect(fastLimit(many, (index) => index + 1).countsUp.isProven()).toBe(true);
  // It refills with time.
  expect(fastLimit(paused, (index) => (index === 4 ? 250 : index + 1)).isCorrected).toBe(false);
});

test('bucket of any rate, quick and slow requests, a coarse clock -> unchanged', () => {
  const gap = fc.oneof(fc.integer({ min: 2, max: 6 }), fc.integer({ min: 2, max: 400 }));
  fc.assert(
    fc.property(
      fc.array(gap, { minLength: 5, maxLength: 50 }),
      fc.double({ min: 0.02, max: 5, noNaN: true }),
      fc.constantFrom(1, 15),
      (gaps, rate, tick) => {
        let at = 0;
        const times = gaps.map((each) => {
          at += each;
          return at;
        });
        const refilled = (time: number) => rate * Math.floor(time / tick) * tick;
        const { countsUp, isCorrected } = fastLimit(times, (index) =>
          Math.floor(refilled(times[index] ?? 0) - index),
        );
        expect([isCorrected, countsUp.isProven()]).toEqual([false, false]);
      },
    ),
    { numRuns: 500 },
  );
});

test.each<[string, readonly RateLimit[]]>([
  ['rise by more than one', [1, 3, 5, 7, 9, 11].map((each) => headersWith(each))],
  [
    'rise while Reset moves, as for a bucket',
    [1, 2, 3, 4, 5].map((each) => headersWith(each, 60_000 + each)),
  ],
])('%s -> unchanged', (_, responses) => {
  expect(remainingOf(responses)).toEqual(responses.map(({ remaining }) => remaining));
});

test('two windows that begin as if one request remained -> more requests may show a count of requests made', () => {
  const beginsLow = (...shown: readonly (readonly [remaining: number, resetAt: number])[]) => {
    const countsUp = createCountsUp();
    for (const [remaining, resetAt] of shown) countsUp.observe(headersWith(remaining, resetAt), alone);
    return countsUp.beginsLow();
  };
  expect(beginsLow([1, 60_000], [1, 120_000])).toBe(true);
  expect(beginsLow([1, 60_000], [2, 60_000])).toBe(false);
  expect(beginsLow([1, 60_000], [90, 120_000])).toBe(false);
  // None remains.
  expect(beginsLow([1, 60_000], [1, 120_000], [0, 120_000])).toBe(false);
});

test('response without Remaining -> unchanged', () => {
  const countsUp = createCountsUp();
  for (const made of [1, 2, 3, 4]) countsUp.observe(headersWith(made), alone);
  const withoutRemaining: RateLimit = { ...headersWith(5), remaining: null };
  countsUp.observe(withoutRemaining, alone);
  expect(countsUp.correct(withoutRemaining)).toBe(withoutRemaining);
});
