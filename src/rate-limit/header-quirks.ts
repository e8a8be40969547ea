import type { PaceSlot } from '../http/pacing.ts';
import { refillSeconds } from '../openapi/plans.ts';
import type { RateLimit } from './headers.ts';

/** Whether X-RateLimit-Remaining is the number of requests that remain, or that of requests made. */
export interface CountsUp {
  /** A response to the API key, in the order of arrival. */
  observe(headers: RateLimit, arrival: Arrival): void;
  /** The headers of any response, with what remains. */
  correct(headers: RateLimit): RateLimit;
}

interface Arrival {
  /** Other requests with the key in flight as the response comes. */
  readonly inFlight: number;
  /** By our clock, in milliseconds. */
  readonly sentAt: number;
  readonly now: number;
}

/** The responses that show one Reset. */
interface ResetGroup {
  /** Remaining of the first. */
  readonly first: number;
  /** When the request of the first was sent. */
  readonly since: number;
  readonly responses: number;
  /** Any of so many concurrent requests may be answered first. */
  readonly mostInFlight: number;
}

/** Remaining must have risen by at least this. */
const PROOF = 3;
/** And so much faster than a bucket of this limit refills. */
const FASTER = 1.5;
/** A server that counts by the whole Authorization header shows several at once. */
const GROUPS_AT_ONCE = 8;

/**
 * A common mistake: Remaining is the number of requests made. Read literally, hardly any remain when a window begins. Its sign: Remaining
 * rises by one with each of our requests while Reset stays, faster than a bucket refills. If it falls, or a window begins with a higher
 * number than there were requests, Remaining means what remains again.
 */
export const createCountsUp = (): CountsUp => {
  const groups = new Map<number, ResetGroup>();
  let countsUp = false;

  const begin = (first: number, { inFlight, sentAt }: Arrival): ResetGroup => {
    if (first > inFlight + 1) countsUp = false;
    return { first, since: sentAt, responses: 0, mostInFlight: inFlight };
  };
  const continued = (
    before: ResetGroup,
    { limit, remaining }: { readonly limit: number; readonly remaining: number },
    windowMs: number,
    arrival: Arrival,
  ): ResetGroup => {
    const responses = before.responses + 1;
    const mostInFlight = Math.max(before.mostInFlight, arrival.inFlight);
    const rise = remaining - before.first;
    if (rise < responses - mostInFlight) return begin(remaining, arrival);
    // Others may use the key too.
    if (rise > responses + arrival.inFlight)
      return { first: remaining, since: arrival.sentAt, responses: 0, mostInFlight };
    const refilled = (limit * (arrival.now - before.since)) / windowMs;
    if (responses - mostInFlight >= PROOF && rise + responses > FASTER * refilled + 1) countsUp = true;
    return { ...before, responses, mostInFlight };
  };

  return {
    observe: ({ limit, remaining, resetAt, date }, arrival) => {
      if (limit === null || remaining === null || resetAt === null) return;
      const before = groups.get(resetAt);
      const windowMs = 1_000 * refillSeconds(limit, date === null ? null : (resetAt - date) / 1_000);
      groups.set(
        resetAt,
        before ? continued(before, { limit, remaining }, windowMs, arrival) : begin(remaining, arrival),
      );
      const [oldest] = groups.keys();
      if (groups.size > GROUPS_AT_ONCE && oldest !== undefined) groups.delete(oldest);
    },
    correct: (headers) => {
      const { limit, remaining } = headers;
      return countsUp && limit !== null && remaining !== null
        ? { ...headers, remaining: limit - remaining }
        : headers;
    },
  };
};

/** Whether Reset is a time at which the limit resets. */
export interface FallingReset {
  observe(headers: RateLimit, times: { readonly sentAt: number; readonly now: number }): void;
  isMisleading(): boolean;
  /** The headers, without a misleading Reset. */
  correct(headers: RateLimit): RateLimit;
}

/**
 * A real Reset may come nearer once, if nothing remains and the next free request is shown. Milliseconds to go, read as seconds, come nearer
 * with each response.
 */
const FALL_MS = 10_000;
const FALLS_IN_A_ROW = 3;

export const createFallingReset = (): FallingReset => {
  let falls = 0;
  let before: { readonly limit: number; readonly resetAt: number; readonly at: number } | null = null;
  const isMisleading = (): boolean => falls >= FALLS_IN_A_ROW;
  return {
    isMisleading,
    observe: ({ limit, resetAt }, { sentAt, now }) => {
      if (isMisleading() || limit === null || resetAt === null) return;
      // Responses overtake each other: only one that was requested after the other came shows a later time.
      if (before !== null && sentAt <= before.at) return;
      if (before?.limit === limit) {
        const rise = resetAt - before.resetAt;
        if (rise > FALL_MS) falls = 0;
        if (rise < -FALL_MS) falls += 1;
      }
      before = { limit, resetAt, at: now };
    },
    correct: (headers) => (isMisleading() ? { ...headers, resetAt: null } : headers),
  };
};

/** Why a request was sent although no requests remained: the window was over by then, or to probe whether Remaining 0 is enforced. */
export type SendReason = 'renewal' | 'renewal after a long wait' | 'probe';

/** Whether a Remaining of 0 is enforced: some servers show it and serve requests. */
export interface ZeroRemaining {
  /** One request may probe it instead of waiting so long. */
  mayProbe(waitMs: number): boolean;
  /** The wait is made longer: if the limit is real, more than one request remains after it. */
  needsLongWait(): boolean;
  /** A request was served although none remained. */
  isIgnored(): boolean;
  observe(status: number, headers: Pick<RateLimit, 'limit' | 'remaining'>, reason: SendReason | null): void;
}

/** A wait no longer than this costs less than a probe. */
const SHORT_WAIT_MS = 3_150;
/** Unless so many responses in a row showed 0. */
const SHORT_WAITS = 3;
/** A smaller limit may be used up by one request. */
const LEAST_LIMIT = 3;

/**
 * Without a key a server may show 0 from the start. With a key it takes two long waits after each of which only one request was allowed;
 * one, if no response has ever shown more than 0.
 */
export const createZeroRemaining = (slot: PaceSlot, isShared: () => boolean): ZeroRemaining => {
  let state: 'believed' | 'in doubt' | 'enforced' | 'ignored' = 'believed';
  let everRemained = false;
  let longWaits = 0;
  let zeros = 0;
  let allowsMore = false;
  const isSuspicious = (): boolean =>
    state === 'believed' && allowsMore && !everRemained && zeros >= SHORT_WAITS && !isShared();
  return {
    mayProbe: (waitMs) => state === 'in doubt' && (zeros >= SHORT_WAITS || waitMs > SHORT_WAIT_MS),
    needsLongWait: () => slot !== 'anonymous' && isSuspicious(),
    isIgnored: () => state === 'ignored',
    observe: (status, { limit, remaining }, reason) => {
      if (reason === 'probe') state = status === 429 ? 'enforced' : 'ignored';
      const isZero = remaining === 0 && status !== 429;
      const isBelieved = isZero && state === 'believed';
      zeros = isZero ? zeros + 1 : 0;
      allowsMore = (limit ?? 0) >= LEAST_LIMIT;
      if (isBelieved && slot === 'anonymous' && !everRemained) state = 'in doubt';
      const isLongWait = reason === 'renewal after a long wait' && isBelieved && allowsMore && !isShared();
      longWaits = isLongWait ? longWaits + 1 : 0;
      if (longWaits >= (everRemained ? 2 : 1)) state = 'in doubt';
      if (remaining !== null && remaining > 0) everRemained = true;
    },
  };
};
