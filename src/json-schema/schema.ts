import { fromPointer, toPointer } from '../json/pointer.ts';
import { referenceProblems, schemaProblems } from './refusals.ts';

/** A JSON Schema 2020-12 of an OpenAPI document. Integers that were read from a document are bigints. */
export type JsonSchema = boolean | SchemaObject;
export type SchemaObject = { readonly [keyword: string]: unknown };

/** No value is valid for the schema, or none was found within bounds. */
export class UnsatisfiableSchema extends Error {
  override readonly name = 'UnsatisfiableSchema';
}

/** The result of `make`; null if no value is valid for the schema. */
export function ifSatisfiable<Made>(make: () => Made): Made | null {
  try {
    return make();
  } catch (error) {
    if (error instanceof UnsatisfiableSchema) return null;
    throw error;
  }
}

/** The schema uses a keyword in a way that generation cannot honour; the message names it and its JSON pointer. */
export class UnsupportedKeyword extends Error {
  override readonly name = 'UnsupportedKeyword';

  constructor(keyword: string, pointer: string, reason: string) {
    super(schemaProblems.place(keyword, pointer, reason));
  }
}

export const isSchemaObject = (value: unknown): value is SchemaObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'boolean' || isSchemaObject(value);

/** The schemas of a keyword whose value is a list of them, or a map of them by name. */
export const schemaList = (value: unknown): readonly JsonSchema[] =>
  Array.isArray(value) ? value.filter(isSchema) : [];
export const schemaMap = (value: unknown): ReadonlyMap<string, JsonSchema> =>
  new Map(
    isSchemaObject(value)
      ? Object.entries(value).filter((entry): entry is [string, JsonSchema] => isSchema(entry[1]))
      : [],
  );

export const stringList = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** Both schemas at once. */
export function both(a: JsonSchema, b: JsonSchema): JsonSchema {
  if (a === true || a === b) return b;
  if (b === true) return a;
  return a === false || b === false ? false : { allOf: [a, b] };
}

/**
 * Follows a reference of the form `#` or `#/…`.
 * @throws Error if it leads out of the document, or nowhere
 */
export function resolve(reference: string, root: unknown): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) throw new Error(referenceProblems.outside(reference));
  return fromPointer(decodeURIComponent(reference.slice(1))).reduce<unknown>((value, step) => {
    const found = isSchemaObject(value) || Array.isArray(value) ? Object.entries(value) : [];
    const member = found.find(([name]) => name === step);
    if (member === undefined) throw new Error(referenceProblems.nowhere(reference));
    return member[1];
  }, root);
}

/**
 * Returns a part of the document with its references followed; an empty object if there is no such part.
 * @throws Error if a reference leads in a circle, out of the document, or nowhere
 */
export function follow(part: unknown, root: unknown): SchemaObject {
  const visited = new Set<unknown>();
  let found = part;
  while (isSchemaObject(found) && typeof found.$ref === 'string') {
    if (visited.has(found)) throw new Error(referenceProblems.circle(found.$ref));
    visited.add(found);
    found = resolve(found.$ref, root);
  }
  return isSchemaObject(found) ? found : {};
}

/** Follows a `$ref` within the document; throws UnsupportedKeyword if it leads out of it, or nowhere. */
export function resolveRef(holder: SchemaObject, root: unknown): JsonSchema {
  const unsupported = (reason: string) => new UnsupportedKeyword('$ref', locate(holder, root), reason);
  let target: unknown;
  try {
    target = resolve(String(holder.$ref), root);
  } catch (error) {
    throw unsupported(error instanceof Error ? error.message : String(error));
  }
  if (isSchema(target)) return target;
  throw unsupported(referenceProblems.noSchema(holder.$ref));
}

/** The JSON pointer of a part of the document, for messages: found by searching, since only errors need it. */
export function locate(part: object, root: unknown): string {
  const seen = new Set<unknown>();
  const search = (value: unknown, path: readonly string[]): readonly string[] | null => {
    if (value === part) return path;
    if (typeof value !== 'object' || value === null || seen.has(value)) return null;
    seen.add(value);
    for (const [name, member] of Object.entries(value)) {
      const found = search(member, [...path, name]);
      if (found) return found;
    }
    return null;
  };
  return `#${toPointer(search(root, []) ?? [])}`;
}
