import { isSchemaObject, type SchemaObject } from '../json-schema/schema.ts';
import { methods } from './source-walk.ts';

/** Upgrades one part of a document. Only its place shows what a part is, because names are free in many places. */
type Part = (value: unknown) => unknown;

/**
 * Upgrades an OpenAPI 3.0 document to 3.1, whose schemas are JSON Schema 2020-12. No part moves, so that references into the document
 * remain valid.
 */
export const fromOpenApi30: Part = (document) => upgradeDocument(document);

const mapMembers = (object: SchemaObject, change: (value: unknown, name: string) => unknown): SchemaObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));

/** Upgrades the members of an object that have these names; the other members do not change. */
const upgradeMembers =
  (parts: () => Readonly<Record<string, Part>>): Part =>
  (value) => {
    if (!isSchemaObject(value)) return value;
    const known = new Map(Object.entries(parts()));
    return mapMembers(value, (member, name) => known.get(name)?.(member) ?? member);
  };

const mapOf =
  (part: Part): Part =>
  (value) =>
    isSchemaObject(value) ? mapMembers(value, part) : value;

/** Like {@link mapOf}, but names that begin with `x-` are extensions. */
const extensibleMapOf =
  (part: Part): Part =>
  (value) =>
    isSchemaObject(value)
      ? mapMembers(value, (member, name) => (name.startsWith('x-') ? member : part(member)))
      : value;

const listOf =
  (part: Part): Part =>
  (value) =>
    Array.isArray(value) ? value.map(part) : value;

const upgradeMediaType = upgradeMembers(() => ({
  schema: upgradeSchema,
  encoding: mapOf(upgradeMembers(() => ({ headers: mapOf(upgradeParameter) }))),
}));

/** Headers have the shape of parameters. */
const upgradeParameter = upgradeMembers(() => ({ schema: upgradeSchema, content: mapOf(upgradeMediaType) }));

const upgradeRequestBody = upgradeMembers(() => ({ content: mapOf(upgradeMediaType) }));

const upgradeResponse = upgradeMembers(() => ({
  headers: mapOf(upgradeParameter),
  content: mapOf(upgradeMediaType),
}));

const upgradeOperation = upgradeMembers(() => ({
  parameters: listOf(upgradeParameter),
  requestBody: upgradeRequestBody,
  responses: extensibleMapOf(upgradeResponse),
  callbacks: mapOf(upgradePaths),
}));

const upgradePathItem = upgradeMembers(() => ({
  parameters: listOf(upgradeParameter),
  ...Object.fromEntries(methods.map((method) => [method, upgradeOperation])),
}));

/** Callbacks have the shape of paths. */
const upgradePaths = extensibleMapOf((item) => upgradePathItem(item));

const upgradeDocument = upgradeMembers(() => ({
  paths: upgradePaths,
  components: upgradeMembers(() => ({
    schemas: mapOf(upgradeSchema),
    parameters: mapOf(upgradeParameter),
    headers: mapOf(upgradeParameter),
    requestBodies: mapOf(upgradeRequestBody),
    responses: mapOf(upgradeResponse),
    callbacks: mapOf(upgradePaths),
  })),
}));

function upgradeSchema(schema: unknown): unknown {
  if (!isSchemaObject(schema)) return schema;
  // OpenAPI 3.0 ignores keywords beside a reference.
  if (typeof schema.$ref === 'string') return { $ref: schema.$ref };
  const { nullable, example, exclusiveMinimum, exclusiveMaximum, minimum, maximum, ...others } = schema;
  return {
    ...mapMembers(others, (value, keyword) => subschemas.get(keyword)?.(value) ?? value),
    ...(example === undefined ? {} : { examples: [example] }),
    ...(nullable === true ? nullableAs(others) : {}),
    ...bound('minimum', minimum, 'exclusiveMinimum', exclusiveMinimum),
    ...bound('maximum', maximum, 'exclusiveMaximum', exclusiveMaximum),
  };
}

/**
 * Without a `type` beside it, `nullable` has no effect (3.0.3). Generators write it beside `allOf` anyway, to allow null instead of a
 * referenced schema. There it stays as an annotation, so that null is accepted in responses.
 */
function nullableAs({ type, allOf, anyOf, oneOf }: SchemaObject): object {
  if (typeof type === 'string') return { type: [type, 'null'] };
  return type === undefined && (allOf ?? anyOf ?? oneOf) !== undefined ? { nullable: true } : {};
}

function bound(name: string, limit: unknown, exclusiveName: string, exclusive: unknown): object {
  if (limit === undefined) return {};
  return { [exclusive === true ? exclusiveName : name]: limit };
}

const subschemas: ReadonlyMap<string, Part> = new Map([
  ['properties', mapOf(upgradeSchema)],
  ...['allOf', 'anyOf', 'oneOf'].map((keyword): [string, Part] => [keyword, listOf(upgradeSchema)]),
  ...['items', 'not', 'additionalProperties'].map((keyword): [string, Part] => [keyword, upgradeSchema]),
]);
