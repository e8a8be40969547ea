import type { Level, Requirement } from '../openapi/requirement.ts';
import { demand, isText } from './demand.ts';
import { ownSection, definitionProblems as problems } from './refusals.ts';

/** A requirement of your own, as `defineRequirement` returns it. */
export interface OwnRequirement extends Requirement {
  readonly kind: 'requirement';
}

/** What `defineRequirement` takes. */
export interface RequirementDefinition {
  /** A prefix of your own and a number: `ACME-1`. Permanent: reports and lists of known failures name it. */
  readonly id: string;
  /** MUST: a failure fails the run. SHOULD: it is a warning. OPEN: the check only observes. Default: MUST. */
  readonly level?: Level;
  /** One sentence in the present tense: `GET /pets is sorted by id`. */
  readonly statement: string;
  /** Where it is written down. Default: `Own requirement`. */
  readonly section?: string;
  /** Requirements, of any prefix, without which this one cannot be tested. */
  readonly dependsOn?: readonly string[];
}

/**
 * Defines a requirement of your own.
 *
 * @throws Error if the id is not of the form `ACME-1`, or the statement is missing.
 */
export const defineRequirement = (definition: RequirementDefinition): OwnRequirement => {
  const { id, level = 'MUST', statement, section = ownSection, dependsOn = [] } = definition;
  demand(isText(id), problems.noId);
  demand(/^[A-Z]+-[1-9]\d*$/.test(id), problems.idForm(id));
  demand(isText(statement), problems.noStatement(id));
  demand(['MUST', 'SHOULD', 'OPEN'].includes(level), problems.level(id));
  return { kind: 'requirement', id, level, statement, section, subject: 'server', dependsOn };
};
