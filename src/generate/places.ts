import fc from 'fast-check';
import { alternatives } from './alternatives.ts';
import { type Flat, itemSchema, propertySchema } from './flat.ts';
import { isSchemaObject, type JsonSchema, type SchemaObject } from './schema.ts';

/** A place in the values of a schema, and what is asked of it there, in one of its alternatives. */
export interface SchemaPlace {
  readonly steps: readonly string[];
  readonly schema: JsonSchema;
  readonly flats: readonly Flat[];
}

/** So many places at most: a document of this size has other problems. */
const maxPlaces = 500;

/** Every place that a schema speaks of, from the whole value down; a schema within itself is entered once. */
export function placesOf(schema: JsonSchema, root: unknown): readonly SchemaPlace[] {
  const places: SchemaPlace[] = [];
  const visit = (at: JsonSchema, steps: readonly string[], trail: readonly SchemaObject[]) => {
    if (places.length >= maxPlaces || typeof at === 'boolean') return;
    const flats = alternatives(at, root).filter(
      (flat) => flat.sources.filter((source) => trail.includes(source)).length === 0,
    );
    if (flats.length === 0) return;
    places.push({ steps, schema: at, flats });
    for (const flat of flats) {
      for (const [step, child] of children(flat)) visit(child, [...steps, step], [...trail, ...flat.sources]);
    }
  };
  visit(schema, [], []);
  return places;
}

function children(flat: Flat): readonly (readonly [string, JsonSchema])[] {
  const members = flat.kinds.has('object')
    ? [...flat.properties.keys(), ...patternNames(flat), ...additionalName(flat)]
    : [];
  const items = flat.kinds.has('array')
    ? [...flat.prefix.keys(), ...(isSchemaObject(flat.items) ? [flat.prefix.length] : [])]
    : [];
  return [
    ...members.map((name) => [name, propertySchema(flat, name)] as const),
    ...items.map((index) => [String(index), itemSchema(flat, index)] as const),
  ];
}

const patternNames = (flat: Flat): readonly string[] =>
  flat.patternProperties.flatMap(([pattern]) =>
    fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { seed: 1, numRuns: 1 }),
  );

const additionalName = (flat: Flat): readonly string[] => {
  const name = ['additional', 'extra', 'x'].find(
    (candidate) => propertySchema(flat, candidate) === flat.additional && !flat.properties.has(candidate),
  );
  return name !== undefined && isSchemaObject(flat.additional) ? [name] : [];
};
