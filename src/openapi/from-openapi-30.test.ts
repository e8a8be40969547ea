import { expect, test } from 'vitest';
import { fromOpenApi30 } from './from-openapi-30.ts';

/** A document with this schema in it. */
const holding = (schema: object) => ({ components: { schemas: { S: schema } } });
/** What becomes of a document with this schema. */
const upgraded = (schema: object) => fromOpenApi30(holding(schema));

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
  expect(upgraded(schema)).toEqual(holding(expected));
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
  expect(upgraded(nest(old))).toEqual(holding(nest(now)));
  expect(upgraded({ additionalProperties: false })).toEqual(holding({ additionalProperties: false }));
});

test('schemas are found wherever they stand, and everything keeps its place', () => {
  const wrap = (schema: object) => {
    const content = { x: { schema, encoding: { a: { headers: { H: { schema } } } } } };
    const parameters = [
      { name: 'p', schema },
      { name: 'q', content },
    ];
    const requestBody = { content };
    const responses = { 200: { headers: { 'x-own': { schema } }, content } };
    const item = { parameters, put: { requestBody, responses } };
    return {
      paths: { '/a': { ...item, get: { parameters, callbacks: { done: { '{$url}': item } } } } },
      components: {
        schemas: { S: schema },
        headers: { H: { schema } },
        parameters: { P: { schema } },
        requestBodies: { B: requestBody },
        responses: { R: { content } },
        callbacks: { C: { '{$url}': item } },
      },
    };
  };
  expect(fromOpenApi30(wrap({ type: 'string', nullable: true }))).toEqual(wrap({ type: ['string', 'null'] }));
});

test('what an author names is taken for nothing else, whatever its name', () => {
  const named = (schema: object) => ({
    components: {
      parameters: { schema: { name: 'schema', schema }, schemas: { name: 's', schema }, example: { schema } },
      schemas: { schema, example: schema },
    },
  });
  expect(fromOpenApi30(named({ type: 'string', nullable: true }))).toEqual(
    named({ type: ['string', 'null'] }),
  );
});

test('examples and extensions are left alone', () => {
  const free = { schema: { type: 'string', nullable: true } };
  const holder = { example: free, examples: { one: free }, 'x-own': free };
  const document = {
    paths: { 'x-own': { get: { parameters: [free] } }, '/a': { get: { parameters: [holder] } } },
    components: { examples: { schema: free }, 'x-own': free },
    'x-own': free,
  };
  expect(fromOpenApi30(document)).toEqual(document);
});
