import type { RateHeaders } from './rate-headers.ts';

/** To which account requests without a valid key are charged, kind by kind, as far as the headers of both tell. */
export interface SharedAccount {
  heardWithKey(headers: RateHeaders): void;
  heardWithoutKey(kind: string, headers: RateHeaders): void;
  /** They may be charged to the account of the key: so it is until the headers speak against it. */
  mayBeShared(kind: string): boolean;
  isShared(kind: string): boolean;
}

interface Account {
  readonly state: 'unknown' | 'shared' | 'apart';
  /** What its last answer said. */
  readonly said: Pick<RateHeaders, 'remaining' | 'resetAt'>;
  readonly absent: number;
}

const unheard: Account = { state: 'unknown', said: { remaining: null, resetAt: null }, absent: 0 };
/** Within this, in milliseconds, a Reset is the same as before: that Remaining has risen is no new window's doing. */
const STEADY_MS = 1_500;

/** Answers overtake each other, and so does what they say of one counter. */
const OVERTAKEN = 8;
/** By so much Remaining may have fallen since the key's last answer. */
const FALLEN = 40;
/** Answers in a row without the headers after which these are taken for absent. */
const ABSENT_AFTER = 3;

/**
 * The document does not say which requests count, nor for whom: a server may count by address, or charge a key that is sent in the wrong
 * place. On one counter Remaining only falls, whoever it is told to; that it rises in between is told apart by the next answer.
 */
export const createSharedAccount = (): SharedAccount => {
  const accounts = new Map<string, Account>();
  let withKey: RateHeaders | null = null;

  const stateAfter = (
    before: Account,
    absent: number,
    { limit, remaining }: RateHeaders,
  ): Account['state'] => {
    if (absent >= ABSENT_AFTER) return 'apart';
    if (remaining === null || withKey === null || withKey.remaining === null) return before.state;
    const fall = withKey.remaining - remaining;
    return limit === withKey.limit && fall >= -OVERTAKEN && fall <= FALLEN ? 'shared' : 'apart';
  };

  return {
    heardWithKey: (headers) => {
      if (headers.remaining === null) return;
      withKey = headers;
      for (const [kind, account] of accounts) {
        const { remaining, resetAt } = account.said;
        const isSame = Math.abs((headers.resetAt ?? 0) - (resetAt ?? 0)) <= STEADY_MS;
        const isAbove = remaining !== null && headers.remaining > remaining + OVERTAKEN;
        if (isSame && isAbove && account.state === 'shared')
          accounts.set(kind, { ...account, state: 'apart' });
      }
    },
    heardWithoutKey: (kind, headers) => {
      const before = accounts.get(kind) ?? unheard;
      const absent = headers.remaining === null ? before.absent + 1 : 0;
      const state = stateAfter(before, absent, headers);
      accounts.set(kind, { state, said: headers, absent });
    },
    mayBeShared: (kind) => (accounts.get(kind) ?? unheard).state !== 'apart',
    isShared: (kind) => accounts.get(kind)?.state === 'shared',
  };
};
