import { isNumeric } from '../json/json.ts';
import { typeNames } from '../json/type-names.ts';
import { schemaProblems, shapeNames } from './refusals.ts';
import {
  isSchema,
  isSchemaObject,
  type JsonSchema,
  locate,
  type SchemaObject,
  UnsupportedKeyword,
} from './schema.ts';

/** The kind of value that a keyword takes. */
export interface Shape {
  readonly name: string;
  readonly isMet: (value: unknown) => boolean;
  /** Returns the value with each schema in it rewritten. */
  readonly rewrite: (value: unknown, schema: (part: unknown) => JsonSchema) => unknown;
}

const anything: Shape = { name: shapeNames.anything, isMet: () => true, rewrite: (value) => value };
const list: Shape = { ...anything, name: shapeNames.list, isMet: Array.isArray };
const text: Shape = { ...anything, name: typeNames.string, isMet: (value) => typeof value === 'string' };
const number: Shape = { ...anything, name: typeNames.number, isMet: isNumeric };
const count: Shape = { ...number, rewrite: Number };
const schema: Shape = {
  name: shapeNames.schema,
  isMet: isSchema,
  rewrite: (value, rewrite) => rewrite(value),
};
const schemas: Shape = {
  name: shapeNames.schemas,
  isMet: (value) => Array.isArray(value) && value.every(isSchema),
  rewrite: (value, rewrite) => (Array.isArray(value) ? value.map(rewrite) : []),
};
const schemasByName: Shape = {
  name: shapeNames.schemasByName,
  isMet: (value) => isSchemaObject(value) && Object.values(value).every(isSchema),
  rewrite: (value, rewrite) =>
    Object.fromEntries(Object.entries(Object(value)).map(([name, part]) => [name, rewrite(part)])),
};

/** Keywords about a value, which do not combine schemas. */
const own: Readonly<Record<string, Shape>> = {
  type: anything,
  enum: list,
  const: anything,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: number,
  format: text,
  minLength: count,
  maxLength: count,
  pattern: text,
  prefixItems: schemas,
  items: schema,
  contains: schema,
  minItems: count,
  maxItems: count,
  uniqueItems: anything,
  properties: schemasByName,
  patternProperties: schemasByName,
  additionalProperties: schema,
  propertyNames: schema,
  required: list,
  minProperties: count,
  maxProperties: count,
};

/** Keywords that combine schemas, with the ones that belong to `if` and `contains`. */
const combining: readonly (readonly [keyword: string, shape: Shape])[] = [
  ['$ref', anything],
  ['allOf', schemas],
  ['anyOf', schemas],
  ['oneOf', schemas],
  ['not', schema],
  ['if', schema],
  ['then', schema],
  ['else', schema],
  ['minContains', count],
  ['maxContains', count],
  ['dependentRequired', anything],
  ['dependentSchemas', schemasByName],
  ['unevaluatedProperties', schema],
  ['unevaluatedItems', schema],
];

export const ownKeywords: readonly string[] = Object.keys(own);

/** The keywords that the suite reads. */
export const shapes: ReadonlyMap<string, Shape> = new Map([...Object.entries(own), ...combining]);

/**
 * Throws UnsupportedKeyword at the first keyword whose value has a wrong shape. Unknown keywords are ignored (JSON Schema 2020-12, 6.5),
 * except `$dynamicRef`.
 */
export function checkKeywords(holder: SchemaObject, root: unknown): void {
  if ('$dynamicRef' in holder)
    throw new UnsupportedKeyword('$dynamicRef', locate(holder, root), schemaProblems.unknownKeyword);
  const problems = Object.entries(holder).flatMap(([keyword, value]) => {
    const shape = shapes.get(keyword);
    return shape === undefined || shape.isMet(value)
      ? []
      : [{ keyword, reason: schemaProblems.otherShape(shape.name) }];
  });
  for (const { keyword, reason } of problems)
    throw new UnsupportedKeyword(keyword, locate(holder, root), reason);
}
