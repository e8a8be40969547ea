import { isOfServer, type RequirementResult } from '../run/outcome.ts';

/** Whether an earlier request causes all failures. */
const followsFromRequest = ({ failures }: RequirementResult): boolean =>
  failures.length > 0 && failures.every((failure) => isOfServer(failure) && failure.causedBy !== undefined);

/** Returns the requirements that this one blocks. */
export const blockedBy = (id: string, results: readonly RequirementResult[]): readonly string[] =>
  results.filter(({ blockedBy }) => blockedBy === id).map((result) => result.id);

/** A failure that blocks so many requirements concerns a whole operation. */
const fewestBlocked = 4;

const weightOf = (result: RequirementResult, all: readonly RequirementResult[]): number => {
  if (followsFromRequest(result)) return Number.MAX_SAFE_INTEGER;
  const blocked = blockedBy(result.id, all).length;
  return blocked < fewestBlocked ? 0 : blocked;
};

/** Sorts failed requirements: caused by an earlier request, then by how many requirements they block, then as in the document. */
export const byBlockedCount = (
  some: readonly RequirementResult[],
  all: readonly RequirementResult[],
): readonly RequirementResult[] => some.toSorted((a, b) => weightOf(b, all) - weightOf(a, all));
