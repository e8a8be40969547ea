import type { Plan, PlanLimit } from '../document/plans.ts';
import { planLimits, planShowing } from '../document/plans.ts';
import type { PaceSlot } from './client-types.ts';
import type { RateHeaders } from './rate-headers.ts';

/** A limit that we count ourselves, because the headers do not show it. */
export interface OwnCount {
  readonly limit: number;
  readonly windowMs: number;
}

/** When a request was sent, and its answer came, by our clock. */
interface Times {
  readonly sentAt: number;
  readonly now: number;
}

/** What the headers seen so far say of which limit they show, and which remain for us to count. */
export interface LimitReading {
  /** `serverNow`: the server's time at the answer; null: it never told, and ours has to do. */
  heard(headers: RateHeaders, serverNow: number | null, times: Times): void;
  /** The headers without a Reset that has shown to be no time at which a limit resets. */
  believed(headers: RateHeaders): RateHeaders;
  /** The figure shown last; null: none. */
  limit(): number | null;
  /** The headers show the limit of a day, or of another window longer than a minute. */
  daily(): boolean;
  /** Milliseconds of the window shown, as far as it is known. */
  windowMs(): number;
  /** Reset lies as far ahead as it can in a window of a minute. */
  showsFreshWindow(): boolean;
  /** `blind`: the headers say nothing that can be relied upon. */
  ownCounts(blind: boolean): readonly OwnCount[];
}

export const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Reset and Date have whole seconds, and are rounded either way. */
const ROUNDED_MS = 2_500;
/**
 * The time at which a limit resets may come nearer once, where nothing is left and the next request is shown; milliseconds to go, taken
 * for seconds, come nearer with each answer.
 */
const FALL_MS = 10_000;
const FALLS_IN_A_ROW = 3;

/**
 * 1,000 is a Free key's day and a Business key's minute: the distance to Reset tells which. A plan is deduced from the figure shown only
 * for requests with a key; its day is counted only where the window seen is long enough to be a minute.
 */
export const createLimitReading = (options: {
  readonly slot: PaceSlot;
  readonly plan: Plan | null;
  readonly fallback: PlanLimit | null;
  readonly minuteMs?: number;
}): LimitReading => {
  const { minuteMs = MINUTE_MS } = options;
  let ahead = 0;
  let limit: number | null = null;
  let resetAt: number | null = null;
  let span = 0;
  let falls = 0;
  let before: { readonly limit: number; readonly resetAt: number; readonly at: number } | null = null;
  let tolerance = minuteMs / 2;

  /** Answers overtake each other: one that was asked for after the other had come tells of a later time. */
  const countFalls = (told: RateHeaders, { sentAt, now }: Times): void => {
    if (isMisleading() || told.limit === null || told.resetAt === null) return;
    if (before !== null && sentAt <= before.at) return;
    if (before?.limit === told.limit) {
      const rise = told.resetAt - before.resetAt;
      if (rise > FALL_MS) falls = 0;
      if (rise < -FALL_MS) falls += 1;
    }
    before = { limit: told.limit, resetAt: told.resetAt, at: now };
  };
  const isMisleading = (): boolean => falls >= FALLS_IN_A_ROW;
  /** More than a minute ahead, as exactly as clocks tell; or the day's figure of a plan that is known. */
  const daily = (): boolean => {
    const known = options.plan === null ? null : planLimits[options.plan];
    if (known !== null && limit === known.perDay && limit !== null) return true;
    return span > minuteMs + tolerance || (resetAt !== null && resetAt % DAY_MS === 0);
  };
  const plan = (): Plan | null => {
    if (options.plan !== null || options.slot === 'anonymous' || limit === null) return options.plan;
    return planShowing(limit, daily());
  };
  const day = (allowed: PlanLimit | null): number | null => {
    const believable = options.plan !== null || span > minuteMs / 2;
    return daily() || !believable ? null : (allowed?.perDay ?? null);
  };

  return {
    heard: (headers, serverNow, times) => {
      countFalls(headers, times);
      limit = headers.limit ?? limit;
      resetAt = headers.resetAt;
      if (isMisleading()) [resetAt, span] = [null, 0];
      if (resetAt === null) return;
      const surelyMinute = serverNow === null && limit !== null && planShowing(limit, true) === null;
      ahead = resetAt - (serverNow ?? times.now);
      if (serverNow !== null) tolerance = ROUNDED_MS;
      span = Math.max(span, surelyMinute ? Math.min(ahead, minuteMs) : ahead);
    },
    believed: (headers) => (isMisleading() ? { ...headers, resetAt: null } : headers),
    limit: () => limit,
    daily,
    windowMs: () => (daily() ? DAY_MS : minuteMs),
    showsFreshWindow: () => ahead >= 0.9 * minuteMs,
    ownCounts: (blind) => {
      const known = plan();
      const allowed = known === null ? null : planLimits[known];
      const perMinute = blind || daily() ? (allowed?.perMinute ?? options.fallback?.perMinute ?? null) : null;
      const counts = [
        { limit: perMinute, windowMs: minuteMs },
        { limit: day(allowed), windowMs: DAY_MS },
      ];
      return counts.filter((count): count is OwnCount => count.limit !== null);
    },
  };
};
