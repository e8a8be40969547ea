import type { Json } from '../../json/json.ts';
import { parseJson } from '../../json/parse.ts';
import { stringifyJson } from '../../json/stringify.ts';
import type { SchemaProblem, SchemaValidator } from '../compile.ts';

/** If one of these fails, the validator also reports the problems of its parts, at any place. */
const collective = new Set(['anyOf', 'oneOf', 'if', 'not', 'contains', 'propertyNames', 'dependentSchemas']);

/** Keywords that a value also breaks if it breaks another one: no value of another type is an enum value. */
const companions: Readonly<Record<string, readonly string[]>> = {
  type: ['enum', 'const'],
  enum: ['const'],
  items: ['false schema'],
};

/**
 * Tells whether a value, written as JSON and read back, breaks the keyword at the pointer, and nothing else anywhere.
 */
export const breaksOnly =
  (validate: SchemaValidator, keyword: string, pointer: string) =>
  (value: Json): boolean => {
    const parsed = parseJson(stringifyJson(value));
    if (!parsed.ok) return false;
    const problems = validate(parsed.value);
    if (problems.some(({ undecided }) => undecided)) return false;
    const spread = problems.filter(
      (problem) => collective.has(problem.keyword) && isAtOrBelow(pointer, problem.pointer),
    );
    const reasons = [
      ...spread.map((problem) => problem.pointer),
      ...(keyword === 'dependentSchemas' ? [pointer] : []),
    ];
    return (
      problems.some((problem) => isBroken(problem, keyword, pointer)) &&
      problems.every(
        (problem) =>
          isPart(problem, keyword, pointer) || reasons.some((reason) => isAtOrBelow(problem.pointer, reason)),
      )
    );
  };

const isBroken = (problem: SchemaProblem, keyword: string, pointer: string) =>
  keyword === 'dependentSchemas' || keyword === 'items'
    ? isAtOrBelow(problem.pointer, pointer)
    : problem.pointer === pointer && problem.keyword === keyword;

const isPart = (problem: SchemaProblem, keyword: string, pointer: string) =>
  (problem.pointer === pointer &&
    (problem.keyword === keyword || companions[keyword]?.includes(problem.keyword))) ||
  (keyword === 'items' && isBroken(problem, keyword, pointer));

const isAtOrBelow = (pointer: string, ancestor: string) =>
  pointer === ancestor || pointer.startsWith(`${ancestor}/`);
