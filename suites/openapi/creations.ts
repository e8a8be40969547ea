import type { Reason } from '../../src/check/index.ts';
import type { RunPermissions } from '../../src/check/permissions.ts';
import type { OperationUnderTest } from './operations.ts';

/** The part of the creations for single requests; the others are for checks of resources. */
const partOfValues = 0.6;

/** Divides `--max-creates` among the operations, so that the first ones leave something to the others. */
export interface CreationShares {
  /** Why an operation may create no more; null if it may. */
  usedUp(exercised: OperationUnderTest): Reason | null;
  recordStatus(exercised: OperationUnderTest, status: number): void;
}

/** One share for every operation that adds resources, and one for all that replace or delete, which run last. */
export const divideCreations = (
  all: readonly OperationUnderTest[],
  { creations }: RunPermissions,
): CreationShares => {
  const has = (...methods: readonly string[]) =>
    all.filter(({ operation: { method } }) => methods.includes(method)).length;
  const shares = has('POST') + Math.min(1, has('PUT', 'DELETE'));
  const share = Math.max(1, Math.floor((creations * partOfValues) / Math.max(1, shares)));
  const created = new Map<string, number>();
  const createdBy = ({ operation }: OperationUnderTest) => created.get(operation.id) ?? 0;
  return {
    usedUp: (exercised) =>
      exercised.operation.method === 'POST' && createdBy(exercised) >= share
        ? { code: 'max-creates', detail: 'share' }
        : null,
    recordStatus: (exercised, status) => {
      const { id, method } = exercised.operation;
      if (method === 'POST' && status < 300) created.set(id, createdBy(exercised) + 1);
    },
  };
};
