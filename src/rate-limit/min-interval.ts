import type { RateLimit } from './headers.ts';

/**
 * The shortest interval between two requests of a key, learnt from unexpected 429s: a limit per second or of concurrent requests, as gateways
 * have it, is in no header. Times in milliseconds since the epoch.
 */
export interface MinInterval {
  /** When the next request may be sent. */
  opensAt(): number;
  /** In milliseconds. */
  intervalMs(): number;
  sent(now: number): void;
  /**
   * An unexpected 429 to the request sent at `sentAt`.
   * @returns how many requests a second are sent at most from now on; null: as many as before
   */
  limited(sentAt: number, now: number, headers: Pick<RateLimit, 'retryAfter' | 'date'>): number | null;
}

/** Tried one after the other: sixteen, eight, four, two requests a second, and one. */
const INTERVALS_MS = [60, 120, 250, 500, 1_000] as const;
/** A longer wait is that of a window, which is used up however slowly requests go. */
const SHORT_WAIT_MS = 5_000;
/** An interval that was enough for so long is not the reason for a 429. */
const STABLE_MS = 4_000;

export const createMinInterval = (): MinInterval => {
  let intervalMs = 0;
  let sentLast = Number.NEGATIVE_INFINITY;
  let limitedAt = Number.NEGATIVE_INFINITY;
  /** When the first request since the last 429 was sent. */
  let startedAt = Number.NEGATIVE_INFINITY;
  return {
    opensAt: () => sentLast + intervalMs,
    intervalMs: () => intervalMs,
    sent: (now) => {
      if (startedAt <= limitedAt && now > limitedAt) startedAt = now;
      sentLast = now;
    },
    limited: (sentAt, now, headers) => {
      // A request that was in flight already says nothing of the present interval.
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

const waitOf = ({ retryAfter, date }: Pick<RateLimit, 'retryAfter' | 'date'>, now: number): number => {
  if (retryAfter === null) return 0;
  return retryAfter.kind === 'after' ? retryAfter.ms : retryAfter.at - (date ?? now);
};
