import type { PaceSlot } from '../http/pacing-types.ts';
import { type Plan, type PlanLimit, planLimits, planShowing } from '../openapi/plans.ts';
import type { RateLimit } from './headers.ts';

export const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Reset and Date are rounded to whole seconds, up or down. */
const ROUNDED_MS = 2_500;

/** The limit that the headers show: per minute or per day. Times are in milliseconds. `plan`: from the settings. */
export const createShownLimit = (slot: PaceSlot, plan: Plan | null, minuteMs: number) => ({
  slot,
  plan,
  minuteMs,
  /** The latest limit; null: none was shown. */
  limit: null as number | null,
  resetAt: null as number | null,
  /** Time from the latest response to its Reset. */
  ahead: 0,
  /** The longest time to a Reset so far. */
  windowSpan: 0,
  /** The possible error of `windowSpan`. */
  tolerance: minuteMs / 2,
});

type ShownLimit = ReturnType<typeof createShownLimit>;

/** `serverNow`: the server's time at the response; null: unknown, use the local time `now`. */
export const observeLimit = (
  shown: ShownLimit,
  { limit, resetAt }: Pick<RateLimit, 'limit' | 'resetAt'>,
  serverNow: number | null,
  now: number,
): void => {
  shown.limit = limit ?? shown.limit;
  shown.resetAt = resetAt;
  if (resetAt === null) return;
  const isSurelyMinute =
    serverNow === null && shown.limit !== null && planShowing(shown.limit, true) === null;
  shown.ahead = resetAt - (serverNow ?? now);
  if (serverNow !== null) shown.tolerance = ROUNDED_MS;
  const span = isSurelyMinute ? Math.min(shown.ahead, shown.minuteMs) : shown.ahead;
  shown.windowSpan = Math.max(shown.windowSpan, span);
};

/** Tells whether the headers show the limit of a day, or of another window longer than a minute. */
export const isDaily = ({ plan, limit, windowSpan, minuteMs, tolerance, resetAt }: ShownLimit): boolean => {
  const isFigureOfDay = plan !== null && limit !== null && limit === planLimits[plan].perDay;
  return isFigureOfDay || windowSpan > minuteMs + tolerance || (resetAt !== null && resetAt % DAY_MS === 0);
};

/** Returns the length of the window that the headers show. */
export const windowMsOf = (shown: ShownLimit): number => (isDaily(shown) ? DAY_MS : shown.minuteMs);

/** Tells whether a window of a minute has just begun. */
export const isWindowFresh = ({ ahead, minuteMs }: ShownLimit): boolean => ahead >= 0.9 * minuteMs;

/**
 * Returns the plan from the settings or, for a key, the plan with the limit shown. 1,000 is the daily limit of Free and the minute limit of
 * Business. The time to Reset decides.
 */
const planOf = (shown: ShownLimit): Plan | null => {
  const { plan, slot, limit } = shown;
  if (plan !== null || slot === 'anonymous' || limit === null) return plan;
  return planShowing(limit, isDaily(shown));
};

/** A limit that pacing counts itself, because the headers do not show it. */
export interface OwnLimit {
  readonly limit: number;
  readonly windowMs: number;
}

/** Returns the limits that the headers do not show. `isUnseen`: there are no usable headers. `fallback`: limits without a plan. */
export const ownLimits = (
  shown: ShownLimit,
  fallback: PlanLimit | null,
  isUnseen: boolean,
): readonly OwnLimit[] => {
  const plan = planOf(shown);
  const allowed = plan === null ? null : planLimits[plan];
  // The daily limit of a deduced plan counts only if the window shown is long enough to be a minute.
  const hasDay = !isDaily(shown) && (shown.plan !== null || shown.windowSpan > shown.minuteMs / 2);
  const perMinute = isUnseen || isDaily(shown) ? (allowed?.perMinute ?? fallback?.perMinute ?? null) : null;
  const perDay = hasDay ? (allowed?.perDay ?? null) : null;
  const limits = [
    { limit: perMinute, windowMs: shown.minuteMs },
    { limit: perDay, windowMs: DAY_MS },
  ];
  return limits.filter((each): each is OwnLimit => each.limit !== null);
};
