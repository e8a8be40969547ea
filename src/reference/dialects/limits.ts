import type { Dialect } from '../patch.ts';
import { replace } from '../patches.ts';

/** Choices about rate limits. */
export const limitDialects: readonly Dialect[] = [
  {
    name: 'retry-after-as-a-date',
    description: 'Retry-After is an HTTP-date.',
    patch: replace('retryAfter', () => (retryAt) => new Date(Math.ceil(retryAt / 1000) * 1000).toUTCString()),
  },
];
