import type { RateLimit } from './headers.ts';
import type { ServerClock } from './server-clock.ts';
import type { Sequence } from './window.ts';

/** What 429s require: how long nothing is sent, and when a key is not used any more. */
export interface Backoff {
  /** A 429, at `at`, to the request sent at `sent`. `isAsked`: the check wanted it, so it is not a sign of a ban. */
  limited(sent: Sequence, at: Sequence, headers: RateLimit, now: number, isAsked: boolean): void;
  /** Any other response. */
  answered(sent: Sequence, status: number): void;
  /** Our time until which nothing may be sent with the key; 0: nothing to wait for. */
  quietUntil(): number;
  /** The key seems to be banned: it got 429 again after so many waits, or (null) only 401 or 403 since a 429. Null: it does not. */
  banReason(): { readonly waits: number | null } | null;
}

interface BackoffOptions {
  readonly server: ServerClock;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** A 401 or 403 is a sign of a ban; false for requests without a valid key, which are meant to get it. */
  readonly countsDenials: boolean;
}

/** So many 429s in a row, each after the wait of the one before, are a ban; so are as many 401s or 403s after a 429. */
const BANNED_AFTER = 3;
/** Retry-After is in whole seconds, and clocks do not run alike. */
const GRACE_MS = 1_050;
const FIRST_GUESS_MS = 5_000;

/** Small enough that each wait is at least half as long again as the one before. */
const JITTER = 0.25;

/**
 * After a 429 nothing is sent until `Retry-After` has passed (or Reset, or a guess), and a grace. If a 429 follows, the grace, or the guess,
 * doubles each time.
 */
export const createBackoff = ({ server, random, countsDenials }: BackoffOptions): Backoff => {
  let began: Sequence = -1;
  let repeats = 0;
  let quiet = 0;
  let denied = 0;

  /** Our time until which a response asks to wait; null: it does not say. */
  const requestedUntil = ({ retryAfter, resetAt }: RateLimit, now: number): number | null => {
    if (retryAfter?.kind === 'after') return now + retryAfter.ms;
    if (retryAfter?.kind === 'at') return Math.max(now, server.surelyAfter(retryAfter.at));
    return resetAt === null ? null : Math.max(now, server.surelyAfter(resetAt));
  };

  /** Unchanged the first time, and more from then on. */
  const exponential = (ms: number): number =>
    ms * 2 ** (repeats - 1) * (repeats === 1 ? 1 : 1 + JITTER * random());

  return {
    limited: (sent, at, headers, now, isAsked) => {
      if (sent > began) {
        began = at;
        repeats = isAsked ? Math.max(repeats, 1) : repeats + 1;
        denied = 0;
      }
      const until = requestedUntil(headers, now);
      const end = until === null ? now + exponential(FIRST_GUESS_MS) : until + exponential(GRACE_MS);
      quiet = Math.max(quiet, end);
    },
    answered: (sent, status) => {
      if (repeats === 0 || sent < began) return;
      if (countsDenials && (status === 401 || status === 403)) denied += 1;
      else repeats = 0;
    },
    quietUntil: () => quiet,
    banReason: () => {
      if (repeats > BANNED_AFTER) return { waits: BANNED_AFTER };
      return repeats > 0 && denied >= BANNED_AFTER ? { waits: null } : null;
    },
  };
};
