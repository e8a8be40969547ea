import type { RootCause } from '../../report/root-causes.ts';
import type { Failure, RequirementResult } from '../../run/outcome.ts';

/** Whether the failure shows the root cause, or follows from it. */
export const explains = (cause: RootCause, failure: Failure): boolean =>
  (cause.kind === 'failure' && cause.failure === failure) ||
  cause.explains.some((each) => each.failure === failure);

/** Returns the numbers of the root causes whose fixes clear the requirement; empty: it has other failures, too. */
export const clearedBy = (
  { id, failures }: RequirementResult,
  causes: readonly RootCause[],
): readonly number[] => {
  const whole = causes.findIndex(({ clears }) => clears.includes(id));
  const indexes = failures.map((failure) => causes.findIndex((cause) => explains(cause, failure)));
  if (whole < 0 && indexes.includes(-1)) return [];
  return [...new Set(whole < 0 ? indexes : [whole])].map((index) => index + 1).toSorted((a, b) => a - b);
};

/** Whether a root cause already names the requirement, which root causes clear. */
export const isNamedByRootCause = (result: RequirementResult, causes: readonly RootCause[]): boolean =>
  causes.some((cause) => cause.kind === 'failure' && cause.requirement === result.id) &&
  clearedBy(result, causes).length > 0;
