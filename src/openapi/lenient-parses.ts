import { isJsonObject, type Json } from '../json/json.ts';
import { exactNumber } from '../json/number.ts';

/** The maximal number of parses of one value: each part may have two or three. */
const maxParses = 200;

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Every value that a server may read from a parameter: as text, it has no type. */
export function lenientParses(value: Json): readonly Json[] {
  if (Array.isArray(value)) return combinations(value.map(lenientParses));
  if (isJsonObject(value))
    return objectParses(Object.entries(value).map(([name, member]) => [name, lenientParses(member)]));
  const single = scalarParses(String(value));
  return [...single, ...single.map((reading) => [reading])];
}

/**
 * Objects with one of the parses of each member.
 * @param most the maximal number of objects whose members are not all read in the same way
 */
export const objectParses = (
  members: readonly (readonly [name: string, parses: readonly Json[]])[],
  most = maxParses,
): readonly Json[] =>
  combinations(
    members.map(([, parses]) => parses),
    most,
  ).map((values) => Object.fromEntries(members.map(([name], index) => [name, values[index] ?? null])));

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

/** One of each part: all parts read in the same way, then some of the other combinations. */
const combinations = (
  parts: readonly (readonly Json[])[],
  most = maxParses,
): readonly (readonly Json[])[] => {
  const ways = parts.reduce((longest, { length }) => Math.max(longest, length), 1);
  const alike = Array.from({ length: ways }, (_, way) =>
    parts.map((part) => part[Math.min(way, part.length - 1)] ?? null),
  );
  const typed = parts.map((part) => part.findLast((parse) => !Array.isArray(parse)) ?? part[0] ?? null);
  const all = parts.reduce((product, { length }) => product * length, 1);
  const varied = Array.from({ length: Math.min(all, most) }, (_, index) => combination(parts, index));
  return all === ways ? alike : [...alike, typed, ...varied];
};

/** The combination with this number: the last part changes fastest. */
const combination = (parts: readonly (readonly Json[])[], index: number): readonly Json[] => {
  let rest = index;
  return parts
    .map((_, position) => {
      const part = parts[parts.length - 1 - position] ?? [];
      const value = part[rest % part.length] ?? null;
      rest = Math.floor(rest / part.length);
      return value;
    })
    .reverse();
};
