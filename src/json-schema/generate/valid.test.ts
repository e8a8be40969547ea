import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringifyJson } from '../../json/stringify.ts';
import { anySchema, sharedDefinitions } from '../any-schema-testing.ts';
import { compileSchema } from '../compile.ts';
import type { JsonSchema } from '../schema.ts';
import { UnsatisfiableSchema, UnsupportedKeyword } from '../schema.ts';
import { boundaries, valid } from './valid.ts';

const root = {
  $defs: sharedDefinitions,
  components: {
    schemas: {
      PetStatus: { type: 'string', enum: ['available', 'pending', 'sold'] },
      NewPet: {
        type: 'object',
        required: ['name', 'categoryId'],
        properties: {
          name: { type: 'string' },
          categoryId: { type: 'integer', format: 'int64' },
          status: { $ref: '#/components/schemas/PetStatus' },
        },
      },
    },
  },
};
const newPet = { $ref: '#/components/schemas/NewPet' };

const drawn = (schema: JsonSchema, numRuns = 30) => fc.sample(valid(schema, root), { seed: 42, numRuns });
const texts = (schema: JsonSchema) => boundaries(schema, root).map(stringifyJson);

/** The values; null: the schema has none. */
function valuesOf(schema: JsonSchema) {
  try {
    return [...drawn(schema, 15), ...boundaries(schema, root)];
  } catch (error) {
    if (error instanceof UnsatisfiableSchema) return null;
    throw error;
  }
}

describe('values of generated schemas', () => {
  it('valid, both systematic and random ones', () => {
    let satisfiable = 0;
    fc.assert(
      fc.property(anySchema, (schema) => {
        const values = valuesOf(schema);
        const validate = compileSchema(schema, root);
        satisfiable += values ? 1 : 0;
        for (const value of values ?? []) expect(validate(value), stringifyJson(value)).toEqual([]);
      }),
      { seed: 5, numRuns: 150, endOnFailure: true },
    );
    expect(satisfiable).toBeGreaterThan(110);
  });

  it('same seed -> same values', () => {
    expect(drawn(newPet, 5).map(stringifyJson)).toMatchInlineSnapshot(`
      [
        "{"name":"","categoryId":-569251314323852066,"status":"pending"}",
        "{"name":"^~5EUa鞸Î","categoryId":9223372036854775793}",
        "{"name":"rŁ5𚭹4Ʊ","categoryId":19}",
        "{"name":"ȕq","categoryId":18,"status":"pending"}",
        "{"name":"","categoryId":-401294274402705418}",
      ]
    `);
  });
});

describe('systematic values', () => {
  it('include both bounds of int64, and integers that a double cannot distinguish', () => {
    const integers = texts({ type: 'integer', format: 'int64' });
    expect(integers[0]).toBe('0');
    expect(integers).toEqual(
      expect.arrayContaining([
        '9223372036854775807',
        '-9223372036854775808',
        '9007199254740993',
        '-9007199254740993',
        '2147483648',
      ]),
    );
  });

  it('include both bounds and their neighbors, the simplest value first', () => {
    expect(texts({ type: 'integer', minimum: 1, maximum: 100 })).toEqual(
      expect.arrayContaining(['1', '2', '99', '100']),
    );
    expect(texts({ type: 'integer', exclusiveMinimum: 3, maximum: 5n })).toEqual(['4', '5']);
    expect(texts({ type: 'number', multipleOf: 0.25, minimum: 0, maximum: 0.5 })).toEqual(
      expect.arrayContaining(['0', '0.25', '0.5']),
    );
  });

  it('include the minimal and maximal length, in code points', () => {
    const strings = boundaries({ type: 'string', minLength: 2, maxLength: 4 }).map(String);
    expect(strings).toEqual(expect.arrayContaining(['aa', 'aaaa', '😀😀', '😀😀😀😀']));
    expect(boundaries({ type: 'array', items: { type: 'null' }, minItems: 1, maxItems: 3 })).toEqual(
      expect.arrayContaining([[null], [null, null, null]]),
    );
  });

  it('include each optional property present and missing, and each enum value', () => {
    const pets = texts(newPet);
    expect(pets).toContain('{"name":"a","categoryId":0}');
    for (const status of ['available', 'pending', 'sold'])
      expect(pets).toContain(`{"name":"a","categoryId":0,"status":"${status}"}`);
  });

  it('recursive schema -> finite', () => {
    const trees = boundaries({ $ref: '#/$defs/Tree' }, root);
    expect(trees.length).toBeGreaterThan(10);
    expect(texts({ $ref: '#/$defs/Tree' })).toContain('{"value":0}');
  });
});

