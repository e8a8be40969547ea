import fc, { type Arbitrary } from 'fast-check';
import { distinct } from '../../json/equal.ts';
import type { Json } from '../../json/json.ts';
import { alternatives } from '../alternatives.ts';
import type { FlatSchema } from '../flatten.ts';
import { noValue, wantedValues } from '../refusals.ts';
import { ifSatisfiable, type JsonSchema, type SchemaObject, UnsatisfiableSchema } from '../schema.ts';
import { type Kind, kinds } from '../types.ts';
import { arrays } from './arrays.ts';
import { filterNow } from './bounded-filter.ts';
import { fractions, integers } from './numbers.ts';
import { objects } from './objects.ts';
import { strings } from './strings.ts';
import { memoizedSource, type Position, sizeOf, type ValueSource } from './value-source.ts';

const scalar: Arbitrary<Json> = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.bigInt({ min: -1000n, max: 1000n }),
  fc.string(),
  fc.constantFrom(0.5, -1.25),
);

/** Small values of every type, for a schema without rules. */
const anyValue: ValueSource = {
  arbitrary: fc.oneof(
    { withCrossShrink: true },
    { weight: 4, arbitrary: scalar },
    { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
    {
      weight: 1,
      arbitrary: fc.dictionary(fc.string({ minLength: 1 }), scalar, { maxKeys: 3, noNullPrototype: true }),
    },
  ),
  boundaries: () => ['a', null, true, 0n, 1n, 0.5, '', [], [0n], {}, { a: 0n }],
};

/** A position in the value whose values are given instead of generated; `forced`: it must be there. */
export interface Override {
  readonly steps: readonly string[];
  readonly valueSource: ValueSource;
  readonly forced: boolean;
}

/** The parts that are the same for all schemas of one document. */
export interface Document {
  readonly root: unknown;
  accepts(schema: JsonSchema, value: Json): boolean;
  /** Value sources by schema object and depth, because schemas are visited many times. */
  readonly known: WeakMap<SchemaObject, Map<string, ValueSource>>;
  readonly effort: Effort;
}

/** The work that generation did for one schema, and the parts that it left out to stay within bounds. */
export interface Effort {
  /** Schemas visited, and values validated. */
  steps: number;
  /** Properties and items whose optional parts were left out because the value would be too large. */
  readonly reduced: Set<string>;
  /** Rules that were not broken because there are too many. */
  unbroken: number;
  /** After this many steps, the rest of a value is as small as the schema allows. */
  readonly richSteps: number;
}

/** The path of generation to its current position. */
interface Trail {
  readonly overrides: readonly Override[];
  readonly schemas: readonly SchemaObject[];
  readonly depth: number;
  readonly recursions: number;
  readonly lastRichStep: number;
}

/** Below this depth, or after this many recursions, values are as small as the schema allows. */
const richDepth = 12;
const richRecursions = 2;
/** A value with more parts than this is not generated: schemas that require each other double it with each level. */
const maxSize = 20_000;
/** The maximal number of systematic values at one position. */
const maxBoundaries = 400;

export const generate = (
  schema: JsonSchema,
  document: Document,
  overrides: readonly Override[],
): ValueSource => {
  const lastRichStep = document.effort.steps + document.effort.richSteps;
  return build(schema, document, { overrides, schemas: [], depth: 0, recursions: 0, lastRichStep });
};

function build(schema: JsonSchema, document: Document, trail: Trail): ValueSource {
  const given = trail.overrides.find((override) => override.steps.length === 0);
  if (given) return given.valueSource;
  if (typeof schema === 'boolean' || trail.overrides.length > 0)
    return fromAlternatives(schema, document, trail);
  const key = `${trail.depth} ${trail.recursions}`;
  const known = document.known.get(schema) ?? new Map<string, ValueSource>();
  document.known.set(schema, known);
  const valueSource = known.get(key) ?? fromAlternatives(schema, document, trail);
  known.set(key, valueSource);
  return valueSource;
}

const isSpent = ({ effort }: Document, { lastRichStep }: Trail) => effort.steps > lastRichStep;

const isMinimal = (document: Document, trail: Trail) =>
  trail.depth > richDepth || trail.recursions > richRecursions || isSpent(document, trail);

function fromAlternatives(schema: JsonSchema, document: Document, trail: Trail): ValueSource {
  const valueSources: ValueSource[] = [];
  let reason: string = noValue.falseSchema;
  for (const flat of alternatives(schema, document.root)) {
    if (isMinimal(document, trail) && valueSources.length > 0) break;
    try {
      valueSources.push(fromFlat(flat, schema, document, trail));
    } catch (error) {
      if (!(error instanceof UnsatisfiableSchema)) throw error;
      reason = error.message;
    }
  }
  if (valueSources.length === 0) throw new UnsatisfiableSchema(noValue.alternatives(reason));
  return memoizedSource(oneOf(valueSources));
}

function fromFlat(flat: FlatSchema, schema: JsonSchema, document: Document, trail: Trail): ValueSource {
  document.effort.steps += 1;
  const again = flat.sources.some((source) => trail.schemas.includes(source));
  if (again && isMinimal(document, trail)) throw new UnsatisfiableSchema(noValue.endless);
  const further: Trail = {
    ...trail,
    schemas: [...trail.schemas, ...flat.sources],
    recursions: trail.recursions + (again ? 1 : 0),
    depth: trail.depth + 1,
  };
  const judged = (value: Json) => document.accepts(schema, value);
  const forced = trail.overrides.some((override) => override.forced);
  if (flat.values) return listed(flat.values.filter(judged), forced);
  const valueSource = ofKinds(flat, positionOf(document, further), document);
  if (sizeOf(valueSource) > maxSize) throw new UnsatisfiableSchema(noValue.tooLarge(maxSize));
  return (flat.exact && flat.contains.length === 0) || forced
    ? valueSource
    : judgedSource(valueSource, judged);
}

/** Draws one value immediately, so that an alternative without values is excluded. */
function judgedSource(valueSource: ValueSource, judged: (value: Json) => boolean): ValueSource {
  return {
    ...valueSource,
    arbitrary: filterNow(valueSource.arbitrary, judged, wantedValues.accepted),
    boundaries: () => valueSource.boundaries().filter(judged),
  };
}

function listed(values: readonly Json[], forced: boolean): ValueSource {
  if (values.length === 0 || forced) throw new UnsatisfiableSchema(noValue.listed);
  return { arbitrary: fc.constantFrom(...values), boundaries: () => values };
}

function positionOf(document: Document, trail: Trail): Position {
  const tryBuild = (schema: JsonSchema, overrides: readonly Override[], depth = trail.depth) =>
    ifSatisfiable(() => build(schema, document, { ...trail, overrides, depth }));
  return {
    minimal: isMinimal(document, trail),
    maxBoundaries: Math.max(20, Math.min(200, Math.floor(document.effort.richSteps / 10))),
    usualLength: Math.max(2, 8 >> (trail.depth - 1)),
    forced: trail.overrides
      .filter((override) => override.forced)
      .flatMap((override) => override.steps.slice(0, 1)),
    tryChild: (step, schema) => {
      if (isSpent(document, trail)) document.effort.reduced.add(String(step));
      return tryBuild(schema, below(trail.overrides, String(step)));
    },
    trySmallChild: (step, schema) => {
      document.effort.reduced.add(String(step));
      return tryBuild(schema, below(trail.overrides, String(step)), richDepth + 1);
    },
    tryNames: (schema) => tryBuild(schema, []),
    accepts: document.accepts,
  };
}

export const below = (overrides: readonly Override[], step: string): readonly Override[] =>
  overrides
    .filter(({ steps: [first] }) => first === step)
    .map((override) => ({ ...override, steps: override.steps.slice(1) }));

const makers: Readonly<Record<Kind, (flat: FlatSchema, position: Position, root: unknown) => ValueSource>> = {
  null: () => ({ arbitrary: fc.constant(null), boundaries: () => [null] }),
  boolean: () => ({ arbitrary: fc.boolean(), boundaries: () => [false, true] }),
  integer: integers,
  fraction: fractions,
  string: (flat, _, root) => strings(flat, root),
  array: arrays,
  object: objects,
};

/** Without `type`, the author probably means the types that the other rules are about. */
const spokenOf: Readonly<Record<Kind, (flat: FlatSchema) => boolean>> = {
  null: () => false,
  boolean: () => false,
  integer: (flat) => flat.minima.length + flat.maxima.length + flat.multiples.length > 0,
  fraction: (flat) => flat.minima.length + flat.maxima.length + flat.multiples.length > 0,
  string: (flat) =>
    flat.patterns.length + flat.formats.length > 0 || flat.length.min > 0 || Number.isFinite(flat.length.max),
  array: (flat) =>
    flat.prefix.length + flat.contains.length > 0 ||
    flat.items !== true ||
    flat.count.min > 0 ||
    Number.isFinite(flat.count.max) ||
    flat.unique,
  object: (flat) =>
    flat.properties.size + flat.required.size + flat.patternProperties.length > 0 ||
    flat.extras ||
    flat.names !== true ||
    flat.size.min > 0 ||
    Number.isFinite(flat.size.max),
};

function ofKinds(flat: FlatSchema, position: Position, { root }: Document): ValueSource {
  const open = flat.kinds.size === kinds.length;
  const meant = kinds.filter((kind) => spokenOf[kind](flat));
  const forced = position.forced.length > 0;
  if (forced) return firstOf([containersOf(position, flat)], flat, position, root);
  if (!open) return firstOf([[...flat.kinds]], flat, position, root);
  if (meant.length === 0) return anyValue;
  return firstOf([meant, kinds.filter((kind) => !meant.includes(kind))], flat, position, root);
}

/** The kinds of containers that can have the forced steps. */
function containersOf({ forced }: Position, { kinds: allowed }: FlatSchema): readonly Kind[] {
  const container = forced.every((step) => /^\d+$/.test(step)) && allowed.has('array') ? 'array' : 'object';
  return allowed.has(container) ? [container] : [];
}

/** The first group of types that has values. */
function firstOf(groups: readonly (readonly Kind[])[], flat: FlatSchema, position: Position, root: unknown) {
  let reason: string = noValue.noType;
  for (const group of groups) {
    const valueSources: ValueSource[] = [];
    for (const kind of group) {
      try {
        valueSources.push(makers[kind](flat, position, root));
      } catch (error) {
        if (!(error instanceof UnsatisfiableSchema)) throw error;
        reason = error.message;
      }
    }
    if (valueSources.length > 0) return oneOf(valueSources);
  }
  throw new UnsatisfiableSchema(reason);
}

function oneOf(valueSources: readonly ValueSource[]): ValueSource {
  const [only, ...others] = valueSources;
  if (only && others.length === 0) return only;
  return {
    size: Math.max(...valueSources.map(sizeOf)),
    arbitrary: fc.oneof(
      { withCrossShrink: true },
      ...valueSources.map((valueSource) => valueSource.arbitrary),
    ),
    boundaries: () =>
      distinct(valueSources.flatMap((valueSource) => valueSource.boundaries())).slice(0, maxBoundaries),
  };
}
