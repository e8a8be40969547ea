import { isSchema, type JsonSchema, type SchemaObject, schemaList, stringList } from './schema.ts';
import { kinds } from './types.ts';

const types = kinds.filter((kind) => kind !== 'fraction');

/**
 * The schemas of which a value meets one exactly if it does not meet `schema`, where that can be said by plain rules: `not` is then
 * generated straight. Null: it cannot.
 */
export function negate(schema: JsonSchema): readonly JsonSchema[] | null {
  if (typeof schema === 'boolean') return schema ? [] : [true];
  const [keyword, ...others] = Object.keys(schema);
  if (keyword === undefined) return [];
  return others.length > 0 ? null : (rules[keyword]?.(schema) ?? null);
}

const rules: Readonly<Record<string, (schema: SchemaObject) => readonly JsonSchema[] | null>> = {
  type: (schema) => otherTypes(schema.type),
  required: (schema) =>
    stringList(schema.required).map((name) => ({ type: 'object', properties: { [name]: false } })),
  not: (schema) => (isSchema(schema.not) ? [schema.not] : null),
  anyOf: (schema) => [{ allOf: schemaList(schema.anyOf).map((part) => ({ not: part })) }],
  allOf: (schema) => schemaList(schema.allOf).map((part) => ({ not: part })),
};

/** A fraction is what `number` has beyond `integer`. */
function otherTypes(type: unknown): readonly JsonSchema[] | null {
  const excluded = typeof type === 'string' ? [type] : stringList(type);
  if (excluded.includes('integer') && !excluded.includes('number')) return null;
  return types
    .filter((kind) => !excluded.includes(kind) && !(kind === 'integer' && excluded.includes('number')))
    .map((kind) => ({ type: kind === 'integer' ? 'number' : kind }));
}
