import { expect, test } from 'vitest';
import { upgrade } from './upgrade.ts';

/** What becomes of a schema of a 3.0 document. */
const upgraded = (schema: object) => upgrade({ schema });

test.each<[string, object, object]>([
  ['nullable is a type', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
  ['nullable: false says nothing', { type: 'string', nullable: false }, { type: 'string' }],
  ['nullable without a type says nothing', { nullable: true, enum: ['a'] }, { enum: ['a'] }],
  [
    'an exclusive bound is a bound of its own',
    { minimum: 1n, exclusiveMinimum: true },
    { exclusiveMinimum: 1n },
  ],
  ['so is an upper one', { maximum: 1n, exclusiveMaximum: true }, { exclusiveMaximum: 1n }],
  [
    'an inclusive bound stays',
    { minimum: 1n, exclusiveMinimum: false, maximum: 2n },
    { minimum: 1n, maximum: 2n },
  ],
  ['exclusive without a bound says nothing', { exclusiveMinimum: true }, {}],
  ['an example is one of several', { example: null }, { examples: [null] }],
  ['what stands beside a reference is ignored', { $ref: '#/a', nullable: true }, { $ref: '#/a' }],
  ['a default stays as it is', { default: { nullable: true } }, { default: { nullable: true } }],
])('%s', (_, schema, expected) => {
  expect(upgraded(schema)).toEqual({ schema: expected });
});

test('schemas within schemas change alike, and a property may have the name of a keyword', () => {
  const old = { type: 'integer', nullable: true };
  const now = { type: ['integer', 'null'] };
  const nest = (schema: object) => ({
    properties: { nullable: schema, example: schema },
    items: schema,
    additionalProperties: schema,
    not: schema,
    allOf: [schema],
    anyOf: [schema],
    oneOf: [schema],
  });
  expect(upgraded(nest(old))).toEqual({ schema: nest(now) });
  expect(upgraded({ additionalProperties: false })).toEqual({ schema: { additionalProperties: false } });
});

test('schemas are found wherever they stand, and everything keeps its place', () => {
  const wrap = (schema: object) => ({
    paths: {
      '/a': {
        get: { parameters: [{ name: 'p', schema }], responses: { 200: { content: { x: { schema } } } } },
      },
    },
    components: { schemas: { S: schema }, headers: { H: { schema } } },
  });
  expect(upgrade(wrap({ type: 'string', nullable: true }))).toEqual(wrap({ type: ['string', 'null'] }));
});

test('examples and extensions are left alone', () => {
  const free = { schema: { type: 'string', nullable: true } };
  const holder = { example: free, examples: { one: free }, 'x-own': free };
  expect(upgrade(holder)).toEqual(holder);
});
