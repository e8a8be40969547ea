import { type ParsedResponse, serverTime } from './parsed-response.ts';

/** Today at the target: a setting, or else by the target's `Date` headers, or else by the run's own clock. */
export interface ServerDate {
  now(): number;
  /** Learns the target's own time from the `Date` of a response. */
  update(response: ParsedResponse): void;
}

/** Milliseconds that a response may take. */
const maxLatency = 60_000;

/** So many of the latest responses are compared. */
const maxCompared = 99;

/** A cache in front of the target gives the `Date` of the time when it stored the response (RFC 9111 5.1). */
const isFromCache = (response: ParsedResponse): boolean => response.header('age').length > 0;

/** How far the target's clock is ahead: most responses agree on it, and the fastest response shows it best. */
const offsetOf = (offsets: readonly number[]): number => {
  if (offsets.length === 0) return 0;
  const usual = offsets.toSorted((a, b) => a - b)[offsets.length >> 1] ?? 0;
  return Math.max(...offsets.filter((offset) => offset <= usual + maxLatency));
};

/** `override` in milliseconds since the Unix epoch. */
export const createServerDate = (override: number | null, clock: () => number): ServerDate => {
  const offsets: number[] = [];
  let known: number | null = 0;
  return {
    now: () => {
      known ??= offsetOf(offsets);
      return override ?? clock() + known;
    },
    update: (response) => {
      const date = serverTime(response);
      if (date === null || isFromCache(response)) return;
      offsets.push(date - clock());
      if (offsets.length > maxCompared) offsets.shift();
      known = null;
    },
  };
};
