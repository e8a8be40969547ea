import { expect, test } from 'vitest';
import { randomFrom } from '../../util/random.ts';
import { continuesSeries, decideBackoff, mostSeries, type Series } from './backoff.ts';

/** Returns the wait before retry `attempt` (from 0) in a series; made anew for each series. `Retry-After` is 1 s. */
type Strategy = (random: () => number) => (attempt: number) => number;

const retryAfterMs = 1000;

const beyond =
  (wait: (attempt: number, random: () => number) => number): Strategy =>
  (random) =>
  (attempt) =>
    wait(attempt, random);

/** Waits the longer of Retry-After and a wait of its own. */
const longerOf = (wait: (attempt: number, random: () => number) => number): Strategy =>
  beyond((attempt, random) => Math.max(0, wait(attempt, random) - retryAfterMs));

const jitters = {
  none: (wait: number) => wait,
  full: (wait: number, random: () => number) => wait * random(),
  equal: (wait: number, random: () => number) => wait * (0.5 + random() / 2),
  tenth: (wait: number, random: () => number) => wait * (0.9 + random() / 5),
  added: (wait: number, random: () => number) => wait + 100 * random(),
} as const;

const decorrelated =
  (base: number): Strategy =>
  (random) => {
    let last = base;
    return () => {
      last = base + random() * (last * 3 - base);
      return last;
    };
  };

const exponential =
  (base: number, factor: number, cap = 60_000) =>
  (attempt: number) =>
    Math.min(cap, base * factor ** attempt);

const named = (strategies: Readonly<Record<string, Strategy>>) => Object.entries(strategies);

const exponentials = named({
  'doubling from 1 s': beyond(exponential(1000, 2)),
  'doubling from 10 ms': beyond(exponential(10, 2)),
  'doubling from 100 ms, capped at 1 s': beyond(exponential(100, 2, 1000)),
  'by 1.5 from 500 ms': beyond(exponential(500, 1.5)),
  'by 1.3 from 200 ms': beyond(exponential(200, 1.3)),
  'full jitter from 1 s': beyond((n, random) => jitters.full(exponential(1000, 2)(n), random)),
  'full jitter from 100 ms': beyond((n, random) => jitters.full(exponential(100, 2)(n), random)),
  'equal jitter from 500 ms': beyond((n, random) => jitters.equal(exponential(500, 2)(n), random)),
  'a tenth of jitter': beyond((n, random) => jitters.tenth(exponential(300, 2)(n), random)),
  'added jitter': beyond((n, random) => jitters.added(exponential(200, 2)(n), random)),
  'longer of both, from 500 ms': longerOf(exponential(500, 2)),
  'longer of both, full jitter': longerOf((n, random) => jitters.full(exponential(1000, 2)(n), random)),
  'longer of both, capped at 3 s': longerOf(exponential(500, 2, 3000)),
  decorrelated: decorrelated(100),
});

const constants = named({
  'exactly Retry-After': beyond(() => 0),
  'Retry-After and 50 ms': beyond(() => 50),
  'Retry-After and 1 s': beyond(() => 1000),
  'a constant with a tenth of jitter': beyond((_, random) => jitters.tenth(1000, random)),
  'a constant with equal jitter': beyond((_, random) => jitters.equal(1000, random)),
  'random up to 100 ms': beyond((_, random) => 100 * random()),
  'random up to 1 s': beyond((_, random) => 1000 * random()),
  'longer of both, 2 s': longerOf(() => 2000),
});

const linears = named({
  'by 100 ms': beyond((n) => 100 * (n + 1)),
  'by 500 ms': beyond((n) => 500 * (n + 1)),
  'by 1 s': beyond((n) => 1000 * (n + 1)),
  'by 12 ms': beyond((n) => 12 * (n + 1)),
  shrinking: beyond((n) => 1000 / (n + 1)),
});

/** Plays one series. A scheduler adds up to 5 ms to each wait. */
const play = (strategy: Strategy, random: () => number): Series => {
  const next = strategy(random);
  const waits: number[] = [];
  for (let refused = 1; refused === 1 || continuesSeries(waits, refused - 1); refused += 1)
    waits.push(Math.round(next(refused - 1) + 5 * random()));
  return { waits, end: 'served' };
};

const judge = (strategy: Strategy, random: () => number) =>
  decideBackoff(Array.from({ length: mostSeries }, () => play(strategy, random))).verdict;

const shareOf = (strategy: Strategy, verdict: string, judgements: number): number => {
  const random = randomFrom(7);
  let count = 0;
  for (let left = judgements; left > 0; left -= 1) count += Number(judge(strategy, random) === verdict);
  return count / judgements;
};

test.each(exponentials)('decideBackoff: exponential, %s -> accused in at most 1 of 10,000', (_, strategy) => {
  expect(shareOf(strategy, 'failed', 10_000)).toBeLessThanOrEqual(1 / 10_000);
});

test.each(constants)('decideBackoff: constant or random, %s -> passes in less than 1 %%', (_, strategy) => {
  expect(shareOf(strategy, 'passed', 4_000)).toBeLessThan(0.01);
});

test.each(linears)('decideBackoff: %s -> never passes, and is accused', (_, strategy) => {
  expect(shareOf(strategy, 'passed', 2_000)).toBe(0);
  expect(shareOf(strategy, 'failed', 2_000)).toBeGreaterThan(0.9);
});

test('decideBackoff: exponential strategies drawn at random -> accused in at most 1 of 10,000', () => {
  const random = randomFrom(Number(process.env.TEST_SEED ?? 11));
  let accused = 0;
  for (let left = 20_000; left > 0; left -= 1) {
    const base = 50 * 40 ** random();
    const factor = 1.45 + 2 * random();
    const jitter = Object.values(jitters)[Math.floor(random() * 5)] ?? jitters.none;
    // A wait that is never longer than Retry-After looks like no backoff.
    const form = random() < 0.5 || base * factor ** 9 < 4 * retryAfterMs ? beyond : longerOf;
    const wait = exponential(base, factor, Math.max(8 * base, 8 * retryAfterMs));
    const strategy = form((n, next) => jitter(wait(n), next));
    accused += Number(judge(strategy, random) === 'failed');
  }
  expect(accused / 20_000).toBeLessThanOrEqual(1 / 10_000);
});

test('decideBackoff: three waits, then silence -> passed, because the client gave up', () => {
  expect(decideBackoff([{ waits: [0, 0, 0], end: 'gave up' }])).toEqual({ verdict: 'passed' });
  expect(decideBackoff([{ waits: [], end: 'gave up' }])).toEqual({ verdict: 'undecided', needs: 'retries' });
});

test('decideBackoff: waits that the end of the test cuts off -> undecided', () => {
  const cut = { waits: [900, 900, 900, 900, 900], end: 'cut off' } as const;
  expect(decideBackoff([cut, cut, cut])).toEqual({ verdict: 'undecided', needs: 'time' });
});
