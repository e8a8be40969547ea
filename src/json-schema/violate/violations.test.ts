import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../json/json.ts';
import { stringifyJson } from '../../json/stringify.ts';
import { readJson } from '../../json/testing.ts';
import { anySchema, conditional, sharedDefinitions } from '../any-schema-testing.ts';
import { compileSchema } from '../compile.ts';
import type { JsonSchema } from '../schema.ts';
import { UnsatisfiableSchema } from '../schema.ts';
import { type Violation, violations } from './violations.ts';

const root = { $defs: sharedDefinitions };
const newPet: JsonSchema = {
  type: 'object',
  required: ['name', 'categoryId'],
  properties: {
    name: { type: 'string', minLength: 1 },
    categoryId: { type: 'integer', format: 'int64' },
    status: { $ref: '#/$defs/Status' },
  },
};

const all = (schema: JsonSchema) => violations(schema, root);
const labels = (schema: JsonSchema) => all(schema).map(({ keyword, label }) => `${keyword}: ${label}`);
const exampleTexts = (schema: JsonSchema, part: string) =>
  all(schema)
    .filter(({ label }) => label.includes(part))
    .flatMap(({ examples }) => examples.map(stringifyJson));

const valuesOf = ({ examples, arbitrary }: Violation): readonly Json[] => [
  ...examples,
  ...fc.sample(arbitrary, { seed: 1, numRuns: 4 }),
];

/** The value as the server reads it. */
const readBack = (value: Json): Json => readJson(stringifyJson(value));

describe('violations of generated schemas', () => {
  it('written and read back -> invalid at the named place', () => {
    let found = 0;
    fc.assert(
      fc.property(anySchema, (schema) => {
        const validate = compileSchema(schema, root);
        for (const violation of tryAll(schema)) {
          found += 1;
          for (const value of valuesOf(violation)) {
            const problems = validate(readBack(value));
            const pointers = problems.map(({ pointer }) => pointer);
            expect(problems, `${violation.label} ${stringifyJson(value)}`).not.toEqual([]);
            expect(
              pointers.some(
                (pointer) => pointer.startsWith(violation.pointer) || violation.pointer.startsWith(pointer),
              ),
            ).toBe(true);
          }
        }
      }),
      { seed: 11, numRuns: 20, endOnFailure: true },
    );
    expect(found).toBeGreaterThan(100);
  });

  const tryAll = (schema: JsonSchema): readonly Violation[] => {
    try {
      return all(schema);
    } catch (error) {
      if (error instanceof UnsatisfiableSchema) return [];
      throw error;
    }
  };
});

describe('violations of a record', () => {
  it('break one rule, and are valid everywhere else', () => {
    const validate = compileSchema(newPet, root);
    for (const violation of all(newPet)) {
      for (const value of valuesOf(violation)) {
        const problems = validate(readBack(value));
        expect(problems.map(({ pointer }) => pointer)).toEqual(problems.map(() => violation.pointer));
        const keywords = new Set(problems.map(({ keyword }) => keyword));
        if (violation.keyword === 'type') keywords.delete('enum');
        expect([...keywords]).toEqual([violation.keyword]);
      }
    }
  });

  it('name every rule', () => {
    expect(labels(newPet)).toMatchInlineSnapshot(`
      [
        "type: null instead of an object",
        "type: a boolean instead of an object",
        "type: an integer instead of an object",
        "type: a fraction instead of an object",
        "type: a string instead of an object",
        "type: an array instead of an object",
        "required: name missing",
        "required: categoryId missing",
        "type: name: null instead of a string",
        "type: name: a boolean instead of a string",
        "type: name: an integer instead of a string",
        "type: name: a fraction instead of a string",
        "type: name: an array instead of a string",
        "type: name: an object instead of a string",
        "minLength: name: shorter than 1 characters",
        "type: categoryId: null instead of an integer",
        "type: categoryId: a boolean instead of an integer",
        "type: categoryId: a fraction instead of an integer",
        "type: categoryId: a string instead of an integer",
        "type: categoryId: an array instead of an integer",
        "type: categoryId: an object instead of an integer",
        "format: categoryId: an integer above int64",
        "format: categoryId: an integer below int64",
        "type: status: null instead of a string",
        "type: status: a boolean instead of a string",
        "type: status: an integer instead of a string",
        "type: status: a fraction instead of a string",
        "type: status: an array instead of a string",
        "type: status: an object instead of a string",
        "enum: status: none of the listed values",
      ]
    `);
  });

  it('include integers one beyond int64 on both sides, and far beyond, exactly', () => {
    const texts = [...exampleTexts(newPet, 'above int64'), ...exampleTexts(newPet, 'below int64')].join();
    for (const digits of [
      '9223372036854775808',
      '-9223372036854775809',
      '18446744073709551616',
      '1000000000000000000000000000007',
    ])
      expect(texts).toContain(`:${digits},`);
  });

  it('include an enum value in another case, and with spaces around it', () => {
    const texts = exampleTexts(newPet, 'none of the listed values').join();
    for (const text of ['"AVAILABLE"', '"Sold"', '"sOLD"', '" sold"', '"sold "', '"sol"', '""'])
      expect(texts).toContain(text);
  });

  it('begin with each enum value in capitals', () => {
    const texts = exampleTexts(newPet, 'none of the listed values').slice(0, 6).join();
    for (const text of ['"AVAILABLE"', '"PENDING"', '"SOLD"', '"Available"', '"Pending"', '"Sold"'])
      expect(texts).toContain(text);
  });

  it('keep the overrides everywhere except at the broken place', () => {
    const overrides = { '/name': fc.constant('conformance-1'), '/categoryId': fc.constant(7n) };
    for (const violation of violations(newPet, root, { overrides }).filter(({ pointer }) => pointer !== '')) {
      for (const value of valuesOf(violation)) {
        const text = stringifyJson(value);
        if (violation.pointer !== '/name') expect(text).toContain('"name":"conformance-1"');
        if (violation.pointer !== '/categoryId') expect(text).toContain('"categoryId":7');
      }
    }
    const missing = violations(newPet, root, { overrides }).find(({ label }) =>
      label.includes('categoryId missing'),
    );
    expect(missing?.examples.map(stringifyJson)).toContain('{"name":"conformance-1"}');
  });
});

