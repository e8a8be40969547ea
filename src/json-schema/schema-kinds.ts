import { canonicalText } from '../json/canonical.ts';
import type { Json } from '../json/json.ts';
import { toPointer } from '../json/pointer.ts';
import { UnsupportedKeyword } from './errors.ts';
import { isSchemaObject, type JsonSchema, resolve, type SchemaObject } from './portable-schema.ts';

export { isSchemaObject, type JsonSchema, type SchemaObject };

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

/** Each value once, in the order of first appearance. */
export function distinct(values: readonly Json[]): readonly Json[] {
  const seen = new Map<string, Json>();
  for (const value of values) {
    const text = canonicalText(value);
    if (!seen.has(text)) seen.set(text, value);
  }
  return [...seen.values()];
}

/** Follows a `$ref` within the document; throws UnsupportedKeyword where it leads out of it, or nowhere. */
export function resolveRef(holder: SchemaObject, root: unknown): JsonSchema {
  try {
    const target = resolve(String(holder.$ref), root);
    if (isSchema(target)) return target;
  } catch (error) {
    throw new UnsupportedKeyword(
      '$ref',
      locate(holder, root),
      error instanceof Error ? error.message : String(error),
    );
  }
  throw new UnsupportedKeyword('$ref', locate(holder, root), `${holder.$ref} leads to no schema`);
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
