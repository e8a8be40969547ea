import { refillSeconds } from '../document/plans.ts';
import type { RateHeaders } from './rate-headers.ts';

/** Whether X-RateLimit-Remaining is what its name says, or the number of requests made. */
export interface RemainingSense {
  /** An answer to the API key, in the order in which they come. */
  heard(headers: RateHeaders, arrival: Arrival): void;
  /** @returns the headers of any answer, with what remains in either case */
  read(headers: RateHeaders): RateHeaders;
}

interface Arrival {
  /** Other requests with the key that are under way as the answer comes. */
  readonly flying: number;
  /** By our clock, in milliseconds. */
  readonly sentAt: number;
  readonly now: number;
}

/** The answers that show one Reset. */
interface Window {
  /** What Remaining was at first. */
  readonly first: number;
  /** When the first of them was asked for. */
  readonly since: number;
  readonly answers: number;
  /** Of so many requests under way together any may be answered first. */
  readonly mostFlying: number;
}

/** By so much Remaining must have risen at the least. */
const PROOF = 3;
/** And by so much faster than a bucket of this limit refills. */
const FASTER = 1.5;
/** Who counts by the whole Authorization header shows several at once. */
const WINDOWS_AT_ONCE = 8;

/**
 * A mistake that is easily made: the header shows how many requests were made. Taken at its word, next to nothing is left when a window
 * begins. It is known by this that Remaining rises by one with each of our requests while Reset stays, and faster than a bucket could
 * refill. Where it falls, or a window begins with more than was made in it, Remaining counts as what is left again.
 */
export const createRemainingSense = (): RemainingSense => {
  const windows = new Map<number, Window>();
  let countsUp = false;

  const begin = (first: number, { flying, sentAt }: Arrival): Window => {
    if (first > flying + 1) countsUp = false;
    return { first, since: sentAt, answers: 0, mostFlying: flying };
  };
  const goOn = (
    before: Window,
    limit: number,
    remaining: number,
    windowMs: number,
    arrival: Arrival,
  ): Window => {
    const answers = before.answers + 1;
    const mostFlying = Math.max(before.mostFlying, arrival.flying);
    const rise = remaining - before.first;
    if (rise < answers - mostFlying) return begin(remaining, arrival);
    // Others may use the key as well.
    if (rise > answers + arrival.flying)
      return { first: remaining, since: arrival.sentAt, answers: 0, mostFlying };
    const refilled = (limit * (arrival.now - before.since)) / windowMs;
    if (answers - mostFlying >= PROOF && rise + answers > FASTER * refilled + 1) countsUp = true;
    return { ...before, answers, mostFlying };
  };

  return {
    heard: ({ limit, remaining, resetAt, date }, arrival) => {
      if (limit === null || remaining === null || resetAt === null) return;
      const before = windows.get(resetAt);
      const windowMs = 1_000 * refillSeconds(limit, date === null ? null : (resetAt - date) / 1_000);
      const window = before ? goOn(before, limit, remaining, windowMs, arrival) : begin(remaining, arrival);
      windows.set(resetAt, window);
      const [oldest] = windows.keys();
      if (windows.size > WINDOWS_AT_ONCE && oldest !== undefined) windows.delete(oldest);
    },
    read: (headers) => {
      const { limit, remaining } = headers;
      return countsUp && limit !== null && remaining !== null
        ? { ...headers, remaining: limit - remaining }
        : headers;
    },
  };
};
