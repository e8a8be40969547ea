import type { Check } from '../check/check.ts';
import { hashOf } from '../util/hash.ts';

type Shard = { readonly index: number; readonly of: number };

/**
 * Tells whether a shard covers a case. Every check has a case in every shard, so that each shard tests every requirement; a check with
 * fewer cases than shards repeats some. Checks start at different shards: otherwise the first shard gets the most cases.
 * A check that uses up a limit runs in the first shard only: shards may run at once, and they have the same keys.
 */
export const coversCase =
  ({ index, of }: Shard, caseCount: (check: Check<unknown>) => number) =>
  (check: Check<unknown>, position: number): boolean => {
    if (check.phase === 'exhaust-limit') return index === 1;
    const shard = (index - 1 + hashOf(check.id)) % of;
    const count = caseCount(check);
    return count < of ? position === shard % count : position % of === shard;
  };
