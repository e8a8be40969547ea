import { commonValues, type Flat, itemSchema, propertySchema, type Span } from './flatten.ts';
import { both, type JsonSchema } from './schema-kinds.ts';

/** The conjunction of two flat schemas. */
export function merge(a: Flat, b: Flat): Flat {
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

/** A name that matches a pattern of one side is, unless the other side has that pattern as well, an additional one there. */
const restricted = (flat: Flat, other: Flat) =>
  flat.patternProperties.map(([pattern, schema]): readonly [string, JsonSchema] => {
    const twin = other.patternProperties.find(([text]) => text === pattern);
    return [pattern, both(schema, twin ? true : other.additional)];
  });

const union = <T>(a: readonly T[], b: readonly T[]): readonly T[] => [...new Set([...a, ...b])];

const narrower = (a: Span, b: Span): Span => ({ min: Math.max(a.min, b.min), max: Math.min(a.max, b.max) });
