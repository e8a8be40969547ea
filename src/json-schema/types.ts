import type { Json } from '../json/json.ts';

/** The types of JSON, with two kinds of numbers: `number` of JSON Schema is `integer` and `fraction`. */
export const kinds = ['null', 'boolean', 'integer', 'fraction', 'string', 'array', 'object'] as const;
export type Kind = (typeof kinds)[number];

/** Whether JSON Schema has a type of this name. */
export const isTypeName = (name: string): boolean =>
  name === 'number' || kinds.some((kind) => kind === name && kind !== 'fraction');

/** The types that a schema names. */
export const typesOf = (type: unknown): readonly string[] =>
  (Array.isArray(type) ? type : [type]).map(String);

/** The kinds of values that a schema's `type` allows. */
export const kindsOf = (type: unknown): ReadonlySet<Kind> => {
  const types = type === undefined ? kinds : typesOf(type);
  return new Set(
    kinds.filter((kind) => types.includes(kind) || (types.includes('number') && isNumber(kind))),
  );
};

const isNumber = (kind: Kind): boolean => kind === 'integer' || kind === 'fraction';

/** A double that is left in {@link Json} is not an integer, except for the infinities that integers of too many digits become. */
export const isInteger = (value: bigint | number): boolean =>
  typeof value === 'bigint' || Math.abs(value) === Number.POSITIVE_INFINITY;

export const kindOf = (value: Json): Kind => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'boolean';
  if (typeof value === 'object') return 'object';
  return isInteger(value) ? 'integer' : 'fraction';
};
