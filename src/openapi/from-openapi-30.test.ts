import { expect, test } from 'vitest';
import { fromOpenApi30 } from './from-openapi-30.ts';

/** A document with this schema. */
const withSchema = (schema: object) => ({ components: { schemas: { S: schema } } });
/** A document with this schema, upgraded. */
const upgraded = (schema: object) => fromOpenApi30(withSchema(schema));

test.each<[string, object, object]>([
  ['nullable -> a type', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
  ['nullable: false -> ignored', { type: 'string', nullable: false }, { type: 'string' }],
  ['nullable beside allOf -> unchanged', { nullable: true, allOf: [] }, { nullable: true, allOf: [] }],
  ['nullable without a type -> ignored', { nullable: true, enum: ['a'] }, { enum: ['a'] }],
  [
    'exclusive lower bound -> a keyword of its own',
    { minimum: 1n, exclusiveMinimum: true },
    { exclusiveMinimum: 1n },
  ],
  [
    'exclusive upper bound -> a keyword of its own',
    { maximum: 1n, exclusiveMaximum: true },
    { exclusiveMaximum: 1n },
  ],
  [
    'inclusive bound -> unchanged',
    { minimum: 1n, exclusiveMinimum: false, maximum: 2n },
    { minimum: 1n, maximum: 2n },
  ],
  ['exclusive without a bound -> ignored', { exclusiveMinimum: true }, {}],
  ['example -> examples', { example: null }, { examples: [null] }],
  ['keywords beside $ref -> ignored', { $ref: '#/a', nullable: true }, { $ref: '#/a' }],
  ['default -> unchanged', { default: { nullable: true } }, { default: { nullable: true } }],
])('%s', (_, schema, expected) => {
  expect(upgraded(schema)).toEqual(withSchema(expected));
});

test('nested schemas -> upgraded too, also if a property has the name of a keyword', () => {
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
  expect(upgraded(nest(old))).toEqual(withSchema(nest(now)));
  expect(upgraded({ additionalProperties: false })).toEqual(withSchema({ additionalProperties: false }));
});

test('schemas anywhere in the document -> upgraded, and nothing moves', () => {
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

test('components with the name of a keyword -> still components', () => {
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

test('examples and extensions -> unchanged', () => {
  const free = { schema: { type: 'string', nullable: true } };
  const holder = { example: free, examples: { one: free }, 'x-own': free };
  const document = {
    paths: { 'x-own': { get: { parameters: [free] } }, '/a': { get: { parameters: [holder] } } },
    components: { examples: { schema: free }, 'x-own': free },
    'x-own': free,
  };
  expect(fromOpenApi30(document)).toEqual(document);
});
