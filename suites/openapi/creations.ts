import { isCreation, reservedForRefusals } from '../../src/check/creations.ts';
import type { RunPermissions } from '../../src/check/permissions.ts';
import type { Reason } from '../../src/oracle/reason.ts';
import type { OperationUnderTest } from './operations.ts';

/** Divides `--max-creates` among the operations, so that the first ones leave something to the others. */
export interface CreationShares {
  /** Why an operation may create no more; null if it may. */
  usedUp(exercised: OperationUnderTest): Reason | null;
  recordStatus(exercised: OperationUnderTest, status: number): void;
}

/** One share for every operation that adds resources, and one for all that replace or delete, which run last. */
export const divideCreations = (
  all: readonly OperationUnderTest[],
  { maxCreates }: RunPermissions,
): CreationShares => {
  const has = (...methods: readonly string[]) =>
    all.filter(({ operation: { method } }) => methods.includes(method)).length;
  const shares = has('POST') + Math.min(1, has('PUT', 'DELETE'));
  const share = Math.max(1, Math.floor((maxCreates - reservedForRefusals(maxCreates)) / Math.max(1, shares)));
  const created = new Map<string, number>();
  const createdBy = ({ operation }: OperationUnderTest) => created.get(operation.id) ?? 0;
  return {
    usedUp: (exercised) =>
      exercised.operation.method === 'POST' && createdBy(exercised) >= share
        ? { code: 'max-creates', detail: 'share' }
        : null,
    recordStatus: (exercised, status) => {
      const { id, method } = exercised.operation;
      if (isCreation(method, status)) created.set(id, createdBy(exercised) + 1);
    },
  };
};
