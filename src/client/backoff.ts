import type { RateHeaders } from './rate-headers.ts';
import type { ServerClock } from './server-clock.ts';
import type { Tick } from './window-view.ts';

/** What 429s demand: how long to keep silent, and when a key is no good any more. */
export interface Backoff {
  /** A 429, at `at`, to the request sent at `sent`. `asked`: it was wanted, so it does not speak of a ban. */
  refused(sent: Tick, at: Tick, headers: RateHeaders, now: number, asked: boolean): void;
  /** Any other answer. */
  answered(sent: Tick, status: number): void;
  /** Our time until which nothing may be sent with the key; 0: no need to wait. */
  silentUntil(): number;
  /** The key seems to be banned: it got 429 again after so many waits, or (null) gets 401 or 403 ever since one. Null: it does not. */
  banned(): { readonly waits: number | null } | null;
}

interface BackoffOptions {
  readonly server: ServerClock;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** A 401 or 403 speaks against the key; else it is what requests without one are meant to get. */
  readonly countsDenials: boolean;
}

/** 429s in a row, each after its Retry-After was waited out, that are taken for a ban. Likewise 401s and 403s after a 429. */
const BANNED_AFTER = 3;
/** Retry-After has whole seconds: what is left of the last one, and clocks that do not run alike. */
const GRACE_MS = 1_050;
const FIRST_GUESS_MS = 5_000;

/** Small enough that a wait that doubles is at least half as long again as the one before. */
const JITTER = 0.25;

/**
 * After a 429: silence until `Retry-After` has passed (Reset, where it is absent; else a guess), and a grace. When a 429 follows on that,
 * the grace, or the guess, doubles each time.
 */
export const createBackoff = ({ server, random, countsDenials }: BackoffOptions): Backoff => {
  let began: Tick = -1;
  let repeats = 0;
  let silent = 0;
  let denied = 0;

  /** Our time until which an answer asks to keep silent; null: it does not say. */
  const asked = ({ retryAfter, resetAt }: RateHeaders, now: number): number | null => {
    if (retryAfter?.kind === 'after') return now + retryAfter.ms;
    if (retryAfter?.kind === 'at') return Math.max(now, server.surelyAfter(retryAfter.at));
    return resetAt === null ? null : Math.max(now, server.surelyAfter(resetAt));
  };

  /** As it is the first time, and more from then on. */
  const growing = (ms: number): number =>
    ms * 2 ** (repeats - 1) * (repeats === 1 ? 1 : 1 + JITTER * random());

  return {
    refused: (sent, at, headers, now, wanted) => {
      if (sent > began) {
        began = at;
        repeats = wanted ? Math.max(repeats, 1) : repeats + 1;
        denied = 0;
      }
      const until = asked(headers, now);
      silent = Math.max(silent, until === null ? now + growing(FIRST_GUESS_MS) : until + growing(GRACE_MS));
    },
    answered: (sent, status) => {
      if (repeats === 0 || sent < began) return;
      if (countsDenials && (status === 401 || status === 403)) denied += 1;
      else repeats = 0;
    },
    silentUntil: () => silent,
    banned: () => {
      if (repeats > BANNED_AFTER) return { waits: BANNED_AFTER };
      return repeats > 0 && denied >= BANNED_AFTER ? { waits: null } : null;
    },
  };
};
