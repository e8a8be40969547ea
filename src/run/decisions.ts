import { type Check, coveredBy } from '../check/check.ts';
import type { Requirement } from '../openapi/requirement.ts';
import { oracleRequirements } from '../oracle/oracle.ts';

/** Follows which requirements are decided while checks still run. */
export interface Decisions {
  /** All cases of a check were run. */
  checked(check: Check<unknown>): void;
}

/** What any later response may still break. GET-4 is among it, as an operation may fail now and then. */
const ofEveryResponse: readonly string[] = [...oracleRequirements, 'GET-4'];

/**
 * Decisions on the requirements whose checks, and those of the requirements they depend on, have all run. What every response gives
 * evidence on is certain only at the end, and so is what `isOpen` names.
 */
export const createDecisions = (
  catalogue: readonly Requirement[],
  checks: readonly Check<unknown>[],
  isOpen: (id: string) => boolean,
  decided: (requirement: Requirement) => void,
): Decisions => {
  const isEarly = (id: string) => !ofEveryResponse.includes(id) && !isOpen(id);
  const waiting = new Map(
    catalogue
      .filter(({ id, dependsOn }) => [id, ...dependsOn].every(isEarly))
      .map((requirement) => {
        const ids = [requirement.id, ...requirement.dependsOn];
        const needed = checks.filter((check) => coveredBy(check).some((id) => ids.includes(id)));
        return [requirement, new Set(needed)] as const;
      })
      .filter(([, needed]) => needed.size > 0),
  );
  return {
    checked: (check) => {
      for (const [requirement, needed] of waiting) {
        if (!needed.delete(check) || needed.size > 0) continue;
        waiting.delete(requirement);
        decided(requirement);
      }
    },
  };
};
