import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJson } from '../json/testing.ts';
import { compileSchema } from './compile.ts';

const reference = new Ajv2020({ allErrors: true, strict: false, ownProperties: true });
formats.default(reference);

const small = fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constantFrom(0.5, -1.5, 2.25));
const name = fc.constantFrom('a', 'b', 'constructor');
const keyword = (schema: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  fc.oneof(
    fc.record({
      type: fc.constantFrom('integer', 'number', 'string', 'array', 'object', 'null', 'boolean'),
    }),
    fc.record({
      type: fc.uniqueArray(fc.constantFrom('integer', 'number', 'null', 'string'), { minLength: 1 }),
    }),
    fc.record({ minimum: small, exclusiveMaximum: small }, { requiredKeys: [] }),
    fc.record({ maximum: small, exclusiveMinimum: small }, { requiredKeys: [] }),
    fc.record({ multipleOf: fc.constantFrom(1, 2, 0.5, 0.25) }),
    fc.record({
      enum: fc.array(fc.oneof(small, fc.constantFrom(null, 'a', [1], { a: 1 })), { minLength: 1 }),
    }),
    fc.record({ const: fc.oneof(small, fc.constantFrom(null, 'a', [1.5])) }),
    fc.record(
      { minLength: fc.nat(2), maxLength: fc.nat(2), pattern: fc.constantFrom('a', '^.$') },
      { requiredKeys: [] },
    ),
    fc.record({ items: schema, uniqueItems: fc.boolean(), minItems: fc.nat(2) }, { requiredKeys: [] }),
    fc.record(
      { prefixItems: fc.array(schema, { minLength: 1, maxLength: 2 }), contains: schema },
      { requiredKeys: ['prefixItems'] },
    ),
    fc.record(
      { properties: fc.dictionary(name, schema), required: fc.uniqueArray(name) },
      { requiredKeys: [] },
    ),
    fc.record(
      { additionalProperties: fc.oneof(fc.boolean(), schema), maxProperties: fc.nat(2) },
      { requiredKeys: [] },
    ),
    fc.record({ allOf: fc.array(schema, { minLength: 1, maxLength: 2 }) }),
    fc.record({ anyOf: fc.array(schema, { minLength: 1, maxLength: 2 }), not: schema }, { requiredKeys: [] }),
    fc.record({ oneOf: fc.array(schema, { minLength: 1, maxLength: 2 }) }),
  );
const { schema } = fc.letrec<{ schema: object; leaf: object }>((tie) => ({
  leaf: fc.constant({}),
  schema: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    tie('leaf'),
    fc.array(keyword(tie('schema')), { maxLength: 3 }).map((parts) => Object.assign({}, ...parts)),
  ),
}));
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2, depthSize: 'small', withCrossShrink: true },
    small,
    fc.constantFrom(null, true, '', 'a', 'ab', '😀'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

test('exact doubles -> valid and invalid values agree with ajv', () => {
  fc.assert(
    fc.property(schema, fc.array(value, { minLength: 1, maxLength: 8 }), (generated, values) => {
      const ours = compileSchema({ ...generated });
      for (const candidate of values) {
        const text = JSON.stringify(candidate);
        expect(ours(readJson(text)).length === 0, text).toBe(reference.validate(generated, candidate));
      }
    }),
    { numRuns: 300 },
  );
});
