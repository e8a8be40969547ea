import type { RequirementResult } from '../run/outcome.ts';

/** All failures follow from an earlier request. */
const followsFromRequest = ({ failures }: RequirementResult): boolean =>
  failures.length > 0 && failures.every(({ causedBy }) => causedBy !== undefined);

/** The requirements that this one blocks. */
export const blockedBy = (id: string, results: readonly RequirementResult[]): readonly string[] =>
  results.filter(({ blockedBy }) => blockedBy === id).map((result) => result.id);

/** What keeps so many others from being judged concerns a whole operation. */
const fewestBlocked = 4;

const weightOf = (result: RequirementResult, blocked: number): number => {
  if (followsFromRequest(result)) return Number.POSITIVE_INFINITY;
  return blocked < fewestBlocked ? 0 : blocked;
};

/** What fails, the most pressing first: what follows from one request together; what keeps many others from being judged, the more the sooner; then the document's order. */
export const byBlockedCount = (
  some: readonly RequirementResult[],
  all: readonly RequirementResult[],
): readonly RequirementResult[] =>
  some
    .map((result) => ({ result, blocked: blockedBy(result.id, all).length }))
    .map(({ result, blocked }) => ({ result, weight: weightOf(result, blocked) }))
    .sort((a, b) => (a.weight === b.weight ? 0 : b.weight - a.weight))
    .map(({ result }) => result);
