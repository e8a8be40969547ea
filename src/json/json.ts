/**
 * A JSON value with exact integers. A number that is mathematically an integer (`7`, `7.0`, `7e2`) is a bigint, any other number a
 * double. An integer never passes through a double.
 */
export type Json = null | boolean | string | bigint | number | readonly Json[] | JsonObject;
/** A JSON object; a member that comes twice has its last value. */
export type JsonObject = { readonly [name: string]: Json };

/** Tells whether a value is a JSON object: neither null nor an array. */
export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Tells whether a value is a number: a bigint from a document, or a number from code. */
export const isNumeric = (value: unknown): value is bigint | number =>
  typeof value === 'bigint' || typeof value === 'number';

/** Converts a value from YAML or code to exact JSON. Whole doubles become bigints, and values that JSON lacks become null. */
export function toJson(value: unknown): Json {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toJson(member)]));
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint' ? value : null;
}
