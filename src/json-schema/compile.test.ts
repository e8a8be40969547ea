import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { actualValue, expectedBySchema } from '../finding/words/schema.ts';
import type { Json } from '../json/json.ts';
import { readJson } from '../json/testing.ts';
import { compileSchema } from './compile.ts';
import type { JsonSchema } from './schema.ts';

/** The problems of a JSON text under a schema, as sentences. */
const problems = (schema: JsonSchema, text: string, root?: unknown) =>
  compileSchema(
    schema,
    root,
  )(readJson(text)).map(
    (problem) =>
      `${problem.pointer === '' ? '' : `${problem.pointer}: `}expected ${expectedBySchema(problem)}, got ${actualValue(problem)}`,
  );

const int64: JsonSchema = { type: 'integer', format: 'int64' };

describe('integers', () => {
  test.each(['0', '-0', '1.0', '1e2', '9007199254740993', '9223372036854775807', '-9223372036854775808'])(
    '%s is an int64',
    (text) => {
      expect(problems(int64, text)).toEqual([]);
    },
  );

  test.each([
    ['9223372036854775808', 'expected an int64, got 9223372036854775808'],
    ['-9223372036854775809', 'expected an int64, got -9223372036854775809'],
    ['1e300', `expected an int64, got 1${'0'.repeat(79)}…`],
    ['1e999', 'expected an int64, got 1e999'],
    ['1.5', 'expected an int64, got 1.5'],
    ['9223372036854775807.5', 'expected an int64, got 9223372036854775808'],
    ['1e-400', 'expected an int64, got 0'],
    ['"1"', 'expected an int64, got "1"'],
    ['null', 'expected an int64, got null'],
    ['true', 'expected an int64, got true'],
    ['[1]', 'expected an int64, got [1]'],
  ])('%s is not an int64 -> one problem', (text, message) => {
    expect(problems(int64, text)).toEqual([message]);
  });

  test.each([
    ['int32', '2147483647', '2147483648'],
    ['int32', '-2147483648', '-2147483649'],
    ['uint64', '18446744073709551615', '18446744073709551616'],
    ['uint64', '0', '-1'],
  ])('format %s -> exact bounds', (format, inside, outside) => {
    expect(problems({ type: 'integer', format }, inside)).toEqual([]);
    expect(problems({ type: 'integer', format }, outside)).toHaveLength(1);
  });

  test('integer format without a type -> bounds integers, and rejects fractions', () => {
    expect(problems({ format: 'int64' }, '9223372036854775808')).toHaveLength(1);
    expect(problems({ type: 'number', format: 'int64' }, '1.5')).toEqual(['expected an int64, got 1.5']);
    expect(problems({ format: 'int64' }, '"1.5"')).toEqual([]);
  });

  test('enum, const, multipleOf, and uniqueItems -> exact', () => {
    const big = readJson('[9007199254740993]');
    expect(problems({ enum: big }, '9007199254740993')).toEqual([]);
    expect(problems({ enum: big }, '9007199254740992')).toEqual([
      'expected one of 9007199254740993, got 9007199254740992',
    ]);
    expect(problems({ const: { a: 1 } }, '{"a":1.0}')).toEqual([]);
    expect(problems({ const: 9007199254740993n }, '9007199254740992')).toHaveLength(1);
    expect(problems({ multipleOf: 3 }, '9007199254740993')).toEqual([]);
    expect(problems({ multipleOf: 3 }, '9007199254740992')).toHaveLength(1);
    expect(problems({ multipleOf: 0.1 }, '0.3')).toEqual([]);
    expect(problems({ multipleOf: 0.1 }, '0.35')).toHaveLength(1);
    expect(problems({ uniqueItems: true }, '[9007199254740992,9007199254740993]')).toEqual([]);
    expect(problems({ uniqueItems: true }, '[{"a":1,"b":2},{"b":2.0,"a":1}]')).toHaveLength(1);
    expect(problems({ uniqueItems: false }, '[1,1]')).toEqual([]);
  });

  test('several types -> the problem names all of them', () => {
    const schema = { type: ['integer', 'null'], format: 'int64' };
    expect(problems(schema, 'null')).toEqual([]);
    expect(problems(schema, '9223372036854775807')).toEqual([]);
    expect(problems(schema, '1.5')).toEqual(['expected an int64 or null, got 1.5']);
    expect(problems({ type: 'number' }, '"x"')).toEqual(['expected a number, got "x"']);
  });

  test('integers around powers of two -> exact', () => {
    const edge = fc.constantFrom(2n ** 31n, 2n ** 53n, 2n ** 63n, -(2n ** 31n), -(2n ** 53n), -(2n ** 63n));
    const near = fc.tuple(edge, fc.bigInt({ min: -3n, max: 3n })).map(([base, step]) => base + step);
    fc.assert(
      fc.property(near, near, (value, limit) => {
        const valid = (schema: JsonSchema) => compileSchema(schema)(value).length === 0;
        expect(valid(int64)).toBe(value >= -(2n ** 63n) && value < 2n ** 63n);
        expect(valid({ type: 'integer', minimum: limit })).toBe(value >= limit);
        expect(valid({ exclusiveMaximum: limit })).toBe(value < limit);
        expect(valid({ const: limit })).toBe(value === limit);
      }),
    );
  });
});

