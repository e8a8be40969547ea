import { kindOfResource, mayHaveCreated } from '../../src/check/creations.ts';
import type { ApiResponse, Reason } from '../../src/check/index.ts';
import { memoized } from '../../src/check/memoized.ts';
import type { RunPermissions } from '../../src/check/permissions.ts';
import type { OperationUnderTest } from './operations.ts';

/** The part of the creations for single requests; the others are for checks of resources. */
const partOfValues = 0.6;

/** Divides `--max-creates` among the operations of a kind of resource, so that the first ones leave something to the others. */
export interface CreationShares {
  /** Why an operation may create no more; null if it may. */
  usedUp(exercised: OperationUnderTest): Reason | null;
  record(exercised: OperationUnderTest, response: Pick<ApiResponse, 'status' | 'header' | 'json'>): void;
}

/**
 * One share for every operation that adds resources of a kind, and one for all that replace or delete them, which run last. An operation that
 * creates nothing, such as a search, uses nothing up.
 */
export const divideCreations = (
  all: readonly OperationUnderTest[],
  { creations }: RunPermissions,
): CreationShares => {
  const created = new Map<string, number>();
  const createdBy = ({ operation }: OperationUnderTest) => created.get(operation.id) ?? 0;
  const shareOf = memoized(({ operation }: OperationUnderTest): number => {
    const same = all.filter((other) => kindOfResource(other.operation) === kindOfResource(operation));
    const has = (...methods: readonly string[]) =>
      same.filter(({ operation: { method } }) => methods.includes(method)).length;
    const shares = has('POST') + Math.min(1, has('PUT', 'DELETE'));
    return Math.max(1, Math.floor((creations * partOfValues) / Math.max(1, shares)));
  });
  return {
    usedUp: (exercised) =>
      exercised.operation.method === 'POST' && createdBy(exercised) >= shareOf(exercised)
        ? { code: 'max-creates', detail: 'share' }
        : null,
    record: (exercised, response) => {
      const { document, operation } = exercised;
      if (operation.method === 'POST' && mayHaveCreated(document, operation, response))
        created.set(operation.id, createdBy(exercised) + 1);
    },
  };
};
