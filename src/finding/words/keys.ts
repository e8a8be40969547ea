import type { KeySlot } from '../../http/exchange.ts';
import type { PaceSlot } from '../../http/pacing-types.ts';

export const keys: Readonly<Record<PaceSlot, string>> = {
  main: 'the API key',
  'rate-limit': 'the rate limit key',
  anonymous: 'requests without a valid key',
};

/** The reason for a key that only this run should use. */
export const othersUse = (key: KeySlot): string => `others use ${keys[key]} at the same time`;
