import type { Circumstances } from '../../src/run/circumstances.ts';
import { isCreation, reservedForRefusals } from '../../src/run/creation-allowance.ts';
import type { OperationUnderTest } from './operations.ts';

/** What each operation may create of `--max-creates`, so that those which come first leave something to the others. */
export interface CreationShares {
  /** Why an operation is to create no more; null: it may. */
  usedUp(exercised: OperationUnderTest): string | null;
  answered(exercised: OperationUnderTest, status: number): void;
}

/** A share for every operation that adds something, and one for all that replace or delete: these come last. */
export const divideCreations = (
  all: readonly OperationUnderTest[],
  { maxCreates }: Circumstances,
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
        ? 'the rest of what the run may create is left to other operations (--max-creates)'
        : null,
    answered: (exercised, status) => {
      const { id, method } = exercised.operation;
      if (isCreation(method, status)) created.set(id, createdBy(exercised) + 1);
    },
  };
};
