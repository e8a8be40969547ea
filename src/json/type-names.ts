/** The types of JSON Schema, and other kinds of values, in words. */
export const typeNames = {
  null: 'null',
  boolean: 'a boolean',
  string: 'a string',
  integer: 'an integer',
  fraction: 'a fraction',
  number: 'a number',
  array: 'an array',
  object: 'an object',
} as const;

/** A type in words; an unknown one as it is. */
export const typeName = (type: string): string =>
  Object.entries(typeNames).find(([name]) => name === type)?.[1] ?? type;
