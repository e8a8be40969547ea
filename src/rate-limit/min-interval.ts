import type { RateLimit } from './headers.ts';

/** Tried in order: 16, 8, 4, 2, and 1 request per second. */
const INTERVALS_MS = [60, 120, 250, 500, 1_000] as const;
/** A longer wait belongs to a window. Slower requests use that up, too. */
const SHORT_WAIT_MS = 5_000;
/** An interval without a 429 for this long is not the reason for a new one. */
const STABLE_MS = 4_000;

/**
 * Learns the shortest interval between two requests of a key from unexpected 429s. Gateways may limit requests per second, or concurrent
 * requests, without showing it in headers. Times are milliseconds since the epoch.
 */
export const createMinInterval = () => {
  let intervalMs = 0;
  let sentLast = Number.NEGATIVE_INFINITY;
  let limitedAt = Number.NEGATIVE_INFINITY;
  /** Send time of the first request since the last 429. */
  let startedAt = Number.NEGATIVE_INFINITY;
  return {
    /** Returns when the next request may be sent. */
    opensAt: (): number => sentLast + intervalMs,
    intervalMs: (): number => intervalMs,
    sent: (now: number): void => {
      if (startedAt <= limitedAt && now > limitedAt) startedAt = now;
      sentLast = now;
    },
    /** Records an unexpected 429. Returns the new limit of requests per second, or null if it is unchanged. */
    limited: (sentAt: number, now: number, headers: Timing): number | null => {
      // A request sent before the last 429 says nothing about the current interval.
      if (sentAt <= limitedAt || waitOf(headers, now) > SHORT_WAIT_MS) return null;
      const isStable = intervalMs > 0 && sentAt - startedAt > STABLE_MS;
      limitedAt = now;
      const wider = isStable ? undefined : INTERVALS_MS.find((each) => each > intervalMs);
      if (wider === undefined) return null;
      intervalMs = wider;
      return Math.floor(1_000 / wider);
    },
  };
};

type Timing = Pick<RateLimit, 'retryAfter' | 'date'>;

const waitOf = ({ retryAfter, date }: Timing, now: number): number => {
  if (retryAfter === null) return 0;
  return retryAfter.kind === 'after' ? retryAfter.ms : retryAfter.at - (date ?? now);
};
