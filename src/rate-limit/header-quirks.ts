import type { PaceSlot } from '../http/pacing-types.ts';
import { refillSeconds } from '../openapi/plans.ts';
import type { RateLimit } from './headers.ts';

export type CountsUp = ReturnType<typeof createCountsUp>;

interface Arrival {
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
}

/** Remaining must have risen by at least this. */
const PROOF = 3;
/** A rise as large as the number of requests, over this many, is no refill at any speed. */
const CERTAIN = 40;
/** Remaining must have risen this many times faster than a bucket of this limit refills. */
const FASTER = 1.5;
/** A server that counts by the whole Authorization header shows several Resets at once. */
const GROUPS_AT_ONCE = 8;

/**
 * Detects a common mistake: Remaining is the number of requests made, so that few seem to remain when a window begins. The sign: Remaining
 * rises by one with each request while Reset stays, faster than a bucket refills, or for long. If it falls, or a window begins with a
 * number higher than the requests made, Remaining has its documented meaning again. A counter without a lock both rises and falls. Each
 * limit has a meaning of its own. An unknown limit has the same meaning as another one, unless its Remaining is higher than the requests
 * of this run.
 */
export const createCountsUp = () => {
  const groups = new Map<string, ResetGroup>();
  const countsUpByLimit = new Map<number, boolean>();
  let sent = 0;

  const begin = (limit: number, first: number, { inFlight, sentAt, now }: Arrival): ResetGroup => {
    if (first > inFlight + 1) countsUpByLimit.set(limit, false);
    return {
      first,
      since: sentAt,
      responses: 0,
      mostInFlight: inFlight,
      highest: { remaining: first, at: now },
      fell: false,
    };
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
    if (rise < responses - mostInFlight) return { ...begin(limit, remaining, arrival), highest, fell };
    // Other clients may use the key too.
    if (rise > responses + arrival.inFlight)
      return { first: remaining, since: arrival.sentAt, responses: 0, mostInFlight, highest, fell };
    const refilled = (limit * (arrival.now - before.since)) / windowMs;
    const certain = responses - mostInFlight;
    const isFaster = certain >= PROOF && rise + responses > FASTER * refilled + 1;
    if (!fell && (isFaster || certain >= CERTAIN)) countsUpByLimit.set(limit, true);
    return { ...before, responses, mostInFlight, highest, fell };
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
      if (limit === null || remaining === null || resetAt === null) return;
      const group = `${limit} ${resetAt}`;
      const before = groups.get(group);
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
  };
};

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