describe('random values', () => {
  const smallest = (schema: JsonSchema, fails: (text: string) => boolean) =>
    stringifyJson(
      fc.check(
        fc.property(valid(schema, root), (value) => !fails(stringifyJson(value))),
        { seed: 3, numRuns: 1000 },
      ).counterexample?.[0] ?? null,
    );

  it('shrink to small values', () => {
    expect(smallest(newPet, () => true)).toBe('{"name":"","categoryId":0}');
    expect(smallest({ type: 'integer' }, (text) => Number(text) > 1000)).toBe('1001');
    expect(smallest({ type: 'array', items: newPet }, (text) => text.includes('sold'))).toMatch(
      /^\[\{"name":"a?","categoryId":0,"status":"sold"\}\]$/,
    );
  });

  it('infinite bounds -> ignored, the other bounds apply', () => {
    for (const type of ['integer', 'number']) {
      const values = valuesOf({ type, minimum: 1n, maximum: Number.POSITIVE_INFINITY }) ?? [];
      expect(values.length).toBeGreaterThan(15);
      for (const value of values) expect(Number(value)).toBeGreaterThanOrEqual(1);
    }
  });

  it('no properties without a rule in the schema, unless it needs them', () => {
    for (const value of drawn(newPet)) expect(Object.keys(Object(value))).not.toContain('extra');
    expect(
      drawn({ type: 'object', minProperties: 2 }).every((value) => Object.keys(Object(value)).length >= 2),
    ).toBe(true);
  });
});

it('unknown keyword -> ignored', () => {
  for (const value of drawn({ type: 'integer', ge: 3, minimum: 1 })) expect(Number(value)).toBeGreaterThan(0);
});

describe('unsupported schemas', () => {
  it.each<[JsonSchema, string, string]>([
    [{ properties: { a: { $dynamicRef: '#x' } } }, '$dynamicRef', '#/properties/a'],
    [{ $ref: 'https://elsewhere.example/schema' }, '$ref', '#'],
    [{ $ref: '#/$defs/missing' }, '$ref', '#'],
    [{ allOf: [{ $ref: '#' }] }, '$ref', '#'],
    [{ allOf: [{ type: 'string', pattern: '^(a)\\1$' }] }, 'pattern', '#/allOf/0'],
    [{ minLength: 'two' }, 'minLength', '#'],
  ])('%j -> an error with the keyword and its place', (schema, keyword, pointer) => {
    const sample = () => fc.sample(valid(schema), 1);
    expect(sample).toThrow(UnsupportedKeyword);
    expect(sample).toThrow(`${keyword} at ${pointer}: `);
  });

  it.each<[JsonSchema]>([
    [false],
    [{ type: 'string', minLength: 1_000_000_000 }],
    [{ type: 'array', minItems: 1_000_000_000 }],
    [{ type: 'integer', minimum: 5, maximum: 4 }],
    [{ type: 'integer', multipleOf: 10, minimum: 11, maximum: 19 }],
    [{ type: 'string', minLength: 3, maxLength: 2 }],
    [{ type: 'string', enum: ['a'], not: { const: 'a' } }],
    [{ allOf: [{ type: 'string' }, { type: 'integer' }] }],
    [{ type: 'object', required: ['a'], properties: { a: false } }],
    [{ type: 'array', items: { const: 1 }, minItems: 2, uniqueItems: true }],
    [{ type: 'object', required: ['self'], properties: { self: { $ref: '#' } } }],
    [{ type: 'string', pattern: '^[ab]{3}$', maxLength: 2 }],
    [{ oneOf: [{ type: 'string' }, { type: 'string' }] }],
  ])('%j -> no values', (schema) => {
    expect(() => valid(schema)).toThrow(UnsatisfiableSchema);
  });
});
