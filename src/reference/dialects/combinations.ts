import fc, { type Arbitrary } from 'fast-check';
import type { Dialect } from '../patch.ts';
import { dialects } from './index.ts';

/** Two to eight dialects, at most one of each choice, for one conforming server. Shrinks to fewer. */
export const combination = (): Arbitrary<readonly Dialect[]> =>
  fc.uniqueArray(fc.constantFrom(...dialects), {
    minLength: 2,
    maxLength: 8,
    size: 'max',
    selector: ({ name, choice }) => choice ?? name,
  });
