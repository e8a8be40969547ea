import { isNumeric } from '../../json/json.ts';
import { UnsupportedKeyword } from '../errors.ts';
import { isSchema, isSchemaObject, locate, type SchemaObject } from '../schema-kinds.ts';

/** Keywords that say nothing about which values are valid. */
const annotations = new Set([
  '$id',
  '$schema',
  '$comment',
  '$defs',
  '$anchor',
  '$vocabulary',
  'definitions',
  'title',
  'description',
  'default',
  'examples',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  'externalDocs',
  'xml',
  'discriminator',
]);

/** Keywords that a schema object states by itself, about a value. */
export const ownKeywords = [
  'type',
  'enum',
  'const',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'format',
  'minLength',
  'maxLength',
  'pattern',
  'prefixItems',
  'items',
  'contains',
  'minItems',
  'maxItems',
  'uniqueItems',
  'properties',
  'patternProperties',
  'additionalProperties',
  'propertyNames',
  'required',
  'minProperties',
  'maxProperties',
] as const;

/** Keywords that combine schemas. */
const combinations = [
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedProperties',
  'unevaluatedItems',
] as const;

/** Keywords that belong to `if` and to `contains`, and are read with these. */
const companions = ['then', 'else', 'minContains', 'maxContains'] as const;

const honoured = new Set<string>([...ownKeywords, ...combinations, ...companions]);

const shapes: readonly (readonly [
  keywords: readonly string[],
  meets: (value: unknown) => boolean,
  wanted: string,
])[] = [
  [
    [
      'additionalProperties',
      'items',
      'not',
      'if',
      'then',
      'else',
      'contains',
      'propertyNames',
      'unevaluatedProperties',
      'unevaluatedItems',
    ],
    isSchema,
    'a schema',
  ],
  [
    ['allOf', 'anyOf', 'oneOf', 'prefixItems'],
    (value) => Array.isArray(value) && value.every(isSchema),
    'a list of schemas',
  ],
  [
    ['properties', 'patternProperties', 'dependentSchemas'],
    (value) => isSchemaObject(value) && Object.values(value).every(isSchema),
    'schemas by name',
  ],
  [['enum', 'required'], Array.isArray, 'a list'],
  [['pattern', 'format'], (value) => typeof value === 'string', 'a string'],
  [
    [
      'minimum',
      'maximum',
      'exclusiveMinimum',
      'exclusiveMaximum',
      'multipleOf',
      'minLength',
      'maxLength',
      'minItems',
      'maxItems',
      'minProperties',
      'maxProperties',
      'minContains',
      'maxContains',
    ],
    isNumeric,
    'a number',
  ],
];

/** Throws UnsupportedKeyword at the first keyword that generation would otherwise have to ignore. */
export function checkKeywords(schema: SchemaObject, root: unknown): void {
  for (const keyword of Object.keys(schema)) {
    if (!honoured.has(keyword) && !annotations.has(keyword) && !keyword.startsWith('x-'))
      throw new UnsupportedKeyword(
        keyword,
        locate(schema, root),
        'values cannot be generated for this keyword',
      );
  }
  for (const [keywords, meets, wanted] of shapes) {
    const wrong = keywords.find((keyword) => Object.hasOwn(schema, keyword) && !meets(schema[keyword]));
    if (wrong) throw new UnsupportedKeyword(wrong, locate(schema, root), `its value is not ${wanted}`);
  }
}
