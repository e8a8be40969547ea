import { refillSeconds } from '../document/plans.ts';
import { type Reading, serverTime } from '../oracle/reading.ts';
import { retryWait } from '../oracle/retry-wait.ts';

/** The rate limit headers of an answer, in whole numbers and seconds. */
export interface LimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds since the Unix epoch, by the server. */
  readonly reset: number;
  /** Seconds from the server's own `Date` to the reset; null without a `Date`. */
  readonly untilReset: number | null;
}

/** A header as a whole number; null: it is absent, none, or larger than a double tells from the next. */
export const wholeHeader = (reading: Reading, name: string): number | null => {
  const text = reading.header(name).join(', ');
  const value = /^\d+$/.test(text) ? Number(text) : null;
  return Number.isSafeInteger(value) ? value : null;
};

/** Null: a header is absent or malformed. */
export const limitState = (reading: Reading): LimitState | null => {
  const limit = wholeHeader(reading, 'x-ratelimit-limit');
  const remaining = wholeHeader(reading, 'x-ratelimit-remaining');
  const reset = wholeHeader(reading, 'x-ratelimit-reset');
  const now = serverTime(reading);
  if (limit === null || remaining === null || reset === null) return null;
  return { limit, remaining, reset, untilReset: now === null ? null : reset - now / 1000 };
};

/** Seconds ahead beyond which a reset is not that of a minute. Times have whole seconds, rounded either way. */
export const beyondAMinute = 62;
const longWaitSeconds = 120;
/** A wait this long speaks of the day's limit, which the headers need not show: the document does not say which they show. */
export const speaksOfTheDay = (reading: Reading): boolean =>
  (retryWait(reading)?.seconds ?? 0) > longWaitSeconds;

/** How many requests a bucket has refilled at most, so many seconds after it said this. */
export const refilledAfter = ({ limit, untilReset }: LimitState, seconds: number): number =>
  (limit * seconds) / refillSeconds(limit, untilReset);

/** Seconds by which a bucket that refills evenly hardly moves its reset in a few requests. */
const farther = 10;

/** A count of what was used falls where a window is renewed, which is no fall of what remains. */
export const mayHaveRenewed = (before: LimitState, after: LimitState): boolean => {
  const moved = after.reset - before.reset;
  if (before.untilReset === null || after.untilReset === null) return moved > farther;
  return moved > 0 && after.reset - after.untilReset >= before.reset;
};
