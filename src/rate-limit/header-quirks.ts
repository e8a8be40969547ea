import type { PaceSlot } from '../http/pacing-types.ts';
import { refillSeconds } from '../openapi/plans.ts';
import type { RateLimit } from './headers.ts';

export type CountsUp = ReturnType<typeof createCountsUp>;

export interface Arrival {
  /** Other requests with the key in flight when the response arrives. */
  readonly inFlight: number;
  /** Local time in milliseconds. */
  readonly sentAt: number;
  readonly now: number;
}

/** The responses with the same Reset. */
interface ResetGroup {
  /** Remaining of the first response. */
  readonly first: number;
  /** Send time of the first request. */
  readonly since: number;
  readonly responses: number;
  /** Responses to this many concurrent requests may arrive in any order. */
  readonly mostInFlight: number;
  readonly highest: { readonly remaining: number; readonly at: number };
  /** A request sent after a response got a lower Remaining, so this is no count of requests made. */
  readonly fell: boolean;
  /** The last response; null: other requests were in flight when it arrived. */
  readonly last: { readonly remaining: number; readonly sentAt: number; readonly now: number } | null;
  readonly steps: Steps;
}

/** Pairs of responses to one request after the other, of which the second shows one more. */
interface Steps {
  readonly count: number;
  /** The most time that the quickest step took, in milliseconds. */
  readonly quickest: number;
  /** The least time that the slowest step took. */
  readonly slowest: number;
}

/** Remaining must have risen by at least this. */
const PROOF = 3;
/** A rise as large as the number of requests, over this many, is no refill at any speed. */
const CERTAIN = 40;
/** Remaining must have risen this many times faster than a bucket of this limit refills. */
const FASTER = 1.5;
/** A bucket of any rate refills less in a quick step than in one that takes this many times longer. */
const SLOWER = 4;
/** A server's clock may advance this many milliseconds at once. */
const CLOCK_STEP_MS = 16;
const MOST_PAUSES = 2;
/** Few requests may use up a smaller limit. */
const LOW_LIMIT = 20;
/** With this many responses, a few requests in flight no longer explain the rise. */
const MANY = 24;
/** A server that counts by the whole Authorization header shows several Resets at once. */
const GROUPS_AT_ONCE = 8;

/**
 * Detects a common mistake: Remaining is the number of requests made, so that few seem to remain when a window begins. The sign: Remaining
 * rises by one with each request while Reset stays, faster than a bucket refills, for long, or however long a pause is. If it falls, or a
 * window begins with a number higher than the requests made, Remaining has its documented meaning again. A counter without a lock rises
 * and falls: it is not this mistake. Each limit has a meaning of its own. An unknown limit has the same meaning as another one, unless
 * its Remaining is higher than the requests of this run.
 */
