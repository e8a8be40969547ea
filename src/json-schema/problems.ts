import type { ErrorObject } from 'ajv/dist/2020.js';
import { ownText } from '../json/excerpt.ts';
import { fromPointer } from '../json/pointer.ts';
import { typeName } from '../report/text/refusals/documents.ts';
import { intRanges, literal } from './exact-keywords.ts';
import { typesOf } from './types.ts';

/** One rule of a schema that a value breaks. */
export interface SchemaProblem {
  /** JSON pointer into the value; empty: the value itself. */
  readonly pointer: string;
  /** The JSON Schema keyword that is broken. */
  readonly keyword: string;
  /** The member that is wrong: missing, too many, or of a wrong value; null: the value itself. */
  readonly member: string | null;
  readonly expected: string;
  readonly actual: string;
  /** Set if it is unknown whether the rule is broken, because the test could take too long. */
  readonly undecided?: true;
}

/** The problem of a value for which a rule cannot be tested in bounded time. */
export const undecidedProblem = (reason: string): SchemaProblem => ({
  pointer: '',
  keyword: 'pattern',
  member: null,
  expected: 'a match of a pattern that can be tested in bounded time',
  actual: reason,
  undecided: true,
});

/** Longest value that a message shows, in UTF-16 code units. */
const shownLength = 80;

/** Converts an error of ajv (with `verbose`). */
export function toProblem(error: ErrorObject): SchemaProblem {
  const { instancePath: pointer } = error;
  const keyword = standardNames[error.keyword] ?? error.keyword;
  const expected = (wording[keyword]?.expected ?? fallback)(error);
  const actual = (wording[keyword]?.actual ?? shown)(error);
  return { pointer, keyword, member: memberOf(error), expected, actual };
}

const memberOf = ({ instancePath, params }: ErrorObject): string | null =>
  params.missingProperty ??
  params.additionalProperty ??
  params.unevaluatedProperty ??
  fromPointer(instancePath).findLast((name) => !/^\d+$/.test(name)) ??
  null;

const standardNames: Readonly<Record<string, string>> = { exactType: 'type', exactFormat: 'format' };

type Words = (error: ErrorObject) => string;

const fallback: Words = ({ keyword }) => `to meet ${keyword}`;
const shown: Words = ({ data }) => excerpt(literal(data));
const excerpt = (text: string) =>
  text.length > shownLength ? `${ownText(text.slice(0, shownLength), text)}…` : text;

const comparison =
  (words: string): Words =>
  ({ schema }) =>
    `${words} ${literal(schema)}`;

const count =
  (words: string, unit: string): Words =>
  ({ schema }) =>
    `${words} ${schema} ${unit}${schema === 1 ? '' : 's'}`;

const items: Words = ({ data }) => `${Array.isArray(data) ? data.length : 0} items`;
const members: Words = ({ data }) => `${Object.keys(Object(data)).length} members`;
const mostItems: Words = ({ params }) => `to NOT have more than ${params.limit} items`;
const missing: Words = ({ params }) => `a member ${JSON.stringify(params.missingProperty)}`;
const extra = (name: string) => ({
  expected: () => 'no further members',
  actual: ({ params }: ErrorObject) => `a member ${JSON.stringify(params[name])}`,
});

function typeInWords({ schema, parentSchema }: ErrorObject): string {
  const format = String(parentSchema?.exactFormat);
  return typesOf(schema)
    .map((type) => (type === 'integer' && format in intRanges ? `an ${format}` : typeName(type)))
    .join(' or ');
}

const wording: Readonly<Record<string, { readonly expected: Words; readonly actual?: Words }>> = {
  type: { expected: typeInWords },
  format: {
    expected: ({ schema }) => (String(schema) in intRanges ? `an ${schema}` : `the format ${schema}`),
  },
  minimum: { expected: comparison('at least') },
  maximum: { expected: comparison('at most') },
  exclusiveMinimum: { expected: comparison('more than') },
  exclusiveMaximum: { expected: comparison('less than') },
  multipleOf: { expected: comparison('a multiple of') },
  enum: { expected: ({ schema }) => `one of ${[schema].flat().map(literal).join(', ')}` },
  const: { expected: ({ schema }) => literal(schema) },
  minLength: { expected: count('at least', 'character') },
  maxLength: { expected: count('at most', 'character') },
  pattern: { expected: ({ schema }) => `a match of /${schema}/` },
  minItems: { expected: count('at least', 'item'), actual: items },
  maxItems: { expected: count('at most', 'item'), actual: items },
  uniqueItems: { expected: () => 'items that all differ' },
  minProperties: { expected: count('at least', 'member'), actual: members },
  maxProperties: { expected: count('at most', 'member'), actual: members },
  required: { expected: missing },
  dependentRequired: { expected: missing },
  additionalProperties: extra('additionalProperty'),
  unevaluatedProperties: extra('unevaluatedProperty'),
  not: { expected: () => 'to NOT be valid' },
  anyOf: { expected: () => 'to match a schema in anyOf' },
  oneOf: { expected: () => 'to match exactly one schema in oneOf' },
  if: { expected: ({ params }) => `to match "${params.failingKeyword}" schema` },
  contains: {
    expected: ({ params: { minContains, maxContains } }) =>
      `to contain at least ${minContains}${maxContains === undefined ? '' : ` and no more than ${maxContains}`} valid item(s)`,
  },
  propertyNames: { expected: () => 'property name must be valid' },
  items: { expected: mostItems },
  unevaluatedItems: { expected: mostItems },
  'false schema': { expected: () => 'no value' },
};