describe('references', () => {
  const root = {
    components: {
      schemas: {
        Node: {
          type: 'object',
          required: ['value'],
          properties: {
            value: int64,
            next: { $ref: '#/components/schemas/Node' },
            'a/b': { $ref: '#/components/schemas/Odd~1%20name' },
          },
        },
        'Odd/ name': { const: 1 },
      },
    },
  };

  test('recursive schema -> supported', () => {
    const node = { $ref: '#/components/schemas/Node' };
    expect(problems(node, '{"value":1,"next":{"value":2}}', root)).toEqual([]);
    expect(problems(node, '{"value":1,"next":{"value":2.5,"next":{}}}', root)).toEqual([
      '/next/value: expected an int64, got 2.5',
      '/next/next: expected a member "value", got {}',
    ]);
  });

  test('reference -> a URI fragment with a JSON pointer', () => {
    expect(problems({ $ref: '#/components/schemas/Node' }, '{"value":1,"a/b":2}', root)).toEqual([
      '/a~1b: expected 1, got 2',
    ]);
  });

  test('keywords beside a reference -> apply too', () => {
    const schema = { $ref: '#/components/schemas/Node', required: ['next'] };
    expect(problems(schema, '{}', root)).toEqual([
      'expected a member "value", got {}',
      'expected a member "next", got {}',
    ]);
  });

  test.each(['#/components/schemas/None', '#anchor', 'other.yaml#/x', '#/components/schemas/toString'])(
    'invalid reference %s -> an error that names it',
    (reference) => {
      expect(() => compileSchema({ properties: { a: { $ref: reference } } }, root)).toThrow(reference);
    },
  );
});

