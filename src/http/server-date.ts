import { type ParsedResponse, serverTime } from './parsed-response.ts';

/** Today at the target: a setting, else by the target's `Date` headers, else by the run's own clock. */
export interface Today {
  now(): number;
  /** Learns the target's own time from the `Date` of a response. */
  learn(reading: ParsedResponse): void;
}

/** Milliseconds that a response may have been on its way. */
const longestWay = 60_000;

/** So many of the latest responses are compared. */
const mostCompared = 99;

/** A cache in front of the target gives the `Date` of the time when it stored the response (RFC 9111 5.1). */
const isFromCache = (reading: ParsedResponse): boolean => reading.header('age').length > 0;

/** How far the target's clock is ahead: most responses agree on it, and the one that came fastest shows it best. */
const skewOf = (skews: readonly number[]): number => {
  const usual = skews.toSorted((a, b) => a - b)[skews.length >> 1] ?? 0;
  return Math.max(...skews.filter((skew) => skew <= usual + longestWay));
};

/** `override` in milliseconds since the Unix epoch. */
export const createToday = (override: number | null, clock: () => number): Today => {
  const skews: number[] = [];
  let skew = 0;
  return {
    now: () => override ?? clock() + skew,
    learn: (reading) => {
      const date = serverTime(reading);
      if (date === null || isFromCache(reading)) return;
      skews.push(date - clock());
      if (skews.length > mostCompared) skews.shift();
      skew = skewOf(skews);
    },
  };
};