export const createCountsUp = () => {
  const groups = new Map<string, ResetGroup>();
  const countsUpByLimit = new Map<number, boolean>();
  let sent = 0;
  let pauses = 0;
  let pausedUntil: number | null = null;
  let isProven = false;
  let lowBegins = 0;

  const begin = (limit: number, first: number, arrival: Arrival): ResetGroup => {
    if (first > arrival.inFlight + 1) countsUpByLimit.set(limit, false);
    return groupFrom(first, arrival);
  };
  const pauseAfter = ({ steps, fell }: ResetGroup, limit: number, now: number): void => {
    const isDecided = fell || pausedUntil !== null || countsUpByLimit.has(limit);
    if (steps.count < PROOF || pauses >= MOST_PAUSES || isDecided) return;
    pauses += 1;
    pausedUntil = now + SLOWER * (steps.quickest + CLOCK_STEP_MS) + 1;
  };
  const continueGroup = (
    before: ResetGroup,
    { limit, remaining }: { readonly limit: number; readonly remaining: number },
    windowMs: number,
    arrival: Arrival,
  ): ResetGroup => {
    const responses = before.responses + 1;
    const mostInFlight = Math.max(before.mostInFlight, arrival.inFlight);
    const rise = remaining - before.first;
    const isLower = remaining < before.highest.remaining;
    const fell = before.fell || (isLower && arrival.sentAt >= before.highest.at);
    const highest = isLower ? before.highest : { remaining, at: arrival.now };
    if (rise < responses - mostInFlight) {
      lowBegins = 0;
      return { ...begin(limit, remaining, arrival), highest, fell };
    }
    // Other clients may use the key too.
    if (rise > responses + arrival.inFlight)
      return { ...groupFrom(remaining, arrival), mostInFlight, highest, fell };
    const steps = withStep(before, remaining, arrival);
    const refilled = (limit * (arrival.now - before.since)) / windowMs;
    const certain = responses - mostInFlight;
    const isFaster = certain >= PROOF && rise + responses > FASTER * refilled + 1;
    if (!fell && (isFaster || certain >= CERTAIN || isSteady(steps))) countsUpByLimit.set(limit, true);
    isProven ||= !fell && responses >= MANY && countsUpByLimit.get(limit) === true;
    const last = soleResponse(remaining, arrival);
    const group = { ...before, responses, mostInFlight, highest, fell, last, steps };
    pauseAfter(group, limit, arrival.now);
    return group;
  };
  const isCountOfRequests = (limit: number, remaining: number): boolean =>
    [...countsUpByLimit.values()].includes(true) && (countsUpByLimit.get(limit) ?? remaining <= sent);

  return {
    /** Counts a request, with any key or without one. */
    sent: (): void => {
      sent += 1;
    },
    /** Records a response to a request with the API key, in the order of arrival. */
    observe: ({ limit, remaining, resetAt, date }: RateLimit, arrival: Arrival): void => {
      if (pausedUntil !== null && arrival.sentAt >= pausedUntil) pausedUntil = null;
      if (limit === null || remaining === null || resetAt === null) return;
      const group = `${limit} ${resetAt}`;
      const before = groups.get(group);
      if (before === undefined)
        lowBegins = limit > LOW_LIMIT && remaining <= arrival.inFlight + 1 ? lowBegins + 1 : 0;
      const windowMs = 1_000 * refillSeconds(limit, date === null ? null : (resetAt - date) / 1_000);
      groups.set(
        group,
        before
          ? continueGroup(before, { limit, remaining }, windowMs, arrival)
          : begin(limit, remaining, arrival),
      );
      const [oldest] = groups.keys();
      if (groups.size > GROUPS_AT_ONCE && oldest !== undefined) groups.delete(oldest);
    },
    /** Returns the headers with the requests that remain. */
    correct: (headers: RateLimit): RateLimit => {
      const { limit, remaining } = headers;
      if (limit === null || remaining === null || !isCountOfRequests(limit, remaining)) return headers;
      return { ...headers, remaining: limit - remaining };
    },
    /** The end of a pause, after which one request shows whether Remaining rises with requests or with time. Null: no pause is needed. */
    pauseUntil: (): number | null => pausedUntil,
    /** Two windows in a row began as if one request remained: only more requests show whether it does. */
    beginsLow: (): boolean => lowBegins >= 2,
    /** Remaining has risen with so many requests that no limiter explains it (RATE-4). */
    isProven: (): boolean => isProven,
  };
};

const soleResponse = (remaining: number, { inFlight, sentAt, now }: Arrival): ResetGroup['last'] =>
  inFlight === 0 ? { remaining, sentAt, now } : null;

const groupFrom = (first: number, arrival: Arrival): ResetGroup => ({
  ...{ first, since: arrival.sentAt, responses: 0, mostInFlight: arrival.inFlight },
  ...{ highest: { remaining: first, at: arrival.now }, fell: false },
  last: soleResponse(first, arrival),
  steps: { count: 0, quickest: Number.POSITIVE_INFINITY, slowest: 0 },
});

const withStep = ({ last, steps }: ResetGroup, remaining: number, { sentAt, now, inFlight }: Arrival) =>
  last === null || inFlight > 0 || sentAt < last.now || remaining !== last.remaining + 1
    ? steps
    : {
        count: steps.count + 1,
        quickest: Math.min(steps.quickest, now - last.sentAt),
        slowest: Math.max(steps.slowest, sentAt - last.now),
      };

