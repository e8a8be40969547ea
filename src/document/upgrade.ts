import { isSchemaObject, type SchemaObject } from './portable-schema.ts';

/**
 * Puts an OpenAPI 3.0 document into the terms of 3.1, whose schemas are JSON Schema 2020-12. Every part stays where it is, so that
 * references into the document still hold.
 */
export function upgrade(document: unknown): unknown {
  if (Array.isArray(document)) return document.map(upgrade);
  return isSchemaObject(document) ? mapMembers(document, upgradeMember) : document;
}

/** Members that hold what the API's author likes, not parts of the document. */
const freeForm = new Set(['example', 'examples']);

function upgradeMember(value: unknown, name: string): unknown {
  if (name === 'schema') return upgradeSchema(value);
  if (name === 'schemas') return mapOfSchemas(value);
  return freeForm.has(name) || name.startsWith('x-') ? value : upgrade(value);
}

function upgradeSchema(schema: unknown): unknown {
  if (!isSchemaObject(schema)) return schema;
  // In 3.0 whatever stands beside a reference is ignored.
  if (typeof schema.$ref === 'string') return { $ref: schema.$ref };
  const { nullable, example, exclusiveMinimum, exclusiveMaximum, minimum, maximum, ...others } = schema;
  return {
    ...mapMembers(others, upgradeSubschema),
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

function upgradeSubschema(value: unknown, keyword: string): unknown {
  switch (keyword) {
    case 'properties':
      return mapOfSchemas(value);
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return Array.isArray(value) ? value.map(upgradeSchema) : value;
    case 'items':
    case 'not':
    case 'additionalProperties':
      return upgradeSchema(value);
    default:
      return value;
  }
}

const mapOfSchemas = (value: unknown): unknown =>
  isSchemaObject(value) ? mapMembers(value, upgradeSchema) : value;

const mapMembers = (object: SchemaObject, change: (value: unknown, name: string) => unknown): SchemaObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
