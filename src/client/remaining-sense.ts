import type { RateHeaders } from './rate-headers.ts';

/** Whether X-RateLimit-Remaining is what its name says, or the number of requests made. */
export interface RemainingSense {
  /** An answer to the API key, in the order in which they come. `flying`: other requests with it under way. */
  heard(headers: RateHeaders, flying: number): void;
  /** @returns the headers of any answer, with what remains in either case */
  read(headers: RateHeaders): RateHeaders;
}

/** The answers that show one Reset. */
interface Window {
  /** What Remaining was at first. */
  readonly first: number;
  readonly answers: number;
  /** Of so many requests under way together any may be answered first. */
  readonly mostFlying: number;
}

/** By so much Remaining must have risen at the least. */
const PROOF = 3;
/** Who counts by the whole Authorization header shows several at once. */
const WINDOWS_AT_ONCE = 8;

/**
 * A mistake that is easily made: the header shows how many requests were made. Taken at its word, next to nothing is left when a window
 * begins. It is known by this that Remaining rises by one with each of our requests while Reset stays: a bucket refills by its own time,
 * and moves its Reset. Where Remaining falls, or a window begins with more than was made in it, it counts as what is left again.
 */
export const createRemainingSense = (): RemainingSense => {
  const windows = new Map<number, Window>();
  let countsUp = false;

  const begin = (remaining: number, flying: number): Window => {
    if (remaining > flying + 1) countsUp = false;
    return { first: remaining, answers: 0, mostFlying: flying };
  };
  const goOn = (before: Window, remaining: number, flying: number): Window => {
    const answers = before.answers + 1;
    const mostFlying = Math.max(before.mostFlying, flying);
    const rise = remaining - before.first;
    if (rise < answers - mostFlying) return begin(remaining, flying);
    // Others may use the key as well.
    if (rise > answers + flying) return { first: remaining, answers: 0, mostFlying };
    if (answers - mostFlying >= PROOF) countsUp = true;
    return { ...before, answers, mostFlying };
  };

  return {
    heard: ({ limit, remaining, resetAt }, flying) => {
      if (limit === null || remaining === null || resetAt === null) return;
      const before = windows.get(resetAt);
      windows.set(resetAt, before ? goOn(before, remaining, flying) : begin(remaining, flying));
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
