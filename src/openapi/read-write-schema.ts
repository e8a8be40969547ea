import { isSchemaObject, resolve, type SchemaObject } from '../json-schema/schema.ts';
import { memoized } from '../util/memoize.ts';

/** Returns a part of a document as it applies to requests, or to responses. */
export type Side = <Part>(part: Part) => Part;

interface Sides {
  /** Without `readOnly` properties. */
  readonly request: Side;
  /** With `writeOnly` properties optional, and null allowed by `nullable` beside `allOf`, `anyOf`, or `oneOf`. */
  readonly response: Side;
}

/** The two sides of a document (OpenAPI 3.1, 4.8.24.4 and JSON Schema 9.4). A part without either keyword stays the same object. */
export function sidesOf(root: unknown): Sides {
  if (!isSchemaObject(root)) return { request: (part) => part, response: (part) => part };
  return sidesOfDocument(root);
}

const sidesOfDocument = memoized(
  (root: SchemaObject): Sides => ({
    request: rewriter(root, 'readOnly', (properties, marked) => without(properties, marked)),
    response: rewriter(root, 'writeOnly', (properties) => properties, allowNull),
  }),
);

const without = (properties: SchemaObject, names: ReadonlySet<string>): SchemaObject =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => !names.has(name)));

function rewriter(
  root: SchemaObject,
  keyword: 'readOnly' | 'writeOnly',
  propertiesOf: (properties: SchemaObject, marked: ReadonlySet<string>) => SchemaObject,
  finish: (schema: SchemaObject) => SchemaObject = (schema) => schema,
): Side {
  const done = new WeakMap<object, unknown>();
  const rewrite = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part;
    const before = done.get(part);
    if (before !== undefined) return before;
    const after = Array.isArray(part) ? rewriteList(part) : rewriteObject(part as SchemaObject);
    done.set(part, after);
    return after;
  };
  const rewriteList = (list: readonly unknown[]): unknown => {
    const items = list.map(rewrite);
    return items.every((item, index) => item === list[index]) ? list : items;
  };
  const rewriteObject = (part: SchemaObject): unknown => {
    const marked = markedIn(part, keyword, root, new Set());
    const entries = Object.entries(part).map(([name, member]) => [name, rewrite(member)] as const);
    const same = entries.every(([name, member]) => member === part[name]);
    if (marked.size === 0) return finish(same ? part : Object.fromEntries(entries));
    const { properties, required, ...others } = Object.fromEntries(entries);
    return finish({
      ...others,
      ...(isSchemaObject(properties) ? { properties: propertiesOf(properties, marked) } : {}),
      ...(Array.isArray(required) ? { required: required.filter((name) => !marked.has(name)) } : {}),
    });
  };
  return <Part>(part: Part) => rewrite(part) as Part;
}

/** The annotation remains only where the upgrade from OpenAPI 3.0 gives it no type to extend. */
function allowNull(schema: SchemaObject): SchemaObject {
  const { nullable, ...others } = schema;
  const combines = Array.isArray(others.allOf) || Array.isArray(others.anyOf) || Array.isArray(others.oneOf);
  return nullable === true && combines ? { anyOf: [others, { type: 'null' }] } : schema;
}

/** The properties of a schema that have the keyword, with the properties from `allOf`. */
function markedIn(
  schema: unknown,
  keyword: string,
  root: SchemaObject,
  visited: Set<unknown>,
): ReadonlySet<string> {
  if (!isSchemaObject(schema) || visited.has(schema)) return new Set();
  visited.add(schema);
  const properties = isSchemaObject(schema.properties) ? Object.entries(schema.properties) : [];
  const own = properties
    .filter(([, property]) => withTarget(property, root).some((part) => part[keyword] === true))
    .map(([name]) => name);
  const parts = [
    ...(Array.isArray(schema.allOf) ? schema.allOf : []),
    ...(typeof schema.$ref === 'string' && schema.required !== undefined ? [target(schema.$ref, root)] : []),
  ].flatMap((part) => withTarget(part, root));
  return new Set([...own, ...parts.flatMap((part) => [...markedIn(part, keyword, root, visited)])]);
}

/** A schema, and the target of its reference. */
function withTarget(schema: unknown, root: SchemaObject): readonly SchemaObject[] {
  if (!isSchemaObject(schema)) return [];
  const referred = typeof schema.$ref === 'string' ? target(schema.$ref, root) : null;
  return isSchemaObject(referred) ? [schema, referred] : [schema];
}

function target(reference: string, root: SchemaObject): unknown {
  try {
    return resolve(reference, root);
  } catch {
    return null;
  }
}