describe('problems', () => {
  test('several problems -> each with its pointer, keyword, demand, and actual value', () => {
    const schema = {
      type: 'array',
      items: { type: 'object', required: ['id'], properties: { id: int64, status: { enum: ['a', 'b'] } } },
    };
    expect(compileSchema(schema)(readJson('[{"id":1.5,"status":"A"},{"id":1},{},3]'))).toEqual([
      {
        pointer: '/0/id',
        keyword: 'type',
        member: 'id',
        wanted: ['int64'],
        actual: '1.5',
      },
      {
        pointer: '/0/status',
        keyword: 'enum',
        member: 'status',
        wanted: ['"a"', '"b"'],
        actual: '"A"',
      },
      {
        pointer: '/2',
        keyword: 'required',
        member: 'id',
        wanted: ['"id"'],
        actual: '{}',
      },
      {
        pointer: '/3',
        keyword: 'type',
        member: null,
        wanted: ['object'],
        actual: '3',
      },
    ]);
  });

  test.each<[JsonSchema, string, string]>([
    [{ minLength: 2n }, '"a"', 'expected at least 2 characters, got "a"'],
    [{ maxItems: 1 }, '[1,2]', 'expected at most 1 item, got 2 items'],
    [{ minProperties: 1 }, '{}', 'expected at least 1 member, got 0 members'],
    [{ additionalProperties: false }, '{"x":1}', 'expected no further members, got a member "x"'],
    [{ pattern: '^a' }, '"b"', 'expected a match of /^a/, got "b"'],
    [{ format: 'uuid' }, '"b"', 'expected the format uuid, got "b"'],
    [{ const: 'x' }, '1', 'expected "x", got 1'],
    [{ properties: { a: false } }, '{"a":1}', '/a: expected no value, got 1'],
    [false, '1', 'expected no value, got 1'],
    [{ oneOf: [true, true] }, '1', 'expected to match exactly one schema in oneOf, got 1'],
    [{ required: ['constructor'] }, '{}', 'expected a member "constructor", got {}'],
    [{ maxLength: 1 }, `"${'x'.repeat(200)}"`, `expected at most 1 character, got "${'x'.repeat(79)}…`],
  ])('%o rejects %s -> a readable problem', (schema, text, message) => {
    expect(problems(schema, text)).toEqual([message]);
  });

  test('keywords of OpenAPI, and unknown ones -> ignored', () => {
    const schema = {
      type: 'string',
      format: 'no-such-format',
      example: 1,
      discriminator: { propertyName: 'x' },
      xml: {},
      externalDocs: {},
      deprecated: true,
      'x-own': {},
      unheardOf: { type: 'integer' },
    };
    expect(problems(schema, '"a"')).toEqual([]);
  });

  test('pattern that is only valid without the Unicode flag -> supported', () => {
    expect(problems({ pattern: '^[\\w-.]+$' }, '"a-b"')).toEqual([]);
  });

  test('pattern that cannot be tested in bounded time -> undecided', () => {
    const validate = compileSchema({ pattern: '^(.*)-\\1$' });
    expect(validate('a-a')).toEqual([]);
    expect(validate('a-b')).toMatchObject([{ keyword: 'pattern' }]);
    expect(validate('a'.repeat(1000))).toMatchObject([{ undecided: true }]);
  });

  test.each<[JsonSchema, string]>([
    [{ type: 'int' }, '"int"'],
    [{ type: ['integer', 'strnig'] }, '"strnig"'],
    [{ minimum: '1' }, 'minimum'],
    [{ items: 'x' }, '"x"'],
    [{ pattern: '(' }, '('],
  ])('malformed schema %o -> an error', (schema, named) => {
    expect(() => compileSchema(schema)).toThrow(named);
  });
});

describe('array with only a schema for its items', () => {
  const list: JsonSchema = {
    type: 'array',
    items: { type: 'object', required: ['id'], properties: { id: int64 } },
  };
  const root = { list };
  const validators = [compileSchema(list), compileSchema({ $ref: '#/list' }, root)];

  test.each(validators)('invalid items among items that were valid before -> their problems', (validate) => {
    for (const text of ['[{"id":1},{"id":2}]', '[]']) expect(validate(readJson(text))).toEqual([]);
    for (const text of ['[{"id":1},{"id":"3"},{"id":2}]', '[{"id":1},{},{"id":2}]', '[{"id":1},7]'])
      expect(validate(readJson(text)).map(({ pointer }) => pointer.slice(0, 2))).toEqual(['/1']);
    expect(validate(readJson('{"id":1}'))).not.toEqual([]);
  });

  test('item that may have changed -> validated again', () => {
    const [validate] = validators;
    const item: { id: Json } = { id: 1n };
    expect(validate?.([item])).toEqual([]);
    item.id = 'one';
    expect(validate?.([item])).toHaveLength(1);
  });
});

describe('value nested deeper than the parser reads', () => {
  const schema = {
    $ref: '#/$defs/Node',
    $defs: {
      Node: {
        type: 'object',
        required: ['kids'],
        properties: { id: { type: 'integer' }, kids: { type: 'array', items: { $ref: '#/$defs/Node' } } },
      },
    },
  };
  const tree = (id: string) =>
    `{"id":${id},"kids":[${'{"kids":['.repeat(800)}${']}'.repeat(800)},{"id":${id}}]}`;

  test('problems of the part that was read', () => {
    expect(problems(schema, tree('"x"'))).toEqual([
      '/id: expected an integer, got "x"',
      '/kids/1: expected a member "kids", got {"id":"x"}',
      '/kids/1/id: expected an integer, got "x"',
    ]);
  });
});
