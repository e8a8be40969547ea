import type { ErrorObject } from 'ajv/dist/2020.js';
import { ownText } from '../json/excerpt.ts';
import { fromPointer } from '../json/pointer.ts';
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
  /** What the keyword demands: names, numbers, values as JSON. Empty if the keyword says it. */
  readonly wanted: readonly string[];
  /** The value as JSON; for some keywords, the number of its parts, or the name of its wrong member. */
  readonly actual: string;
  /** Set if it is unknown whether the rule is broken, because the test could take too long. */
  readonly undecided?: true;
}

/** The problem of a value for which a rule cannot be tested in bounded time. */
export const undecidedProblem = (reason: string): SchemaProblem => ({
  pointer: '',
  keyword: 'pattern',
  member: null,
  wanted: [],
  actual: reason,
  undecided: true,
});

/** Longest value that a message shows, in UTF-16 code units. */
const shownLength = 80;

/** Converts an error of ajv (with `verbose`). */
export function toProblem(error: ErrorObject): SchemaProblem {
  const { instancePath: pointer } = error;
  const keyword = keywordOf(error);
  const wanted = demands[keyword]?.(error) ?? [];
  return { pointer, keyword, member: memberOf(error), wanted, actual: (parts[keyword] ?? shown)(error) };
}

/** The JSON Schema keyword of an error of ajv. */
export const keywordOf = ({ keyword }: ErrorObject): string => standardNames[keyword] ?? keyword;

const memberOf = ({ instancePath, params }: ErrorObject): string | null =>
  params.missingProperty ??
  params.additionalProperty ??
  params.unevaluatedProperty ??
  fromPointer(instancePath).findLast((name) => !/^\d+$/.test(name)) ??
  null;

const standardNames: Readonly<Record<string, string>> = { exactType: 'type', exactFormat: 'format' };

const shown = ({ data }: ErrorObject): string => excerpt(literal(data));
const excerpt = (text: string) =>
  text.length > shownLength ? `${ownText(text.slice(0, shownLength), text)}…` : text;

type Demand = (error: ErrorObject) => readonly string[];

/** A list for `enum`, one value for other keywords. */
const ofValues: Demand = ({ keyword, schema }) =>
  (keyword === 'enum' ? [schema].flat() : [schema]).map(literal);
const text: Demand = ({ schema }) => [String(schema)];
const missing: Demand = ({ params }) => [JSON.stringify(params.missingProperty)];
const limit: Demand = ({ params }) => [String(params.limit)];

/** An integer format is more exact than the type. */
const types: Demand = ({ schema, parentSchema }) => {
  const format = String(parentSchema?.exactFormat);
  return typesOf(schema).map((type) => (type === 'integer' && format in intRanges ? format : type));
};

const sizes = ['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'];
const bounds = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

const demands: Readonly<Record<string, Demand>> = {
  type: types,
  ...Object.fromEntries(['format', 'pattern', ...sizes].map((keyword) => [keyword, text])),
  ...Object.fromEntries(['enum', 'const', ...bounds].map((keyword) => [keyword, ofValues])),
  ...Object.fromEntries(['required', 'dependentRequired'].map((keyword) => [keyword, missing])),
  ...Object.fromEntries(['items', 'unevaluatedItems'].map((keyword) => [keyword, limit])),
  if: ({ params }) => [params.failingKeyword],
  contains: ({ params: { minContains, maxContains } }) => [minContains, maxContains ?? []].flat().map(String),
};

const items = ({ data }: ErrorObject) => String(Array.isArray(data) ? data.length : 0);
const members = ({ data }: ErrorObject) => String(Object.keys(Object(data)).length);

/** What is shown in place of the value. */
const parts: Readonly<Record<string, (error: ErrorObject) => string>> = {
  minItems: items,
  maxItems: items,
  minProperties: members,
  maxProperties: members,
  additionalProperties: ({ params }) => JSON.stringify(params.additionalProperty),
  unevaluatedProperties: ({ params }) => JSON.stringify(params.unevaluatedProperty),
};
