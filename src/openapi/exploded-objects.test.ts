import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonSchema } from '../json-schema/schema.ts';
import type { Parameter } from './document.ts';
import { membersOfParameter } from './exploded-objects.ts';
import { serializeParameter } from './serialize-parameter.ts';

const paging: JsonSchema = {
  type: 'object',
  properties: { page: { type: 'string' }, size: { type: 'string' } },
};
const parameter: Parameter = {
  name: 'p',
  in: 'query',
  required: true,
  schema: paging,
  style: 'form',
  explode: true,
};

const namesOf = (changes: Partial<Parameter>, root: unknown = {}) =>
  membersOfParameter({ ...parameter, ...changes }, root).map(({ name, required }) =>
    required ? `${name}!` : name,
  );

describe('membersOfParameter', () => {
  it.each(['form', 'deepObject'])('style %s -> members are written as in the object', (style) => {
    const whole = { ...parameter, style };
    const members = membersOfParameter(whole, {});
    fc.assert(
      fc.property(fc.record({ page: fc.string(), size: fc.string() }), (value) => {
        const written = Object.values(value).map((text, at) => {
          const member = members[at];
          return member === undefined ? '' : serializeParameter(member, text);
        });
        expect(written.join('&')).toBe(serializeParameter(whole, value));
      }),
    );
  });

  it.each<[string, Partial<Parameter>, readonly string[]]>([
    ['optional members', {}, ['page', 'size']],
    ['a required member', { schema: { ...paging, required: ['size'] } }, ['page', 'size!']],
    ['a reference', { schema: { $ref: '#/Paging' } }, ['page', 'size']],
    [
      'an optional list',
      { schema: { ...paging, properties: { page: {}, sort: { type: 'array' } } } },
      ['page'],
    ],
    [
      'members that are required together',
      { required: false, schema: { ...paging, required: ['size'] } },
      ['p'],
    ],
    [
      'a required list',
      { schema: { type: 'object', properties: { a: { type: 'array' } }, required: ['a'] } },
      ['p!'],
    ],
    ['rules on several members', { schema: { ...paging, minProperties: 1 } }, ['p!']],
    ['values separated by commas', { explode: false }, ['p!']],
    ['another place', { in: 'header', style: 'simple' }, ['p!']],
    ['no object', { schema: { type: 'string' } }, ['p!']],
  ])('%s', (_, changes, names) => {
    expect(namesOf(changes, { Paging: paging })).toEqual(names);
  });
});
