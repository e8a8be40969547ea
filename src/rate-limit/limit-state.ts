import type { ParsedResponse } from '../http/parsed-response.ts';
import { refillSeconds } from '../openapi/plans.ts';
import { rateLimitOf } from './headers.ts';

/** The rate limit headers of a response, in whole numbers and seconds. */
export interface LimitState {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds since the Unix epoch, by the server's clock. */
  readonly reset: number;
  /** Seconds from `Date` to the reset; null: no `Date`. */
  readonly untilReset: number | null;
}

/** Returns null if a header is absent or malformed. */
export const limitState = (response: Pick<ParsedResponse, 'exchange'>): LimitState | null => {
  const { limit, remaining, reset, date } = rateLimitOf(response).sent;
  if (limit.exact === null || remaining.exact === null || reset.exact === null) return null;
  const untilReset = date === null ? null : reset.exact - date / 1000;
  return { limit: limit.exact, remaining: remaining.exact, reset: reset.exact, untilReset };
};

/** A reset further ahead than this is not the end of a minute. Includes rounding to whole seconds. */
export const longerThanMinute = 62;
/** Returns the most requests that a bucket has refilled `seconds` after this response. */
export const refillAfter = ({ limit, untilReset }: LimitState, seconds: number): number =>
  (limit * seconds) / refillSeconds(limit, untilReset);

/** A few requests move the reset of a bucket by fewer seconds than this. */
const resetTolerance = 10;

/** Tells whether a new window may have begun, so that a fall of Remaining may be the fall of a count of used requests. */
export const windowMayHaveReset = (before: LimitState, after: LimitState): boolean => {
  const moved = after.reset - before.reset;
  if (before.untilReset === null || after.untilReset === null) return moved > resetTolerance;
  return moved > 0 && after.reset - after.untilReset >= before.reset;
};
