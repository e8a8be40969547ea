import type { RateLimit } from './headers.ts';
import type { ServerClock } from './server-clock.ts';
import type { Sequence } from './window.ts';

interface BackoffOptions {
  readonly server: ServerClock;
  /** Returns numbers in [0, 1). */
  readonly random: () => number;
  /** A 401 or 403 is a sign of a ban. False for requests without a valid key, because they should get one. */
  readonly countsDenials: boolean;
}

/** This many 429s in a row are a ban if each came after the wait of the previous one. So are this many 401s or 403s after a 429. */
const BANNED_AFTER = 3;
/** Retry-After has whole seconds, and clocks differ. */
const GRACE_MS = 1_050;
const FIRST_GUESS_MS = 2_000;

/** Small enough that each wait is at least 1.5 times as long as the previous one. */
const JITTER = 0.25;

/**
 * Decides after 429s how long to send nothing with a key, and when to stop using it. After a 429, nothing is sent until `Retry-After` and a grace have passed. Without `Retry-After`, until Reset. If Reset is not shown, or
 * another 429 followed it, for a guess. If another 429 follows, the grace or the guess doubles each time.
 */
export const createBackoff = ({ server, random, countsDenials }: BackoffOptions) => {
  let began: Sequence = -1;
  let repeats = 0;
  let quiet = 0;
  let denied = 0;

  /** Returns the local time until which a response requires to wait, or null. */
  const requestedUntil = ({ retryAfter, resetAt }: RateLimit, now: number): number | null => {
    if (retryAfter?.kind === 'after') return now + retryAfter.ms;
    if (retryAfter?.kind === 'at') return Math.max(now, server.surelyAfter(retryAfter.at));
    return resetAt === null || repeats > 1 ? null : Math.max(now, server.surelyAfter(resetAt));
  };

  /** Doubles with each repeat, with jitter from the second time on. */
  const exponential = (ms: number): number =>
    ms * 2 ** (repeats - 1) * (repeats === 1 ? 1 : 1 + JITTER * random());

  return {
    /** Records a 429 that came at `at` to the request sent at `sent`. `isExpected`: the check wanted it, so it is not a sign of a ban. */
    limited: (sent: Sequence, at: Sequence, headers: RateLimit, now: number, isExpected: boolean): void => {
      if (sent > began) {
        began = at;
        repeats = isExpected ? Math.max(repeats, 1) : repeats + 1;
        denied = 0;
      }
      const until = requestedUntil(headers, now);
      const end = until === null ? now + exponential(FIRST_GUESS_MS) : until + exponential(GRACE_MS);
      quiet = Math.max(quiet, end);
    },
    /** Records any other response. */
    responded: (sent: Sequence, status: number): void => {
      if (repeats === 0 || sent < began) return;
      if (countsDenials && (status === 401 || status === 403)) denied += 1;
      else repeats = 0;
    },
    /** Returns the local time until which nothing may be sent with the key, or 0. */
    quietUntil: (): number => quiet,
    /** Tells why the key seems banned: 429 again after this many waits, or (`waits` null) only 401 or 403 since a 429. Null: it does not. */
    banReason: (): { readonly waits: number | null } | null => {
      if (repeats > BANNED_AFTER) return { waits: BANNED_AFTER };
      return repeats > 0 && denied >= BANNED_AFTER ? { waits: null } : null;
    },
  };
};