describe('each keyword', () => {
  it.each<[JsonSchema, string, string]>([
    [{ type: 'integer', minimum: 1, maximum: 100 }, 'less than 1', '0'],
    [{ type: 'integer', minimum: 1, maximum: 100 }, 'more than 100', '101'],
    [{ type: 'integer', exclusiveMinimum: 1 }, 'not more than 1', '1'],
    [{ type: 'number', exclusiveMaximum: 1 }, 'not less than 1', '1'],
    [{ type: 'integer', multipleOf: 3 }, 'no multiple of 3', '1'],
    [{ type: 'string', minLength: 2 }, 'shorter than 2', '"a"'],
    [{ type: 'string', maxLength: 2 }, 'longer than 2', '"aaa"'],
    [{ type: 'string', pattern: '^a+$' }, 'followed by "!"', '"a!"'],
    [{ type: 'string', format: 'date' }, 'no date', '"2023-02-29"'],
    [{ type: 'integer', format: 'int32' }, 'above int32', '2147483648'],
    [{ const: 'a' }, 'none of the listed', '"A"'],
    [{ type: 'string', enum: ['x', 'y'] }, 'an object instead', '{"x":null}'],
    [{ type: 'array', minItems: 1, items: { const: 1 } }, 'fewer than 1', '[]'],
    [{ type: 'array', maxItems: 1, items: { const: 1 } }, 'more than 1 items', '[1,1]'],
    [{ type: 'array', uniqueItems: true, items: { enum: ['x', 'y'] } }, 'an item twice', '["x","x"]'],
    [{ type: 'array', contains: { const: 1 }, items: { enum: [1, 2] } }, 'must contain', '[]'],
    [{ type: 'array', contains: { const: 1 }, maxContains: 1, items: { const: 1 } }, 'may contain', '[1,1]'],
    [{ type: 'array', prefixItems: [{ const: 1 }], items: false }, 'one item more', '[1,"a"]'],
    [{ type: 'array', prefixItems: [{ const: 1 }], items: { const: 2 } }, '1: none of the listed', '[1,3]'],
    [{ type: 'object', additionalProperties: false }, 'not allowed', '{"unexpected":"a"}'],
    [
      { type: 'object', additionalProperties: { const: 1 } },
      'additional: none of the listed',
      '{"additional":2}',
    ],
    [{ type: 'object', minProperties: 1, properties: { a: { const: 1 } } }, 'fewer than 1', '{}'],
    [
      { type: 'object', maxProperties: 1, properties: { a: { const: 1 }, b: { const: 1 } } },
      'more than 1',
      '{"a":1,"b":1}',
    ],
    [
      { type: 'object', properties: { a: { const: 1 }, b: { const: 1 } }, dependentRequired: { a: ['b'] } },
      'a without b',
      '{"a":1}',
    ],
    [{ type: 'string', not: { const: 'a' } }, 'must not be', '"a"'],
    [{ oneOf: [{ type: 'string' }, { enum: ['b', 1] }] }, 'two alternatives', '"b"'],
    [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, 'none of the alternatives', 'null'],
    [
      { type: 'integer', maximum: 9, ...conditional({ minimum: 5 }, { multipleOf: 5 }) },
      'not what follows',
      '9',
    ],
  ])('%j, %s -> only this keyword is broken', (schema, label, example) => {
    const texts = exampleTexts(schema, label);
    const drawn = all(schema)
      .filter((violation) => violation.label.includes(label))
      .flatMap(valuesOf)
      .map(stringifyJson);
    expect(texts.length).toBeGreaterThan(0);
    expect([...texts, ...drawn]).toContain(example);
  });

  it('nested positions -> reached: items of items, optional objects, recursive ones', () => {
    const nested: JsonSchema = {
      type: 'array',
      items: { type: 'object', properties: { inner: { type: 'array', items: { type: 'integer' } } } },
    };
    expect(all(nested).map(({ pointer }) => pointer)).toContain('/0/inner/0');
    expect(all({ $ref: '#/$defs/Tree' }).map(({ pointer }) => pointer)).toEqual(
      expect.arrayContaining(['/value', '/children']),
    );
  });

  it('cannot be broken alone -> left out', () => {
    expect(labels({ allOf: [{ type: 'integer', minimum: 5 }, { minimum: 3 }] })).not.toContain(
      'minimum: less than 3',
    );
    expect(
      labels({ type: 'integer', multipleOf: 1 }).filter((label) => label.startsWith('multipleOf')),
    ).toEqual([]);
  });
});
