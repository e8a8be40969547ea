import { intRanges } from './exact-keywords.ts';
import { shapes } from './keywords.ts';
import { isSchemaObject, type JsonSchema, resolve, type SchemaObject } from './schema.ts';

/**
 * Turns a schema of a document into one that stands alone, for ajv with our exact keywords: what it refers to moves into `$defs`,
 * the numeric keywords that ajv keeps for itself are renamed, counts become doubles. Keywords that only annotate are left out.
 * @param root the document that its `$ref`s point into
 * @throws Error where a `$ref` leads nowhere
 */
export function toPortable(schema: JsonSchema, root: unknown): SchemaObject {
  const names = new Map<string, string>();
  const main = rewrite(schema, names);
  const definitions: Record<string, JsonSchema> = {};
  // The map grows while it is walked: a definition may refer to further ones.
  for (const [reference, name] of names) definitions[name] = rewrite(resolve(reference, root), names);
  return { ...(typeof main === 'boolean' ? { allOf: [main] } : main), $defs: definitions };
}

/** The definitions that are needed: names in `$defs` by reference. */
type Names = Map<string, string>;

function rewrite(schema: unknown, names: Names): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  if (!isSchemaObject(schema)) throw new Error(`${JSON.stringify(schema)} stands where a schema belongs`);
  const { $ref, $dynamicRef, ...keywords } = schema;
  if ($dynamicRef !== undefined) throw new Error('$dynamicRef is not supported');
  const entries = Object.entries(keywords).flatMap(([keyword, value]) => {
    const shape = shapes.get(keyword);
    return shape === undefined
      ? []
      : [[nameFor(keyword, value), shape.rewrite(value, (part) => rewrite(part, names))] as const];
  });
  return {
    ...Object.fromEntries(entries),
    ...($ref === undefined ? {} : { $ref: referTo(String($ref), names) }),
  };
}

function referTo(reference: string, names: Names): string {
  const name = names.get(reference) ?? `d${names.size}`;
  names.set(reference, name);
  return `#/$defs/${name}`;
}

const nameFor = (keyword: string, value: unknown): string => {
  if (keyword === 'type') return 'exactType';
  return keyword === 'format' && Object.hasOwn(intRanges, String(value)) ? 'exactFormat' : keyword;
};
