import type { RateHeaders } from './rate-headers.ts';

/**
 * The distance between requests of one key, learnt from 429s that nothing foretold: a limit per second or one of requests at once, as
 * gateways have them, shows in no header. Times in milliseconds since the epoch.
 */
export interface Spacing {
  /** When the next request may go. */
  opensAt(): number;
  /** Between one request and the next, in milliseconds. */
  distanceMs(): number;
  sent(now: number): void;
  /**
   * A 429 that nobody asked for, to the request sent at `sentAt`.
   * @returns how many requests a second are sent at most from now on; null: as many as before
   */
  refused(sentAt: number, now: number, said: Pick<RateHeaders, 'retryAfter' | 'date'>): number | null;
}

/** From one to the next where it does not do: sixteen, eight, four, two requests a second, and one. */
const DISTANCES_MS = [60, 120, 250, 500, 1_000] as const;
/** A longer wait speaks of a window, which is used up however slowly requests go. */
const SHORT_WAIT_MS = 5_000;
/** What goes well for so long does not fail for its distance. */
const PROVEN_MS = 4_000;

export const createSpacing = (): Spacing => {
  let distanceMs = 0;
  let sentLast = Number.NEGATIVE_INFINITY;
  let refusedAt = Number.NEGATIVE_INFINITY;
  /** Of the first request since the last 429. */
  let startedAt = Number.NEGATIVE_INFINITY;
  return {
    opensAt: () => sentLast + distanceMs,
    distanceMs: () => distanceMs,
    sent: (now) => {
      if (startedAt <= refusedAt && now > refusedAt) startedAt = now;
      sentLast = now;
    },
    refused: (sentAt, now, said) => {
      // What was under way already tells nothing of the distance since.
      if (sentAt <= refusedAt || waitOf(said, now) > SHORT_WAIT_MS) return null;
      const isProven = distanceMs > 0 && sentAt - startedAt > PROVEN_MS;
      refusedAt = now;
      const wider = isProven ? undefined : DISTANCES_MS.find((each) => each > distanceMs);
      if (wider === undefined) return null;
      distanceMs = wider;
      return Math.floor(1_000 / wider);
    },
  };
};

const waitOf = ({ retryAfter, date }: Parameters<Spacing['refused']>[2], now: number): number => {
  if (retryAfter === null) return 0;
  return retryAfter.kind === 'after' ? retryAfter.ms : retryAfter.at - (date ?? now);
};
