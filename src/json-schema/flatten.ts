import { sameJson } from '../json/equal.ts';
import { isNumeric, type Json, toJson } from '../json/json.ts';
import { type Decimal, toDecimal } from '../json/number.ts';
import { matcherOf } from './patterns/pattern.ts';
import {
  both,
  isSchema,
  type JsonSchema,
  type SchemaObject,
  schemaList,
  schemaMap,
  stringList,
} from './schema.ts';
import { type Kind, kinds, kindsOf } from './types.ts';

export interface Bound {
  readonly value: bigint | number;
  readonly exclusive: boolean;
}

export interface Contains {
  readonly schema: JsonSchema;
  readonly min: number;
  readonly max: number;
}

/**
 * A schema with its references and combinations resolved: one conjunction of plain rules. Subschemas are not resolved, because a schema
 * may contain itself.
 */
export interface FlatSchema {
  readonly kinds: ReadonlySet<Kind>;
  /** The values of `enum` and `const`; null: any value. */
  readonly values: readonly Json[] | null;
  readonly minima: readonly Bound[];
  readonly maxima: readonly Bound[];
  readonly multiples: readonly Decimal[];
  readonly formats: readonly string[];
  readonly patterns: readonly string[];
  /** In code points. */
  readonly length: Span;
  readonly prefix: readonly JsonSchema[];
  readonly items: JsonSchema;
  readonly contains: readonly Contains[];
  readonly count: Span;
  readonly unique: boolean;
  readonly properties: ReadonlyMap<string, JsonSchema>;
  readonly patternProperties: readonly (readonly [pattern: string, schema: JsonSchema])[];
  readonly additional: JsonSchema;
  /** The schema has a rule for additional properties, so they are expected. */
  readonly extras: boolean;
  readonly names: JsonSchema;
  readonly required: ReadonlySet<string>;
  readonly size: Span;
  /** The rules above are complete: a value that matches them needs no further validation. */
  readonly exact: boolean;
  /** The schemas whose rules are combined here. */
  readonly sources: readonly SchemaObject[];
}

export interface Span {
  readonly min: number;
  readonly max: number;
}

const anyCount: Span = { min: 0, max: Number.POSITIVE_INFINITY };

export const anything: FlatSchema = {
  kinds: new Set(kinds),
  values: null,
  minima: [],
  maxima: [],
  multiples: [],
  formats: [],
  patterns: [],
  length: anyCount,
  prefix: [],
  items: true,
  contains: [],
  count: anyCount,
  unique: false,
  properties: new Map(),
  patternProperties: [],
  additional: true,
  extras: false,
  names: true,
  required: new Set(),
  size: anyCount,
  exact: true,
  sources: [],
};

/** The rules of a schema object, without its references and combinations. */
export function ownRules(schema: SchemaObject): FlatSchema {
  const patternProperties = [...schemaMap(schema.patternProperties)];
  const own = {
    ...anything,
    kinds: kindsOf(schema.type),
    values: valuesOf(schema),
    minima: bounds(schema.minimum, schema.exclusiveMinimum),
    maxima: bounds(schema.maximum, schema.exclusiveMaximum),
    multiples: isNumeric(schema.multipleOf) ? [toDecimal(schema.multipleOf)] : [],
    formats: formatsOf(schema),
    patterns: typeof schema.pattern === 'string' ? [schema.pattern] : [],
    length: span(schema.minLength, schema.maxLength),
    prefix: schemaList(schema.prefixItems),
    items: subschema(schema.items),
    contains: isSchema(schema.contains)
      ? [{ schema: schema.contains, ...span(schema.minContains ?? 1, schema.maxContains) }]
      : [],
    count: span(schema.minItems, schema.maxItems),
    unique: schema.uniqueItems === true,
    patternProperties,
    additional: subschema(schema.additionalProperties),
    extras: schema.additionalProperties !== undefined,
    names: subschema(schema.propertyNames),
    required: new Set(stringList(schema.required)),
    size: span(schema.minProperties, schema.maxProperties),
    sources: [schema],
  };
  const properties = [...schemaMap(schema.properties)].map(
    ([name, property]) => [name, both(property, matching(own, name) ?? true)] as const,
  );
  return { ...own, properties: new Map(properties) };
}

