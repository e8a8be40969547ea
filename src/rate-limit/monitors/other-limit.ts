import type { KeySlot } from '../../http/exchange.ts';
import type { ParsedResponse } from '../../http/parsed-response.ts';
import { type Plan, planFigures } from '../../openapi/plans.ts';
import type { Probe } from '../../oracle/probe.ts';
import { type LimitState, limitState, longerThanMinute } from '../limit-state.ts';

/** A request of the run with a key. Times by the run's clock, in milliseconds. */
interface Request {
  readonly startedAt: number;
  /** Null: the response does not show it. */
  readonly shown: Pick<LimitState, 'limit' | 'remaining'> | null;
}

type Window = 'minute' | 'day';

const both: readonly Window[] = ['minute', 'day'];
/** A minute, with the second by which clocks are rounded. */
const minuteMs = 61_000;

/** The limits of the plan; if they are not known, those of the smallest plan. */
const figuresOf = (plan: Plan | null) => planFigures[plan === null || plan === 'enterprise' ? 'free' : plan];

const isDayFigure = (limit: number): boolean =>
  Object.values(planFigures).some(({ perDay }) => perDay === limit);

/** The windows whose limit a response does not show. */
const hiddenWindows = (shown: LimitState | null, plan: Plan | null): readonly Window[] => {
  if (shown === null) return both;
  if (plan !== null && plan !== 'enterprise') {
    const { perMinute, perDay } = planFigures[plan];
    if (shown.limit === perMinute) return ['day'];
    if (shown.limit === perDay) return ['minute'];
  }
  if ((shown.untilReset ?? 0) > longerThanMinute) return ['minute'];
  // In its last minute, the limit of a day resets as soon as that of a minute.
  return isDayFigure(shown.limit) ? both : ['day'];
};

/**
 * What the run may have used of a limit, with the requests in flight: by their number, or by the fall of Remaining, as a request may be
 * charged as several.
 */
const usedOf = (requests: readonly Request[], shown: LimitState | null, inFlight: number): number => {
  const remaining = requests.flatMap((request) =>
    request.shown !== null && request.shown.limit === shown?.limit ? [request.shown.remaining] : [],
  );
  const fall = shown === null ? 0 : Math.max(0, ...remaining) - shown.remaining;
  const charge = Math.max(1, Math.ceil(fall / Math.max(1, remaining.length)));
  return Math.max(requests.length, fall) + charge * inFlight;
};

/** Whether a plan's other limit, the one that the headers do not show, may explain a 429. */
export interface OtherLimit {
  /** Counts the request of a response. */
  observe(response: ParsedResponse, probe: Probe): void;
  /** `shown`: what the response shows by which the 429 is unexpected. `at`: when the 429 came, by the run's clock. */
  mayExplain(slot: KeySlot, shown: LimitState | null, at: number): boolean;
}

export const createOtherLimit = (
  plans: Readonly<Record<KeySlot, Plan | null>>,
  concurrency: number,
): OtherLimit => {
  const sent = new Map<KeySlot, Request[]>();
  return {
    observe: (response, { request }) => {
      const slot = request.credential.chargedTo;
      if (slot === null) return;
      const requests = sent.get(slot) ?? [];
      sent.set(slot, requests);
      requests.push({ startedAt: response.exchange.startedAt, shown: limitState(response) });
    },
    mayExplain: (slot, shown, at) => {
      const requests = sent.get(slot) ?? [];
      const { perMinute, perDay } = figuresOf(plans[slot]);
      const isRecent = ({ startedAt }: Request): boolean => startedAt > at - minuteMs;
      const mayBeUsedUp: Readonly<Record<Window, () => boolean>> = {
        // If the headers show the day, what an earlier run used of this minute is not known.
        minute: () =>
          (shown !== null && requests.every(isRecent)) ||
          usedOf(requests.filter(isRecent), shown, concurrency) >= perMinute,
        day: () => usedOf(requests, null, concurrency) >= perDay,
      };
      return hiddenWindows(shown, plans[slot]).some((window) => mayBeUsedUp[window]());
    },
  };
};
