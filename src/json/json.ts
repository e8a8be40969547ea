/**
 * A JSON value with its numbers exact: every number that is mathematically an integer (`7`, `7.0`, `7e2`) is a
 * bigint, every other one a double. Nothing that is compared as an integer ever passes through a double.
 */
export type Json = null | boolean | string | bigint | number | readonly Json[] | JsonObject;
export type JsonObject = { readonly [name: string]: Json };

/** Tells whether a value is a JSON object: neither null nor an array. */
export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
