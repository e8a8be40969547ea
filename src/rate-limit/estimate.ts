import type { Estimate } from '../http/pacing-types.ts';
import { evenlyMs } from './own-limits.ts';
import {
  isShared,
  isUnseen,
  ownLimitsOf,
  type PacerState,
  RENEWAL_MARGIN_MS,
  shareOf,
  UNSEEN_PART,
} from './pacer-state.ts';
import { windowMsOf } from './shown-limit.ts';
import { remainingIn, renewsAt } from './window.ts';

/** A limit, as the estimate needs it. Times are in milliseconds. */
type WindowState = ReturnType<typeof windowState>;

/** Reset and Date are rounded to seconds. */
const ROUNDED_MS = 1_500;

/** Tells whether the limit is a bucket that refills evenly. Its Reset is when the used requests are refilled. */
const isBucket = ({ limit, left, windowMs, untilRenewal, margin }: WindowState): boolean =>
  Math.abs(untilRenewal - margin - ((limit - left) * windowMs) / limit) <= ROUNDED_MS;

/**
 * Estimates how long requests wait for the limit. If a window begins with its first request, each wait starts it later, by the margin and
 * the rest of a second. Windows by the clock do not move.
 */
const waitFor = (requests: number, window: WindowState): number => {
  const { perWindow, left, windowMs, untilRenewal, margin, quietPeriod } = window;
  const waits = Math.ceil(Math.max(0, requests - left) / perWindow);
  if (waits === 0) return 0;
  if (quietPeriod !== null) return waits * quietPeriod;
  const period = windowMs + margin + ROUNDED_MS / 2;
  if (isBucket(window)) return waits * period;
  const beganWithRequest = untilRenewal >= 0.95 * windowMs;
  return untilRenewal + (waits - 1) * (beganWithRequest ? period : windowMs);
};

/** How long so many requests of a key take. */
export const estimateTime = (state: PacerState, requests: number, now: number): Estimate => {
  const { ms, basis } = estimateByLimit(state, requests, now);
  return { ms: Math.max(ms, requests * state.interval.intervalMs()), basis };
};

const estimateByLimit = (state: PacerState, requests: number, now: number): Estimate => {
  const { shown, minuteMs, withoutHeaders } = state;
  // A few responses without headers do not prove that there are none, but nothing else is known.
  const unseen = isUnseen(state) || (withoutHeaders > 0 && shown.limit === null);
  const own = ownLimitsOf(state, unseen).find(({ windowMs }) => windowMs === minuteMs);
  if (own !== undefined) {
    const ms = evenlyMs(requests, shareOf(state, own.limit, UNSEEN_PART), own.windowMs);
    return { ms, basis: { kind: 'evenly', limit: own.limit } };
  }
  if (unseen || shown.limit === null) return { ms: 0, basis: { kind: 'none' } };
  const window = windowState(state, shown.limit, now);
  const per = window.windowMs === minuteMs ? 'minute' : 'day';
  // The run ends its use of the key rather than wait so long.
  const isBeyondRun = per === 'day' && window.untilRenewal > state.options.maxWaitMs;
  const basis = { kind: 'window', limit: window.limit, left: window.left, per } as const;
  return isBeyondRun ? { ms: 0, basis: { ...basis, isBeyondRun } } : { ms: waitFor(requests, window), basis };
};

const windowState = (state: PacerState, limit: number, now: number) => {
  const perWindow = shareOf(state, limit);
  const windowMs = windowMsOf(state.shown);
  return {
    limit,
    /** Requests per window for this run. */
    perWindow,
    /** Requests left in the current window. */
    left: Math.max(0, remainingIn(state.window) ?? perWindow),
    windowMs,
    /** Time until the latest Reset, with `margin`. */
    untilRenewal: Math.max(0, Math.min(windowMs, renewsAt(state.window) - now)),
    margin: RENEWAL_MARGIN_MS,
    /** Shared key: time without requests after which some are certainly allowed; null: wait for Reset. */
    quietPeriod: isShared(state) ? state.sharedWindow.quietPeriod(windowMs) : null,
  };
};
