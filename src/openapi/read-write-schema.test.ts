import { expect, test } from 'vitest';
import { sidesOf } from './read-write-schema.ts';

const base = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' } },
};
const root = {
  components: {
    schemas: {
      Base: base,
      Key: { type: 'string', writeOnly: true },
      Account: { required: ['key'], properties: { key: { $ref: '#/components/schemas/Key' } } },
      Joined: { allOf: [{ $ref: '#/components/schemas/Base' }], required: ['id', 'name'] },
      Tree: { properties: { child: { $ref: '#/components/schemas/Tree' } } },
    },
  },
};
const { schemas } = root.components;

test('request: no readOnly properties', () => {
  expect(sidesOf(root).request(base)).toEqual({
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' } },
  });
});

test('response: readOnly properties are unchanged', () => {
  expect(sidesOf(root).response(base)).toBe(base);
});

test('response: writeOnly properties are optional, also if the keyword is in a referenced schema', () => {
  expect(sidesOf(root).response(schemas.Account)).toEqual({
    required: [],
    properties: { key: { $ref: '#/components/schemas/Key' } },
  });
});

test('request: readOnly properties of allOf are not required', () => {
  expect(sidesOf(root).request(schemas.Joined)).toEqual({
    allOf: [{ $ref: '#/components/schemas/Base' }],
    required: ['name'],
  });
});

test('whole document: every schema is rewritten, and a schema without either keyword stays the same object', () => {
  const side = sidesOf(root).request(root);
  expect(side.components.schemas.Base).not.toHaveProperty('properties.id');
  expect(side.components.schemas.Tree).toBe(schemas.Tree);
  expect(sidesOf(root).request(root)).toBe(side);
});

test('nullable beside allOf -> null is allowed in responses only', () => {
  const schema = { allOf: [{ $ref: '#/components/schemas/Base' }], nullable: true };
  expect(sidesOf(root).response({ schema })).toEqual({
    schema: { anyOf: [{ allOf: schema.allOf }, { type: 'null' }] },
  });
  expect(sidesOf(root).request(schema)).toEqual(schema);
});
