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

test('requests have no property that is readOnly', () => {
  expect(sidesOf(root).request(base)).toEqual({
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' } },
  });
});

test('responses may have what is readOnly, as it stands', () => {
  expect(sidesOf(root).response(base)).toBe(base);
});

test('responses need not have what is writeOnly, also where a reference says so, but may', () => {
  expect(sidesOf(root).response(schemas.Account)).toEqual({
    required: [],
    properties: { key: { $ref: '#/components/schemas/Key' } },
  });
});

test('what allOf adds is not required either', () => {
  expect(sidesOf(root).request(schemas.Joined)).toEqual({
    allOf: [{ $ref: '#/components/schemas/Base' }],
    required: ['name'],
  });
});

test('within the whole document every schema is changed, and what neither keyword touches stays the same object', () => {
  const side = sidesOf(root).request(root);
  expect(side.components.schemas.Base).not.toHaveProperty('properties.id');
  expect(side.components.schemas.Tree).toBe(schemas.Tree);
  expect(sidesOf(root).request(root)).toBe(side);
});
