import type { FlatShape } from '../../finding/kinds/requests.ts';

/** A series of 429s that a client got in a row. */
export interface Series {
  /** Milliseconds between the end of `Retry-After` (without the header: the response) and the next request, in order. */
  readonly waits: readonly number[];
  /** How it ended: the client sent nothing more, it was served, or the test ended first. */
  readonly end: 'gave up' | 'served' | 'cut off';
}

export type BackoffDecision =
  | { readonly verdict: 'passed' }
  | { readonly verdict: 'failed'; readonly shape: FlatShape }
  /** `needs`: what may decide. `time`: the test ended in a series. */
  | { readonly verdict: 'undecided'; readonly needs: 'series' | 'time' | 'retries' | 'nothing' };

/** How many series decide at most. */
export const mostSeries = 3;
/** The number of 429s of a series, and the number while fewer than three waits have reached `visibleMs`. */
const seriesLength = { usual: 6, longest: 10 } as const;

/** Shorter waits may be noise. */
const visibleMs = 100;
const enoughVisible = 3;
/** A client that gives up before this wait is right. */
const wantedWaits = 5;
const shortestFirstMs = 20;

/** Growing runs: this many waits in succession, each this much longer than the one before. */
const growth = [
  { waits: 4, factor: 1.8 },
  { waits: 5, factor: 1.45 },
] as const;
const factorSpread = 1.15;

/** Without jitter, waits of two series differ by at most this. */
const sameShare = 0.05;
const sameMs = 30;
/** Equal steps differ by at most this. */
const stepShare = 0.12;
const stepMs = 25;
/** A smaller step is noise. */
const leastStepMs = 5;
const leastStepShare = 0.02;
/** Steps that become this many times longer are no longer equal, however short they are. */
const acceleration = 3;
/** Waits with jitter that do not grow: the longest is at most this many times the shortest, and halves differ by at most this. */
const flatRange = 1.9;
const jitterShare = 0.2;
/** The last waits of series with jitter are this many times longer than the first ones. */
const spreadGrowth = 5;

/** Tells whether the next request of a series gets a 429, too. `refused`: how many did. */
export const continuesSeries = (waits: readonly number[], refused: number): boolean =>
  refused < seriesLength.usual ||
  (refused < seriesLength.longest && waits.filter((wait) => wait >= visibleMs).length < enoughVisible);

const isGrowing = (waits: readonly number[]): boolean =>
  growth.some(({ waits: length, factor }) =>
    waits.some((first, at) => {
      const run = waits.slice(at, at + length);
      if (run.length < length || first < shortestFirstMs || (run.at(-1) ?? 0) < visibleMs) return false;
      const factors = run.slice(1).map((wait, index) => wait / (run[index] ?? wait));
      const least = Math.min(...factors);
      return least >= factor && Math.max(...factors) <= least * factorSpread;
    }),
  );

const isSame = (a: number, b: number): boolean =>
  Math.abs(a - b) <= Math.max(sameMs, sameShare * Math.max(a, b));

const agree = (a: readonly number[], b: readonly number[]): boolean => {
  const length = Math.min(a.length, b.length);
  return length >= wantedWaits && a.slice(0, length).every((wait, at) => isSame(wait, b[at] ?? 0));
};

const pairsOf = <Item>(items: readonly Item[]): readonly (readonly [Item, Item])[] =>
  items.flatMap((a, at) => items.slice(at + 1).map((b) => [a, b] as const));

/** The shape of waits without jitter; null: none that is surely not exponential. */
const steadyShape = (waits: readonly number[]): FlatShape | null => {
  const [least, most] = [Math.min(...waits), Math.max(...waits)];
  if (isSame(least, most)) return 'constant';
  const steps = waits.slice(1).map((wait, at) => wait - (waits[at] ?? 0));
  const isFalling = steps.every((step, at) => step <= 0 || isSame(waits[at] ?? 0, waits[at + 1] ?? 0));
  if (isFalling && (waits.at(-1) ?? 0) < (waits[0] ?? 0)) return 'shrinking';
  const last = steps.slice(-3);
  const smallest = Math.min(...last);
  const largest = Math.max(...last);
  const isRising = smallest >= Math.max(leastStepMs, leastStepShare * (waits.at(-1) ?? 0));
  // The first step may be a part of one: the wait before it may be cut by Retry-After.
  const [, second = largest] = steps.filter((step) => step >= leastStepMs);
  const isEven =
    largest - smallest <= Math.max(stepMs, stepShare * largest) && largest < acceleration * second;
  return isRising && isEven ? 'linear' : null;
};

/** Over all series: the last waits are far above the first ones, whatever the jitter. */
const hasSpread = (series: readonly (readonly number[])[]): boolean => {
  const last = series.flatMap((waits) => waits.slice(-2)).toSorted((a, b) => b - a);
  const first = series.flatMap((waits) => waits.slice(0, 2));
  const secondLongest = last[1] ?? 0;
  return secondLongest >= visibleMs && secondLongest >= spreadGrowth * Math.max(...first);
};

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

const firstHalf = (waits: readonly number[]): readonly number[] =>
  waits.slice(0, Math.floor(waits.length / 2));
const secondHalf = (waits: readonly number[]): readonly number[] =>
  waits.slice(-Math.floor(waits.length / 2));

/** With jitter: over all series, the second halves are hardly longer than the first ones. */
const doNotGrow = (series: readonly (readonly number[])[]): boolean =>
  meanOf(series.flatMap(secondHalf)) <= meanOf(series.flatMap(firstHalf)) * (1 + jitterShare);

/** The shape of waits with jitter. */
const jitteredShape = (series: readonly (readonly number[])[]): FlatShape | null => {
  const all = series.flat();
  const [least, most] = [Math.min(...all), Math.max(...all)];
  if (most < visibleMs) return 'short';
  return doNotGrow(series) && most <= flatRange * least ? 'flat' : null;
};

/** Decides on a single series; null: it shows nothing. */
const decideOne = ({ waits, end }: Series): BackoffDecision | null => {
  const givesUp = end === 'gave up' && waits.length > 0 && waits.length < wantedWaits;
  return givesUp || isGrowing(waits) ? { verdict: 'passed' } : null;
};

/**
 * Decides whether a client backs off exponentially, in the numbers of CLIENT-3. The first series that passes decides. Only three whole
 * series can fail: a client may have a reason for one strange wait.
 */
export const decideBackoff = (series: readonly Series[]): BackoffDecision => {
  const passing = series.map(decideOne).find((decision) => decision !== null);
  if (passing !== undefined) return passing;
  const whole = series
    .filter(({ end, waits }) => end !== 'cut off' && waits.length >= wantedWaits)
    .map(({ waits }) => waits)
    .slice(0, mostSeries);
  if (series.every(({ waits }) => waits.length === 0)) return { verdict: 'undecided', needs: 'retries' };
  if (whole.length < mostSeries)
    return { verdict: 'undecided', needs: series.some(({ end }) => end === 'cut off') ? 'time' : 'series' };
  const steady = pairsOf(whole).filter(([a, b]) => agree(a, b));
  const [shape = null] = steady.flatMap(([a, b]) =>
    steadyShape(a) === steadyShape(b) ? (steadyShape(a) ?? []) : [],
  );
  if (shape !== null) return { verdict: 'failed', shape };
  if (hasSpread(whole)) return { verdict: 'passed' };
  const jittered = steady.length === 0 ? jitteredShape(whole) : null;
  return jittered === null
    ? { verdict: 'undecided', needs: 'nothing' }
    : { verdict: 'failed', shape: jittered };
};
