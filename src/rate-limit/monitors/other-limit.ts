import type { Probe } from '../../finding/probe.ts';
import type { KeySlot } from '../../http/exchange.ts';
import type { ParsedResponse } from '../../http/parsed-response.ts';
import { type Plan, planFigures } from '../../openapi/plans.ts';
import { memoizedByValue } from '../../util/memoize.ts';
import { type LimitState, limitState, longerThanMinute } from '../limit-state.ts';

/** A request of the run with a key. Times are milliseconds by the run's clock. */
interface Request {
  readonly startedAt: number;
  /** Null: the response shows no limit. */
  readonly shown: Pick<LimitState, 'limit' | 'remaining'> | null;
}

type Window = 'minute' | 'day';

const both: readonly Window[] = ['minute', 'day'];
/** A minute, plus one second of rounding. */
const minuteMs = 61_000;

/** Returns the limits of the plan, or of the smallest plan if they are unknown. */
const figuresOf = (plan: Plan | null) => planFigures[plan === null || plan === 'enterprise' ? 'free' : plan];

const isDayFigure = (limit: number): boolean =>
  Object.values(planFigures).some(({ perDay }) => perDay === limit);

/** Returns the windows whose limit a response does not show. */
const hiddenWindows = (shown: LimitState | null, plan: Plan | null): readonly Window[] => {
  if (shown === null) return both;
  if (plan !== null && plan !== 'enterprise') {
    const { perMinute, perDay } = planFigures[plan];
    if (shown.limit === perMinute) return ['day'];
    if (shown.limit === perDay) return ['minute'];
  }
  if ((shown.untilReset ?? 0) > longerThanMinute) return ['minute'];
  // In the last minute of a day, the daily limit resets as soon as the limit of a minute.
  return isDayFigure(shown.limit) ? both : ['day'];
};

/**
 * Returns how much of a limit the run may have used, with requests in flight. Counts the requests or the fall of Remaining, because a
 * request may be charged as several.
 */
const usedOf = (requests: readonly Request[], shown: LimitState | null, inFlight: number): number => {
  const remaining = requests.flatMap((request) =>
    request.shown !== null && request.shown.limit === shown?.limit ? [request.shown.remaining] : [],
  );
  const fall = shown === null ? 0 : Math.max(0, ...remaining) - shown.remaining;
  const charge = Math.max(1, Math.ceil(fall / Math.max(1, remaining.length)));
  return Math.max(requests.length, fall) + charge * inFlight;
};

export type OtherLimit = ReturnType<typeof createOtherLimit>;

/** Tells whether the limit of the plan that the headers do not show may explain a 429. */
export const createOtherLimit = (plans: Readonly<Record<KeySlot, Plan | null>>, concurrency: number) => {
  const sentWith = memoizedByValue((_slot: KeySlot): Request[] => []);
  return {
    /** Counts the request of a response. */
    observe: (response: ParsedResponse, { request }: Probe): void => {
      const slot = request.credential.chargedTo;
      if (slot === null) return;
      sentWith(slot).push({ startedAt: response.exchange.startedAt, shown: limitState(response) });
    },
    /** Counts requests of other processes of this run with the API key. */
    sentByOthers: (startedAt: readonly number[]): void => {
      for (const at of startedAt) sentWith('main').push({ startedAt: at, shown: null });
    },
    /** `shown`: the limit of the response that makes the 429 unexpected. `at`: the time of the 429 by the run's clock. */
    mayExplain: (slot: KeySlot, shown: LimitState | null, at: number): boolean => {
      const requests = sentWith(slot);
      const { perMinute, perDay } = figuresOf(plans[slot]);
      const isRecent = ({ startedAt }: Request): boolean => startedAt > at - minuteMs;
      const mayBeUsedUp: Readonly<Record<Window, () => boolean>> = {
        // If the headers show the day, an earlier run may have used an unknown part of this minute.
        minute: () =>
          (shown !== null && requests.every(isRecent)) ||
          usedOf(requests.filter(isRecent), shown, concurrency) >= perMinute,
        day: () => usedOf(requests, null, concurrency) >= perDay,
      };
      return hiddenWindows(shown, plans[slot]).some((window) => mayBeUsedUp[window]());
    },
  };
};