/** Tells whether Remaining rises by one in quick and slow steps alike. */
const isSteady = ({ count, quickest, slowest }: Steps): boolean =>
  count > PROOF && slowest >= SLOWER * (quickest + CLOCK_STEP_MS);

/**
 * A real Reset may move back once, when no request remains and it becomes the time of the next free request. Milliseconds until the reset,
 * read as seconds, move back with each response.
 */
const FALL_MS = 10_000;
const FALLS_IN_A_ROW = 3;

/** Detects servers whose Reset is not the time of a reset. */
export const createFallingReset = () => {
  let falls = 0;
  let before: { readonly limit: number; readonly resetAt: number; readonly at: number } | null = null;
  const isMisleading = (): boolean => falls >= FALLS_IN_A_ROW;
  return {
    isMisleading,
    observe: ({ limit, resetAt }: RateLimit, { sentAt, now }: Omit<Arrival, 'inFlight'>): void => {
      if (isMisleading() || limit === null || resetAt === null) return;
      // Responses arrive out of order. Only a request sent after the earlier response shows a later time.
      if (before !== null && sentAt <= before.at) return;
      if (before?.limit === limit) {
        const rise = resetAt - before.resetAt;
        if (rise > FALL_MS) falls = 0;
        if (rise < -FALL_MS) falls += 1;
      }
      before = { limit, resetAt, at: now };
    },
    /** Returns the headers without a misleading Reset. */
    correct: (headers: RateLimit): RateLimit => (isMisleading() ? { ...headers, resetAt: null } : headers),
  };
};

/** Why a request was sent although no requests remained: after the end of the window, or to probe whether Remaining 0 is enforced. */
export type SendReason = 'renewal' | 'renewal-after-wait' | 'probe';

/** Up to this time, a wait costs less than a probe. */
const SHORT_WAIT_MS = 3_150;
/** After this many responses in a row with Remaining 0, a probe is worth it anyway. */
const ZEROS_IN_A_ROW = 3;
/** One request may use up a smaller limit. */
const LEAST_LIMIT = 3;

/**
 * Detects servers that show Remaining 0 but still serve requests. Without a key, Remaining 0 in the first response is doubted at once. With a key, it is doubted after two long waits that each allowed
 * only one request, or after one if no response has ever shown more than 0.
 */
export const createZeroRemaining = (slot: PaceSlot, isShared: () => boolean) => {
  let state: 'believed' | 'in doubt' | 'enforced' | 'ignored' = 'believed';
  let everRemained = false;
  let longWaits = 0;
  let zeros = 0;
  let allowsMore = false;
  const isSuspicious = (): boolean =>
    state === 'believed' && allowsMore && !everRemained && zeros >= ZEROS_IN_A_ROW && !isShared();
  return {
    /** Tells whether one request may probe the limit instead of waiting `waitMs`. */
    mayProbe: (waitMs: number): boolean =>
      state === 'in doubt' && (zeros >= ZEROS_IN_A_ROW || waitMs > SHORT_WAIT_MS),
    /** Tells whether the next wait must be longer, so that a real limit allows more than one request after it. */
    needsLongWait: (): boolean => slot !== 'anonymous' && isSuspicious(),
    /** Tells whether a request was served although none remained. */
    isIgnored: (): boolean => state === 'ignored',
    observe: (status: number, { limit, remaining }: RateLimit, reason: SendReason | null): void => {
      if (reason === 'probe') state = status === 429 ? 'enforced' : 'ignored';
      const isZero = remaining === 0 && status !== 429;
      const isBelieved = isZero && state === 'believed';
      zeros = isZero ? zeros + 1 : 0;
      allowsMore = (limit ?? 0) >= LEAST_LIMIT;
      if (isBelieved && slot === 'anonymous' && !everRemained) state = 'in doubt';
      const isLongWait = reason === 'renewal-after-wait' && isBelieved && allowsMore && !isShared();
      longWaits = isLongWait ? longWaits + 1 : 0;
      if (longWaits >= (everRemained ? 2 : 1)) state = 'in doubt';
      if (remaining !== null && remaining > 0) everRemained = true;
    },
  };
};
