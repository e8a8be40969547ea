import type { ParsedResponse } from '../http/parsed-response.ts';
import { refillSeconds } from '../openapi/plans.ts';
import { rateLimitOf, retryWait } from './headers.ts';

/** The rate limit headers of an answer, in whole numbers and seconds. */
export interface LimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds since the Unix epoch, by the server. */
  readonly reset: number;
  /** Seconds from the server's own `Date` to the reset; null without a `Date`. */
  readonly untilReset: number | null;
}

/** Null: a header is absent or malformed. */
export const limitState = (response: Pick<ParsedResponse, 'exchange'>): LimitState | null => {
  const { limit, remaining, reset, date } = rateLimitOf(response).sent;
  if (limit.exact === null || remaining.exact === null || reset.exact === null) return null;
  const untilReset = date === null ? null : reset.exact - date / 1000;
  return { limit: limit.exact, remaining: remaining.exact, reset: reset.exact, untilReset };
};

/** Seconds ahead beyond which a reset is not that of a minute. Times have whole seconds, rounded either way. */
export const longerThanMinute = 62;
const longWaitSeconds = 120;
/** A wait this long speaks of the day's limit, which the headers need not show: the document does not say which they show. */
export const isDailyLimit = (response: ParsedResponse): boolean =>
  (retryWait(response)?.seconds ?? 0) > longWaitSeconds;

/** How many requests a bucket has refilled at most, so many seconds after it said this. */
export const refillAfter = ({ limit, untilReset }: LimitState, seconds: number): number =>
  (limit * seconds) / refillSeconds(limit, untilReset);

/** Seconds by which a bucket that refills evenly hardly moves its reset in a few requests. */
const resetTolerance = 10;

/** A count of what was used falls where a window is renewed, which is no fall of what remains. */
export const windowMayHaveReset = (before: LimitState, after: LimitState): boolean => {
  const moved = after.reset - before.reset;
  if (before.untilReset === null || after.untilReset === null) return moved > resetTolerance;
  return moved > 0 && after.reset - after.untilReset >= before.reset;
};
