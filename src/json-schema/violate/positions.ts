import fc from 'fast-check';
import { alternatives } from '../alternatives.ts';
import { anything, type FlatSchema, itemSchema, propertySchema } from '../flatten.ts';
import { strings } from '../generate/strings.ts';
import { ifSatisfiable, isSchemaObject, type JsonSchema, type SchemaObject } from '../schema.ts';

/** A position in the values of a schema, with the schema there and its alternatives. */
export interface SchemaPosition {
  readonly steps: readonly string[];
  readonly schema: JsonSchema;
  readonly flats: readonly FlatSchema[];
}

/** The maximal number of positions. */
const maxPositions = 500;

/**
 * Every position that a schema has rules for, level by level from the whole value, so that outer positions come first if there are too many.
 * A recursive schema is visited once.
 */
export function positionsOf(schema: JsonSchema, root: unknown): readonly SchemaPosition[] {
  const places: SchemaPosition[] = [];
  const waiting: Entry[] = typeof schema === 'boolean' ? [] : [{ schema, steps: [], trail: [] }];
  for (
    let next = waiting.shift();
    next !== undefined && places.length < maxPositions;
    next = waiting.shift()
  ) {
    const { schema: at, steps, trail } = next;
    const flats = alternatives(at, root).filter(
      (flat) => flat.sources.filter((source) => trail.includes(source)).length === 0,
    );
    if (flats.length > 0) places.push({ steps, schema: at, flats });
    for (const flat of flats)
      for (const [step, child] of children(flat, root))
        if (typeof child !== 'boolean')
          waiting.push({ schema: child, steps: [...steps, step], trail: [...trail, ...flat.sources] });
  }
  return places;
}

/** A position to visit, with the schemas on the way to it. */
interface Entry {
  readonly schema: JsonSchema;
  readonly steps: readonly string[];
  readonly trail: readonly SchemaObject[];
}

function children(flat: FlatSchema, root: unknown): readonly (readonly [string, JsonSchema])[] {
  const members = flat.kinds.has('object')
    ? [...flat.properties.keys(), ...patternNames(flat, root), ...additionalName(flat)]
    : [];
  const items = flat.kinds.has('array')
    ? [...flat.prefix.keys(), ...(isSchemaObject(flat.items) ? [flat.prefix.length] : [])]
    : [];
  return [
    ...members.map((name) => [name, propertySchema(flat, name)] as const),
    ...items.map((index) => [String(index), itemSchema(flat, index)] as const),
  ];
}

/** One name for each pattern, if one is found. */
const patternNames = (flat: FlatSchema, root: unknown): readonly string[] =>
  flat.patternProperties.flatMap(([pattern]) => {
    const names = () => strings({ ...anything, patterns: [pattern] }, root).arbitrary;
    return ifSatisfiable(() => fc.sample(names(), { seed: 1, numRuns: 1 }).map(String)) ?? [];
  });

const additionalName = (flat: FlatSchema): readonly string[] => {
  const name = ['additional', 'extra', 'x'].find(
    (candidate) => propertySchema(flat, candidate) === flat.additional && !flat.properties.has(candidate),
  );
  return name !== undefined && isSchemaObject(flat.additional) ? [name] : [];
};
