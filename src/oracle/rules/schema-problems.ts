import { type Finding, inconclusive } from '../../finding/finding.ts';
import type { SchemaMistake } from '../../finding/words/schema.ts';
import { readPartOf } from '../../http/parsed-response.ts';
import { isJsonObject, type Json } from '../../json/json.ts';
import type { SchemaProblem } from '../../json-schema/compile.ts';
import { breach, type RuleSubject } from '../rule.ts';

/** The name of a body, or of the item of a list that a pointer leads into. */
const nameIn = (body: Json | undefined, pointer: string): Pick<SchemaMistake, 'name'> => {
  const owner = Array.isArray(body) ? body[Number(pointer.split('/')[1])] : body;
  return isJsonObject(owner) && typeof owner.name === 'string' ? { name: owner.name } : {};
};

/** Returns a breach for a body that violates its schema, or inconclusive if the validator could not decide. */
export const schemaProblems = (
  subject: RuleSubject,
  requirement: string,
  problems: readonly SchemaProblem[],
): Finding => {
  const decided = problems.filter(({ undecided }) => undecided !== true);
  if (decided.length === 0)
    return inconclusive(requirement, { code: 'slow-pattern', problem: problems[0]?.actual ?? '' });
  const body = readPartOf(subject.response);
  const mistakes = decided.map(({ pointer, keyword, member, wanted, actual }) => ({
    pointer,
    keyword,
    member,
    wanted,
    actual,
    ...nameIn(body, pointer),
  }));
  return breach(subject, requirement, {
    rule: 'schema',
    mistakes,
    items: Array.isArray(body) ? body.length : null,
  });
};
