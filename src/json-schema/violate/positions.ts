import fc from 'fast-check';
import { alternatives } from '../alternatives.ts';
import { anything, type FlatSchema, itemSchema, propertySchema } from '../flatten.ts';
import { strings } from '../generate/strings.ts';
import { ifSatisfiable, isSchemaObject, type JsonSchema, type SchemaObject } from '../schema.ts';

/** A place in the values of a schema, and what is asked of it there, in one of its alternatives. */
export interface SchemaPosition {
  readonly steps: readonly string[];
  readonly schema: JsonSchema;
  readonly flats: readonly FlatSchema[];
}

/** So many places at most: a document of this size has other problems. */
const maxPositions = 500;

/**
 * Every place that a schema speaks of, from the whole value down, level by level, so that the outer ones come first where there are too
 * many; a schema within itself is entered once.
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

/** A place still to be looked at, and the schemas that led there. */
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

/** One name for each pattern; none where no name for it is found. */
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