/** A content keyword restricts what a server can read, as a format does. */
const formatsOf = ({ format, contentEncoding, contentMediaType }: SchemaObject): readonly string[] =>
  [
    ...new Set([
      format,
      contentEncoding === 'base64' ? 'byte' : contentEncoding,
      contentEncoding === undefined ? contentMediaType : undefined,
    ]),
  ].filter((name) => typeof name === 'string');

/** The schema of a property by its name. */
export const propertySchema = (flat: FlatSchema, name: string): JsonSchema =>
  flat.properties.get(name) ?? matching(flat, name) ?? flat.additional;

const matching = (flat: FlatSchema, name: string): JsonSchema | null =>
  flat.patternProperties
    .filter(([pattern]) => matcherOf(pattern)(name))
    .map(([, schema]) => schema)
    .reduce<JsonSchema | null>((all, schema) => (all === null ? schema : both(all, schema)), null);

/** The schema of the item at an index. */
export const itemSchema = (flat: FlatSchema, index: number): JsonSchema => flat.prefix[index] ?? flat.items;

const subschema = (value: unknown): JsonSchema => (isSchema(value) ? value : true);

/** An infinite bound is ignored: a number above every double is read as infinity. */
const bounds = (inclusive: unknown, exclusive: unknown): readonly Bound[] => [
  ...(isFiniteNumber(inclusive) ? [{ value: inclusive, exclusive: false }] : []),
  ...(isFiniteNumber(exclusive) ? [{ value: exclusive, exclusive: true }] : []),
];

const isFiniteNumber = (value: unknown): value is bigint | number =>
  typeof value === 'bigint' || Number.isFinite(value);

const span = (min: unknown, max: unknown): Span => ({
  min: isNumeric(min) ? Number(min) : 0,
  max: isNumeric(max) ? Number(max) : Number.POSITIVE_INFINITY,
});

const valuesOf = (schema: SchemaObject): readonly Json[] | null => {
  const listed = Array.isArray(schema.enum) ? schema.enum.map(toJson) : null;
  if (!Object.hasOwn(schema, 'const')) return listed;
  const value = toJson(schema.const);
  return listed ? commonValues(listed, [value]) : [value];
};

const commonValues = (a: readonly Json[], b: readonly Json[]): readonly Json[] =>
  a.filter((value) => b.some((other) => sameJson(value, other)));

/** The conjunction of two flat schemas. */
export function merge(a: FlatSchema, b: FlatSchema): FlatSchema {
  return {
    kinds: new Set([...a.kinds].filter((kind) => b.kinds.has(kind))),
    values: a.values && b.values ? commonValues(a.values, b.values) : (a.values ?? b.values),
    minima: [...a.minima, ...b.minima],
    maxima: [...a.maxima, ...b.maxima],
    multiples: [...a.multiples, ...b.multiples],
    formats: union(a.formats, b.formats),
    patterns: union(a.patterns, b.patterns),
    length: narrower(a.length, b.length),
    prefix: Array.from({ length: Math.max(a.prefix.length, b.prefix.length) }, (_, index) =>
      both(itemSchema(a, index), itemSchema(b, index)),
    ),
    items: both(a.items, b.items),
    contains: [...a.contains, ...b.contains],
    count: narrower(a.count, b.count),
    unique: a.unique || b.unique,
    properties: new Map(
      union([...a.properties.keys()], [...b.properties.keys()]).map((name) => [
        name,
        both(propertySchema(a, name), propertySchema(b, name)),
      ]),
    ),
    patternProperties: [...restricted(a, b), ...restricted(b, a)],
    additional: both(a.additional, b.additional),
    extras: a.extras || b.extras,
    names: both(a.names, b.names),
    required: new Set([...a.required, ...b.required]),
    size: narrower(a.size, b.size),
    exact: a.exact && b.exact,
    sources: union(a.sources, b.sources),
  };
}

/** A name that matches a pattern of one side is an additional one on the other side, unless that has the same pattern. */
const restricted = (flat: FlatSchema, other: FlatSchema) =>
  flat.patternProperties.map(([pattern, schema]): readonly [string, JsonSchema] => {
    const twin = other.patternProperties.find(([text]) => text === pattern);
    return [pattern, both(schema, twin ? true : other.additional)];
  });

const union = <T>(a: readonly T[], b: readonly T[]): readonly T[] => [...new Set([...a, ...b])];

const narrower = (a: Span, b: Span): Span => ({ min: Math.max(a.min, b.min), max: Math.min(a.max, b.max) });
