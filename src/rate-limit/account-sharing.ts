import type { RateLimit } from './headers.ts';

interface Account {
  readonly state: 'unknown' | 'shared' | 'separate';
  /** Headers of its latest response. */
  readonly shown: Pick<RateLimit, 'remaining' | 'resetAt'>;
  readonly absences: number;
}

const unknown: Account = { state: 'unknown', shown: { remaining: null, resetAt: null }, absences: 0 };
/** Milliseconds within which a Reset counts as unchanged, so that no new window has raised Remaining. */
const STEADY_MS = 1_500;
/** Responses arrive out of order, so Remaining of one counter may rise by this much. */
const MAX_RISE = 8;
/** Remaining of one counter may have fallen by this much since the key's latest response. */
const MAX_FALL = 40;
/** Responses in a row without the headers after which they count as absent. */
const ABSENT_AFTER = 3;

/**
 * Tells which requests without a valid key count towards the key's limit, from the headers of both. `keyPlace`: where a request has the
 * key. The document does not specify which requests count towards which limit. A server may count by address, or count a key that is sent in
 * the wrong place. A single counter only falls. If Remaining rises between responses, there are two counters.
 */
export const createAccountSharing = () => {
  const accounts = new Map<string, Account>();
  let withKey: RateLimit | null = null;

  const stateAfter = (before: Account, absences: number, { limit, remaining }: RateLimit) => {
    if (absences >= ABSENT_AFTER) return 'separate';
    if (remaining === null || withKey === null || withKey.remaining === null) return before.state;
    const fall = withKey.remaining - remaining;
    return limit === withKey.limit && fall >= -MAX_RISE && fall <= MAX_FALL ? 'shared' : 'separate';
  };

  return {
    observeWithKey: (headers: RateLimit): void => {
      if (headers.remaining === null) return;
      withKey = headers;
      for (const [keyPlace, account] of accounts) {
        const { remaining, resetAt } = account.shown;
        const isSameReset = Math.abs((headers.resetAt ?? 0) - (resetAt ?? 0)) <= STEADY_MS;
        const isAbove = remaining !== null && headers.remaining > remaining + MAX_RISE;
        if (isSameReset && isAbove && account.state === 'shared')
          accounts.set(keyPlace, { ...account, state: 'separate' });
      }
    },
    observeWithoutKey: (keyPlace: string, headers: RateLimit): void => {
      const before = accounts.get(keyPlace) ?? unknown;
      const absences = headers.remaining === null ? before.absences + 1 : 0;
      const state = stateAfter(before, absences, headers);
      accounts.set(keyPlace, { state, shown: headers, absences });
    },
    /** True until the headers contradict it. */
    mayBeShared: (keyPlace: string): boolean => (accounts.get(keyPlace) ?? unknown).state !== 'separate',
    isShared: (keyPlace: string): boolean => accounts.get(keyPlace)?.state === 'shared',
  };
};
