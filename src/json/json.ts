/**
 * A JSON value with its numbers exact: every number that is mathematically an integer (`7`, `7.0`, `7e2`) is a
 * bigint, every other one a double. Nothing that is compared as an integer ever passes through a double.
 */
export type Json = null | boolean | string | bigint | number | readonly Json[] | JsonObject;
export type JsonObject = { readonly [name: string]: Json };

/** Tells whether a value is a JSON object: neither null nor an array. */
export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A number of a document: exact where it was read by us, a double where it was written in code. */
export const isNumeric = (value: unknown): value is bigint | number =>
  typeof value === 'bigint' || typeof value === 'number';

/** A value written in a document or in code as exact JSON: whole doubles become bigints, what is not JSON null. */
export function toJson(value: unknown): Json {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toJson(member)]));
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint' ? value : null;
}
