import fc, { type Arbitrary } from 'fast-check';
import type { JsonSchema, SchemaObject } from './schema.ts';

/** Definitions that generated schemas may refer to: plain, recursive, and with a reference. */
export const sharedDefinitions = {
  Status: { type: 'string', enum: ['available', 'pending', 'sold'] },
  Count: { type: 'integer', format: 'int64', minimum: 0 },
  Tree: {
    type: 'object',
    required: ['value'],
    properties: {
      value: { $ref: '#/$defs/Count' },
      children: { type: 'array', items: { $ref: '#/$defs/Tree' }, maxItems: 3 },
      parent: { anyOf: [{ type: 'null' }, { $ref: '#/$defs/Tree' }] },
    },
  },
};

const some = <T>(model: { [K in keyof T]: Arbitrary<T[K]> }, required: readonly (keyof T & string)[]) =>
  fc.record(model, { requiredKeys: [...required], noNullPrototype: true });

const small = fc.nat(5);
const ordered = <K extends string>(low: K, high: K) =>
  fc
    .option(fc.tuple(fc.option(small, { nil: undefined }), fc.option(small, { nil: undefined })), {
      nil: undefined,
    })
    .map((pair) => ({
      ...(pair?.[0] === undefined ? {} : { [low]: pair[0] }),
      ...(pair?.[1] === undefined ? {} : { [high]: (pair[0] ?? 0) + pair[1] }),
    }));

const joined = (...parts: readonly Arbitrary<object>[]): Arbitrary<SchemaObject> =>
  fc.tuple(...parts).map((objects) => Object.assign({}, ...objects));

const numbers: Arbitrary<SchemaObject> = joined(
  fc.constantFrom(
    { type: 'integer' },
    { type: 'integer', format: 'int32' },
    { type: 'integer', format: 'int64' },
    { type: 'number' },
    { type: ['integer', 'null'] },
  ),
  fc
    .option(fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: 2, max: 100 }), fc.boolean()), {
      nil: undefined,
    })
    .map((range) =>
      range ? { [range[2] ? 'minimum' : 'exclusiveMinimum']: range[0], maximum: range[0] + range[1] } : {},
    ),
  fc.constantFrom({}, {}, { multipleOf: 2 }, { multipleOf: 0.5 }),
);

const strings: Arbitrary<SchemaObject> = fc.oneof(
  joined(fc.constant({ type: 'string' }), ordered('minLength', 'maxLength')),
  fc
    .constantFrom('^[a-z]{2,4}$', 'x+', '^\\d{3}-\\d{4}$', '^(a|b)*c$')
    .map((pattern) => ({ type: 'string', pattern })),
  fc
    .constantFrom('date', 'date-time', 'uuid', 'email', 'ipv4', 'uri', 'password')
    .map((format) => ({ type: 'string', format })),
);

const listed: Arbitrary<SchemaObject> = fc.oneof(
  fc
    .uniqueArray(fc.constantFrom('a', 'B', 'c d', '7', 7, null, true, 0.5), { minLength: 1, maxLength: 4 })
    .map((values) => ({ enum: values })),
  fc.constantFrom('only', 7, false, null).map((value) => ({ const: value })),
);

const references: Arbitrary<SchemaObject> = fc
  .constantFrom(...Object.keys(sharedDefinitions))
  .map((name) => ({ $ref: `#/$defs/${name}` }));

/** Built from entries, because an object literal with `then` looks like a promise. */
export const conditional = (condition: JsonSchema, then: JsonSchema, otherwise?: JsonSchema): SchemaObject =>
  Object.fromEntries([
    ['if', condition],
    ['then', then],
    ...(otherwise === undefined ? [] : [['else', otherwise] as const]),
  ]);

const names = ['a', 'b', 'c'];

/** Schemas of every supported keyword, nested and combined. A few of them have no valid value. */
export const anySchema: Arbitrary<JsonSchema> = fc.letrec<{
  schema: JsonSchema;
  array: SchemaObject;
  object: SchemaObject;
  combined: SchemaObject;
}>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    numbers,
    strings,
    listed,
    references,
    fc.constantFrom<JsonSchema>({ type: 'boolean' }, { type: 'null' }, {}, true),
    tie('array'),
    tie('object'),
    tie('combined'),
  ),
  array: joined(
    fc.constant({ type: 'array' }),
    some<SchemaObject>(
      {
        items: tie('schema'),
        prefixItems: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        contains: tie('schema'),
      },
      ['items'],
    ).map(({ prefixItems, contains, ...rest }) => ({
      ...rest,
      ...(prefixItems && contains
        ? {}
        : { ...(prefixItems ? { prefixItems } : {}), ...(contains ? { contains } : {}) }),
    })),
    ordered('minItems', 'maxItems'),
    fc.constantFrom({}, {}, { uniqueItems: true }),
  ),
  object: joined(
    fc.constant({ type: 'object' }),
    some<SchemaObject>(
      {
        properties: fc.dictionary(fc.constantFrom(...names), tie('schema'), { noNullPrototype: true }),
        required: fc.uniqueArray(fc.constantFrom(...names), { maxLength: 2 }),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
        patternProperties: tie('schema').map((schema) => ({ '^x-[a-z]+$': schema })),
        propertyNames: fc.constantFrom({ maxLength: 10 }, { pattern: '^[a-z-]*$' }),
        minProperties: fc.constant(1),
        dependentRequired: fc.constantFrom({ a: ['b'] }, { c: ['a', 'b'] }),
        dependentSchemas: tie('schema').map((schema) => ({ a: { properties: { b: schema } } })),
      },
      [],
    ),
  ),
  combined: fc.oneof(
    fc.tuple(tie('schema'), tie('schema')).map((allOf) => ({ allOf })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((oneOf) => ({ oneOf })),
    fc.tuple(tie('schema'), tie('schema')).map(([base, not]) => ({ allOf: [base, { not }] })),
    fc
      .tuple(tie('schema'), tie('schema'), tie('schema'))
      .map(([condition, then, otherwise]) => conditional(condition, then, otherwise)),
  ),
})).schema;
