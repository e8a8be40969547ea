import { expect, test } from 'vitest';
import { createAccountSharing } from './account-sharing.ts';

/** Returns the state after responses such as `key 50` or `cookie 49/100@120`: sender, Remaining, limit, and Reset. */
const stateAfter = (responses: string): string => {
  const accounts = createAccountSharing();
  for (const response of responses.split(', ')) {
    const [, by = '', remaining, limit = 60, reset = 60] =
      /^(\w+) (\d+)?(?:\/(\d+))?(?:@(\d+))?$/.exec(response) ?? [];
    const headers = {
      limit: Number(limit),
      remaining: remaining === undefined ? null : Number(remaining),
      resetAt: 1_000 * Number(reset),
      date: null,
      retryAfter: null,
    };
    if (by === 'key') accounts.observeWithKey(headers);
    else accounts.observeWithoutKey(by, headers);
  }
  if (accounts.isShared('keyless')) return 'shared';
  return accounts.mayBeShared('keyless') ? 'may be shared' : 'separate';
};

test.each([
  ['no response without a key yet', 'key 50', 'may be shared'],
  ['one counter falls for both', 'key 3, keyless 2, key 1', 'shared'],
  ['one counter for both in the next window', 'key 3, keyless 2, key 59@120, keyless 58@120', 'shared'],
  ['another limit', 'key 50, keyless 49/100', 'separate'],
  ['more remains than for the key', 'key 50, keyless 59', 'separate'],
  ['less remains than requests may explain', 'key 50, keyless 5', 'separate'],
  [
    'requests without a key do not lower the counter of the key',
    'key 50, keyless 49, keyless 35, key 49',
    'separate',
  ],
  ['two responses without headers', 'key 50, keyless , keyless ', 'may be shared'],
  ['three responses without headers', 'key 50, keyless , keyless , keyless ', 'separate'],
  ['another place of the key has a separate limit', 'key 50, cookie 10000/10000', 'may be shared'],
])('%s: %s -> %s', (_, responses, state) => {
  expect(stateAfter(responses)).toBe(state);
});
