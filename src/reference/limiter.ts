import type { Window } from './keys.ts';

/** The state of one window of a caller. Times are milliseconds since the Unix epoch. */
export interface WindowState {
  readonly window: Window;
  readonly remaining: number;
  /** When more becomes available: the window ends, its oldest request leaves it, or the bucket is full. */
  readonly resetAt: number;
  /** The earliest time at which a request is served. */
  readonly servedAt: number;
}

/** Counts the requests of one caller in one window. Reading the state counts nothing. */
export interface Limiter {
  windowState(now: number): WindowState;
  spend(now: number): void;
}

export type LimiterFactory = (window: Window) => Limiter;

/** Consecutive windows since the Unix epoch: minutes start on the minute, days at midnight UTC. */
export const fixedWindow: LimiterFactory = (window) => {
  const size = window.seconds * 1000;
  let current = Number.NEGATIVE_INFINITY;
  let used = 0;
  const enter = (now: number) => {
    const index = Math.floor(now / size);
    if (index !== current) {
      current = index;
      used = 0;
    }
  };
  return {
    windowState: (now) => {
      enter(now);
      const resetAt = (current + 1) * size;
      const remaining = Math.max(0, window.limit - used);
      return { window, remaining, resetAt, servedAt: remaining > 0 ? now : resetAt };
    },
    spend: (now) => {
      enter(now);
      used += 1;
    },
  };
};

/** A window starts with the first request after the end of the previous window. */
export const windowFromFirst: LimiterFactory = (window) => {
  const size = window.seconds * 1000;
  let startedAt = Number.NEGATIVE_INFINITY;
  let used = 0;
  const enter = (now: number): void => {
    if (now < startedAt + size) return;
    startedAt = Number.NEGATIVE_INFINITY;
    used = 0;
  };
  return {
    windowState: (now) => {
      enter(now);
      const resetAt = (used === 0 ? now : startedAt) + size;
      const remaining = Math.max(0, window.limit - used);
      return { window, remaining, resetAt, servedAt: remaining > 0 ? now : resetAt };
    },
    spend: (now) => {
      enter(now);
      if (used === 0) startedAt = now;
      used += 1;
    },
  };
};

/** Each request counts for the length of the window after it. */
export const slidingWindow: LimiterFactory = (window) => {
  const size = window.seconds * 1000;
  let spent: number[] = [];
  const forget = (now: number) => {
    if ((spent[0] ?? now) <= now - size) spent = spent.filter((time) => time > now - size);
  };
  return {
    windowState: (now) => {
      forget(now);
      const resetAt = (spent[0] ?? now) + size;
      const remaining = Math.max(0, window.limit - spent.length);
      return { window, remaining, resetAt, servedAt: remaining > 0 ? now : resetAt };
    },
    spend: (now) => {
      forget(now);
      spent.push(now);
    },
  };
};

/** A bucket of `limit` tokens that refills evenly, from empty to full in the length of the window. */
export const tokenBucket: LimiterFactory = (window) => {
  // The missing tokens, in units: a token has `size` units, a millisecond adds `limit` units. These are integers, so nothing is rounded.
  const size = window.seconds * 1000;
  let missing = 0;
  let seenAt = 0;
  const refill = (time: number): number => {
    const now = Math.floor(time);
    missing = Math.max(0, missing - Math.max(0, now - seenAt) * window.limit);
    seenAt = now;
    return now;
  };
  return {
    windowState: (time) => {
      const now = refill(time);
      const remaining = Math.max(0, Math.floor(window.limit - missing / size));
      const resetAt = now + Math.ceil(missing / window.limit);
      const untilOne = Math.ceil((missing - (window.limit - 1) * size) / window.limit);
      return { window, remaining, resetAt, servedAt: now + Math.max(0, untilOne) };
    },
    spend: (time) => {
      refill(time);
      missing += size;
    },
  };
};
