import type { RateLimit } from './headers.ts';

/** Which requests without a valid key are charged to the account of the key, as far as the headers of both show it. */
export interface AccountSharing {
  observeWithKey(headers: RateLimit): void;
  /** `keyPlace`: where and how the request carries the key. */
  observeWithoutKey(keyPlace: string, headers: RateLimit): void;
  /** True until the headers contradict it. */
  mayBeShared(keyPlace: string): boolean;
  isShared(keyPlace: string): boolean;
}

interface Account {
  readonly state: 'unknown' | 'shared' | 'separate';
  /** What its latest response showed. */
  readonly shown: Pick<RateLimit, 'remaining' | 'resetAt'>;
  readonly absent: number;
}

const unknown: Account = { state: 'unknown', shown: { remaining: null, resetAt: null }, absent: 0 };
/** Within this, in milliseconds, a Reset is the same as before: no new window has raised Remaining. */
const STEADY_MS = 1_500;
/** Responses overtake each other, and so do the values of one counter. */
const OVERTAKEN = 8;
/** By so much Remaining may have fallen since the key's latest response. */
const FALLEN = 40;
/** Responses in a row without the headers after which they count as absent. */
const ABSENT_AFTER = 3;

/**
 * The document does not specify which requests count, nor for whom: a server may count by address, or charge a key that is sent in the wrong
 * place. One counter only falls, whatever requests it is shown to; if it rises in between, there are two.
 */
export const createAccountSharing = (): AccountSharing => {
  const accounts = new Map<string, Account>();
  let withKey: RateLimit | null = null;

  const stateAfter = (before: Account, absent: number, { limit, remaining }: RateLimit): Account['state'] => {
    if (absent >= ABSENT_AFTER) return 'separate';
    if (remaining === null || withKey === null || withKey.remaining === null) return before.state;
    const fall = withKey.remaining - remaining;
    return limit === withKey.limit && fall >= -OVERTAKEN && fall <= FALLEN ? 'shared' : 'separate';
  };

  return {
    observeWithKey: (headers) => {
      if (headers.remaining === null) return;
      withKey = headers;
      for (const [keyPlace, account] of accounts) {
        const { remaining, resetAt } = account.shown;
        const isSameReset = Math.abs((headers.resetAt ?? 0) - (resetAt ?? 0)) <= STEADY_MS;
        const isAbove = remaining !== null && headers.remaining > remaining + OVERTAKEN;
        if (isSameReset && isAbove && account.state === 'shared')
          accounts.set(keyPlace, { ...account, state: 'separate' });
      }
    },
    observeWithoutKey: (keyPlace, headers) => {
      const before = accounts.get(keyPlace) ?? unknown;
      const absent = headers.remaining === null ? before.absent + 1 : 0;
      const state = stateAfter(before, absent, headers);
      accounts.set(keyPlace, { state, shown: headers, absent });
    },
    mayBeShared: (keyPlace) => (accounts.get(keyPlace) ?? unknown).state !== 'separate',
    isShared: (keyPlace) => accounts.get(keyPlace)?.state === 'shared',
  };
};
