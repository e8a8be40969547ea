import { memoized } from '../util/memoize.ts';
import { anything, type FlatSchema, merge, ownRules } from './flatten.ts';
import { checkKeywords } from './keywords.ts';
import { referenceProblems } from './refusals.ts';
import {
  isSchema,
  isSchemaObject,
  type JsonSchema,
  locate,
  resolveRef,
  type SchemaObject,
  schemaList,
  schemaMap,
  stringList,
  UnsupportedKeyword,
} from './schema.ts';
import { kinds } from './types.ts';

const types = kinds.filter((kind) => kind !== 'fraction');

/**
 * Returns schemas such that a value is valid for one of them exactly if it is invalid for `schema`. Then values of `not` can be generated
 * directly. Null: plain rules cannot express it.
 */
function negate(schema: JsonSchema): readonly JsonSchema[] | null {
  if (typeof schema === 'boolean') return schema ? [] : [true];
  const [keyword, ...others] = Object.keys(schema);
  if (keyword === undefined) return [];
  return others.length > 0 ? null : (rules[keyword]?.(schema) ?? null);
}

const rules: Readonly<Record<string, (schema: SchemaObject) => readonly JsonSchema[] | null>> = {
  type: (schema) => otherTypes(schema.type),
  required: (schema) =>
    stringList(schema.required).map((name) => ({ type: 'object', properties: { [name]: false } })),
  not: (schema) => (isSchema(schema.not) ? [schema.not] : null),
  anyOf: (schema) => [{ allOf: schemaList(schema.anyOf).map((part) => ({ not: part })) }],
  allOf: (schema) => schemaList(schema.allOf).map((part) => ({ not: part })),
};

/** Types other than these. `number` without `integer` is a fraction. */
function otherTypes(type: unknown): readonly JsonSchema[] | null {
  const excluded = typeof type === 'string' ? [type] : stringList(type);
  if (excluded.includes('integer') && !excluded.includes('number')) return null;
  return types
    .filter((kind) => !excluded.includes(kind) && !(kind === 'integer' && excluded.includes('number')))
    .map((kind) => ({ type: kind === 'integer' ? 'number' : kind }));
}

/** The maximal number of alternatives. Without the others, values are still valid, but less varied. */
const maxAlternatives = 128;

/**
 * Flat schemas: a valid value is valid for at least one of them. There are none if the schema is obviously contradictory. `not`, `oneOf`
 * and similar keywords make a flat schema inexact: its values must be validated with the schema itself.
 */
export function alternatives(
  schema: JsonSchema,
  root: unknown,
  open: readonly SchemaObject[] = [],
): readonly FlatSchema[] {
  if (typeof schema === 'boolean') return schema ? [anything] : [];
  if (open.includes(schema))
    throw new UnsupportedKeyword('$ref', locate(schema, root), referenceProblems.ofItself);
  const known = knownIn(root);
  const flats = known.get(schema) ?? expanded(schema, root, open);
  known.set(schema, flats);
  return flats;
}

/** Schemas are visited many times, from every place of a value. */
const knownInDocument = memoized((_root: object) => new WeakMap<SchemaObject, readonly FlatSchema[]>());
const knownIn = (root: unknown): WeakMap<SchemaObject, readonly FlatSchema[]> =>
  typeof root === 'object' && root !== null ? knownInDocument(root) : new WeakMap();

function expanded(schema: SchemaObject, root: unknown, open: readonly SchemaObject[]): readonly FlatSchema[] {
  checkKeywords(schema, root);
  const expand = (part: JsonSchema) => alternatives(part, root, [...open, schema]);
  return [...references(schema, root), ...schemaList(schema.allOf)]
    .map(expand)
    .concat(choices(schema).map((choice) => choice.flatMap(expand)))
    .reduce(cross, [ownRules(schema)])
    .map((flat) => (needsJudging(schema) ? { ...flat, exact: false } : flat));
}

const references = (schema: SchemaObject, root: unknown): readonly JsonSchema[] =>
  schema.$ref === undefined ? [] : [resolveRef(schema, root)];

/** The choices of a schema: each inner list has the alternatives of one choice. */
function choices(schema: SchemaObject): readonly (readonly JsonSchema[])[] {
  return [
    ...['anyOf', 'oneOf']
      .filter((keyword) => Object.hasOwn(schema, keyword))
      .map((keyword) => schemaList(schema[keyword])),
    ...(isSchema(schema.not) ? [negate(schema.not) ?? [true]] : []),
    ...(isSchema(schema.if) ? [conditional(schema.if, schema.then, schema.else)] : []),
    ...[...schemaMap(schema.dependentSchemas)].map(([name, dependent]) => unlessPresent(name, dependent)),
    ...dependentNames(schema).map(([name, names]) => unlessPresent(name, { required: names })),
  ];
}

const dependentNames = (schema: SchemaObject): readonly (readonly [string, readonly string[]])[] =>
  isSchemaObject(schema.dependentRequired)
    ? Object.entries(schema.dependentRequired).map(([name, names]) => [name, stringList(names)] as const)
    : [];

const unlessPresent = (name: string, dependent: JsonSchema): readonly JsonSchema[] => [
  { allOf: [{ required: [name] }, dependent] },
  { properties: { [name]: false } },
];

const conditional = (condition: JsonSchema, then: unknown, otherwise: unknown): readonly JsonSchema[] => [
  { allOf: [condition, isSchema(then) ? then : true] },
  { allOf: [{ not: condition }, isSchema(otherwise) ? otherwise : true] },
];

const needsJudging = (schema: SchemaObject): boolean =>
  schemaList(schema.oneOf).length > 1 ||
  (isSchema(schema.not) && negate(schema.not) === null) ||
  Object.hasOwn(schema, 'unevaluatedProperties') ||
  Object.hasOwn(schema, 'unevaluatedItems');

const cross = (left: readonly FlatSchema[], right: readonly FlatSchema[]): readonly FlatSchema[] =>
  left.flatMap((a) => right.map((b) => merge(a, b))).slice(0, maxAlternatives);
