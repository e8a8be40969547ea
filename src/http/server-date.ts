import { type ParsedResponse, serverTime } from './parsed-response.ts';

const maxLatencyMs = 60_000;

/** Number of latest responses to compare. */
const maxCompared = 99;

/** A cache sends the `Date` of the time when it stored the response (RFC 9111 5.1). */
const isFromCache = (response: ParsedResponse): boolean => response.header('age').length > 0;

/** Returns how far the target's clock is ahead. Outliers are dropped, and the fastest response is the most exact. */
const offsetOf = (offsets: readonly number[]): number => {
  if (offsets.length === 0) return 0;
  const most = Math.max(...offsets);
  if (most - Math.min(...offsets) <= maxLatencyMs) return most;
  const median = offsets.toSorted((a, b) => a - b)[offsets.length >> 1] ?? 0;
  return Math.max(...offsets.filter((offset) => offset <= median + maxLatencyMs));
};

/**
 * Returns the target's date: from a setting (`override`, in milliseconds since the Unix epoch), otherwise from its `Date` headers,
 * otherwise from the run's clock.
 */
export const createServerDate = (override: number | null, clock: () => number) => {
  const offsets: number[] = [];
  let offset: number | null = 0;
  return {
    now: (): number => {
      offset ??= offsetOf(offsets);
      return override ?? clock() + offset;
    },
    /** Reads the `Date` of a response. */
    update: (response: ParsedResponse): void => {
      const date = serverTime(response);
      if (date === null || isFromCache(response)) return;
      offsets.push(date - clock());
      if (offsets.length > maxCompared) offsets.shift();
      offset = null;
    },
  };
};
