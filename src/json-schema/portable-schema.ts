import { fromPointer } from '../json/pointer.ts';
import { intRanges } from './exact-keywords.ts';

/** A JSON Schema 2020-12 as it stands in an OpenAPI document. Numbers read from a document are exact (bigint where whole). */
export type JsonSchema = boolean | SchemaObject;
export type SchemaObject = { readonly [keyword: string]: unknown };

export const isSchemaObject = (value: unknown): value is SchemaObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

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
  const visit = (part: unknown) => rewrite(part, names);
  const parts = Object.entries(schema).map(([keyword, value]) => rules.get(keyword)?.(value, keyword, visit));
  return Object.assign({}, ...parts, referenceRule(schema, names));
}

function referenceRule({ $ref, $dynamicRef }: SchemaObject, names: Names): object {
  if ($dynamicRef !== undefined) throw new Error('$dynamicRef is not supported');
  if ($ref === undefined) return {};
  const reference = String($ref);
  const name = names.get(reference) ?? `d${names.size}`;
  names.set(reference, name);
  return { $ref: `#/$defs/${name}` };
}

/** Says what becomes of a keyword; one that has no rule is left out. */
type Rule = (value: unknown, keyword: string, visit: (schema: unknown) => JsonSchema) => object;

const keep: Rule = (value, keyword) => ({ [keyword]: value });
const toCount: Rule = (value, keyword) => ({ [keyword]: Number(value) });
const visitOne: Rule = (value, keyword, visit) => ({ [keyword]: visit(value) });
const visitList: Rule = (value, keyword, visit) => ({
  [keyword]: Array.isArray(value) ? value.map(visit) : [],
});
const visitMap: Rule = (value, keyword, visit) => ({
  [keyword]: Object.fromEntries(Object.entries(Object(value)).map(([name, schema]) => [name, visit(schema)])),
});
const renameType: Rule = (value) => ({ exactType: value });
const renameFormat: Rule = (value) =>
  Object.hasOwn(intRanges, String(value)) ? { exactFormat: value } : { format: String(value) };

const rules = new Map<string, Rule>([
  ['type', renameType],
  ['format', renameFormat],
  ...each(keep, 'required dependentRequired pattern enum const uniqueItems'),
  ...each(keep, 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'),
  ...each(
    toCount,
    'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains',
  ),
  ...each(visitOne, 'not if then else contains items additionalProperties propertyNames'),
  ...each(visitOne, 'unevaluatedItems unevaluatedProperties'),
  ...each(visitList, 'allOf anyOf oneOf prefixItems'),
  ...each(visitMap, 'properties patternProperties dependentSchemas'),
]);

function each(rule: Rule, keywords: string): [string, Rule][] {
  return keywords.split(' ').map((keyword) => [keyword, rule]);
}

/**
 * Follows a reference of the form `#` or `#/…`.
 * @throws Error where it leads out of the document, or nowhere
 */
export function resolve(reference: string, root: unknown): unknown {
  if (reference !== '#' && !reference.startsWith('#/')) throw new Error(`cannot follow $ref "${reference}"`);
  return fromPointer(decodeURIComponent(reference.slice(1))).reduce<unknown>((value, step) => {
    const found = isSchemaObject(value) || Array.isArray(value) ? Object.entries(value) : [];
    const member = found.find(([name]) => name === step);
    if (member === undefined) throw new Error(`$ref "${reference}" leads nowhere`);
    return member[1];
  }, root);
}

/**
 * A part of the document, through the references that stand for it; an empty object where there is none.
 * @throws Error where they lead in a circle, out of the document, or nowhere
 */
export function follow(part: unknown, root: unknown): SchemaObject {
  const visited = new Set<unknown>();
  let found = part;
  while (isSchemaObject(found) && typeof found.$ref === 'string') {
    if (visited.has(found)) throw new Error(`$ref "${found.$ref}" leads back to itself`);
    visited.add(found);
    found = resolve(found.$ref, root);
  }
  return isSchemaObject(found) ? found : {};
}
