import { isSchemaObject, type SchemaObject } from '../json-schema/schema.ts';

/** Puts a part of a document into the terms of 3.1; which part it is depends on where it stands alone, for names are free in many places. */
type Part = (value: unknown) => unknown;

/**
 * Puts an OpenAPI 3.0 document into the terms of 3.1, whose schemas are JSON Schema 2020-12. Every part stays where it is, so that
 * references into the document still hold.
 */
export const fromOpenApi30: Part = (document) => upgradeDocument(document);

const mapMembers = (object: SchemaObject, change: (value: unknown, name: string) => unknown): SchemaObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));

/** An object with parts under these names; whatever else it has stays as it is. */
const having =
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

/** As {@link mapOf}, where names that begin with `x-` are extensions. */
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

const upgradeMediaType = having(() => ({
  schema: upgradeSchema,
  encoding: mapOf(having(() => ({ headers: mapOf(upgradeParameter) }))),
}));

/** Headers have the shape of parameters. */
const upgradeParameter = having(() => ({ schema: upgradeSchema, content: mapOf(upgradeMediaType) }));

const upgradeRequestBody = having(() => ({ content: mapOf(upgradeMediaType) }));

const upgradeResponse = having(() => ({
  headers: mapOf(upgradeParameter),
  content: mapOf(upgradeMediaType),
}));

const upgradeOperation = having(() => ({
  parameters: listOf(upgradeParameter),
  requestBody: upgradeRequestBody,
  responses: extensibleMapOf(upgradeResponse),
  callbacks: mapOf(upgradePaths),
}));

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

const upgradePathItem = having(() => ({
  parameters: listOf(upgradeParameter),
  ...Object.fromEntries(methods.map((method) => [method, upgradeOperation])),
}));

/** Callbacks have the shape of paths. */
const upgradePaths = extensibleMapOf((item) => upgradePathItem(item));

const upgradeDocument = having(() => ({
  paths: upgradePaths,
  components: having(() => ({
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
  // In 3.0 whatever stands beside a reference is ignored.
  if (typeof schema.$ref === 'string') return { $ref: schema.$ref };
  const { nullable, example, exclusiveMinimum, exclusiveMaximum, minimum, maximum, ...others } = schema;
  return {
    ...mapMembers(others, (value, keyword) => subschemas.get(keyword)?.(value) ?? value),
    ...(example === undefined ? {} : { examples: [example] }),
    // Without a type of its own `nullable` says nothing (3.0.3).
    ...(nullable === true && typeof others.type === 'string' ? { type: [others.type, 'null'] } : {}),
    ...bound('minimum', minimum, 'exclusiveMinimum', exclusiveMinimum),
    ...bound('maximum', maximum, 'exclusiveMaximum', exclusiveMaximum),
  };
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
