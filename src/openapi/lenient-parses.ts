import { isJsonObject, type Json } from '../json/json.ts';
import { exactNumber } from '../json/number.ts';

/** The maximal number of parses of one value: each part may have two or three. */
const maxParses = 200;

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Every value that a server may read from a parameter: as text, it has no type. */
export function lenientParses(value: Json): readonly Json[] {
  if (Array.isArray(value)) return products(value.map(lenientParses));
  if (isJsonObject(value)) {
    const names = Object.keys(value);
    return products(Object.values(value).map(lenientParses)).map((members) =>
      Object.fromEntries(names.map((name, index) => [name, members[index] ?? null])),
    );
  }
  const single = scalarParses(String(value));
  return [...single, ...single.map((reading) => [reading])];
}

/** The parses of a percent-encoded text; none if the encoding is malformed. */
export function lenientParsesOfText(text: string): readonly Json[] {
  try {
    return lenientParses(decodeURIComponent(text));
  } catch {
    return [];
  }
}

const scalarParses = (text: string): readonly Json[] => [
  text,
  ...(number.test(text) ? [exactNumber(text)] : []),
  ...(text === 'true' || text === 'false' ? [text === 'true'] : []),
  ...(text === 'null' || text === '' ? [null] : []),
];

const products = (parts: readonly (readonly Json[])[]): readonly (readonly Json[])[] =>
  parts.reduce<readonly (readonly Json[])[]>(
    (all, part) => all.flatMap((start) => part.map((next) => [...start, next])).slice(0, maxParses),
    [[]],
  );
