import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCountsUp } from './header-quirks.ts';
import type { RateLimit } from './headers.ts';

const said = (remaining: number, resetAt = 60_000): RateLimit => ({
  limit: 100,
  remaining,
  resetAt,
  date: 0,
  retryAfter: null,
});

const alone = { inFlight: 0, sentAt: 0, now: 0 };

/** What is read of answers that come with so many other requests under way. */
const readOf = (answers: readonly RateLimit[], inFlight: (index: number) => number = () => 0) => {
  const sense = createCountsUp();
  return answers.map((answer, index) => {
    sense.observe(answer, { inFlight: inFlight(index), sentAt: 10 * index, now: 10 * index + 9 });
    return sense.correct(answer).remaining;
  });
};

test('what rises by one with each of three requests is what was made, in the next window too', () => {
  const rising = [...[3, 4, 5, 6, 7, 8].map((each) => said(each)), said(1, 120_000), said(2, 120_000)];
  expect(readOf(rising)).toEqual([3, 4, 5, 94, 93, 92, 99, 98]);
});

test('a limit that is no plan’s may refill within a second, where nothing tells of more', () => {
  const rising = (changes: Partial<RateLimit>) =>
    [1, 2, 3, 4, 5].map((each) => ({ ...said(each), ...changes }));
  expect(readOf(rising({ date: null }))).toEqual([1, 2, 3, 4, 5]);
  expect(readOf(rising({ date: 59_000 }))).toEqual([1, 2, 3, 4, 5]);
  expect(readOf(rising({ date: null, limit: 60 })).slice(3)).toEqual([56, 55]);
});

test('what refills until its Reset is slower than what refills in a minute', () => {
  const rising = (resetAt: number) =>
    [1, 2, 3, 4, 5].map((each) => ({ ...said(each, resetAt), limit: 100_000, date: 0 }));
  expect(readOf(rising(86_400_000)).slice(3)).toEqual([99_996, 99_995]);
  expect(readOf(rising(60_000)).slice(3)).toEqual([4, 5]);
});

test('answers that overtake each other do not speak against it, a fall does', () => {
  const rising = [1, 2, 3, 4, 7, 5, 6, 8].map((each) => said(each));
  const inFlight = (index: number): number => (index < 4 || index === 7 ? 0 : 2);
  expect(readOf(rising, inFlight).slice(3)).toEqual([96, 93, 95, 94, 92]);
  expect(readOf([...rising, said(5)], inFlight).at(-1)).toBe(5);
});

test('a window that does not begin near 0 speaks against it', () => {
  expect(readOf([...[1, 2, 3, 4].map((each) => said(each)), said(90, 61_000)])).toEqual([1, 2, 3, 96, 90]);
});

test('what falls is what remains, however many requests are under way and in whatever order they are answered', () => {
  const batch = fc.integer({ min: 1, max: 8 }).chain((size) =>
    fc.shuffledSubarray(
      Array.from({ length: size }, (_, index) => index),
      { minLength: size },
    ),
  );
  fc.assert(
    fc.property(fc.array(batch, { maxLength: 12 }), (batches) => {
      const sense = createCountsUp();
      let left = 100;
      for (const order of batches) {
        order.forEach((place, index) => {
          const headers = said(left - place);
          sense.observe(headers, { inFlight: order.length - index - 1, sentAt: 0, now: 0 });
          expect(sense.correct(headers)).toBe(headers);
        });
        left -= order.length;
      }
    }),
  );
});

test('a bucket that was drained and refills as fast as we ask counts down all the same', () => {
  const pauses = fc.integer({ min: 1, max: 2_500 });
  fc.assert(
    fc.property(
      fc.constantFrom(60, 300, 1_000, 5_000),
      pauses,
      fc.integer({ min: 0, max: 60 }),
      fc.constantFrom('next', 'all'),
      (limit, pause, start, shows) => {
        const sense = createCountsUp();
        const refill = (limit * pause) / 60_000;
        let tokens = start;
        for (let now = pause; now <= 60 * pause; now += pause) {
          tokens = Math.min(limit, tokens + refill - 1);
          const wanted = shows === 'all' ? limit - tokens : 1 - (tokens % 1);
          const resetAt = Math.ceil((now + (wanted * 60_000) / limit) / 1_000) * 1_000;
          const headers = { ...said(Math.max(0, Math.floor(tokens)), resetAt), limit, date: now };
          sense.observe(headers, { inFlight: 0, sentAt: now - pause, now });
          expect(sense.correct(headers)).toBe(headers);
          tokens = Math.max(0, tokens);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test.each<[string, readonly RateLimit[]]>([
  ['by more than one', [1, 3, 5, 7, 9, 11].map((each) => said(each))],
  ['while Reset moves, as that of a bucket does', [1, 2, 3, 4, 5].map((each) => said(each, 60_000 + each))],
])('a rise %s proves nothing', (_, answers) => {
  expect(readOf(answers)).toEqual(answers.map(({ remaining }) => remaining));
});

test('an answer without the header is read as it stands', () => {
  const sense = createCountsUp();
  for (const made of [1, 2, 3, 4]) sense.observe(said(made), alone);
  const silent: RateLimit = { ...said(5), remaining: null };
  sense.observe(silent, alone);
  expect(sense.correct(silent)).toBe(silent);
});
