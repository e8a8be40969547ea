import { expect, test } from 'vitest';
import { compileSchema } from '../json-schema/compile.ts';
import type { JsonSchema } from '../json-schema/schema.ts';
import { headerReadings } from './header-readings.ts';

const size: JsonSchema = {
  type: 'object',
  required: ['R', 'G'],
  properties: { R: { type: 'integer' }, G: { type: 'integer' } },
};
const list: JsonSchema = { type: 'array', items: { type: 'integer' } };
const date: JsonSchema = { type: 'string', pattern: '^[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} ' };

const isValid = (schema: JsonSchema, lines: readonly string[]): boolean =>
  headerReadings(lines).some((value) => compileSchema(schema)(value).length === 0);

test.each<[name: string, schema: JsonSchema, lines: readonly string[]]>([
  ['integer', { type: 'integer' }, ['3']],
  ['leading zeros', { type: 'integer' }, ['007']],
  ['fraction', { type: 'number' }, ['0.50']],
  ['fraction without a zero', { type: 'number' }, ['.5']],
  ['list', list, ['1, 2,3']],
  ['list of ten', list, ['1, 2, 3, 4, 5, 6, 7, 8, 9, 10']],
  [
    'list of integers and texts',
    { type: 'array', items: { anyOf: [{ type: 'integer' }, { const: '*' }] } },
    ['*, 1, 2, 3, 4, 5, 6, 7, 8, 9'],
  ],
  ['list in several lines', list, ['1', '2']],
  [
    'texts with commas in several lines',
    { type: 'array', items: date },
    ['Tue, 15 Nov 1994 ', 'Wed, 16 Nov 1994 '],
  ],
  ['date with a comma', date, ['Tue, 15 Nov 1994 08:12:31 GMT']],
  ['exploded object', size, ['R=100,G=200']],
  ['object', size, ['R, 100, G, 200']],
  ['JSON', { type: 'object', required: ['a'] }, ['{"a": [1, 2]}']],
])('%s -> valid', (_, schema, lines) => {
  expect(isValid(schema, lines)).toBe(true);
});

test.each<[name: string, schema: JsonSchema, lines: readonly string[]]>([
  ['word instead of an integer', { type: 'integer' }, ['many']],
  ['fraction instead of an integer', { type: 'integer' }, ['1.5']],
  ['two values instead of one', { type: 'integer' }, ['3', '4']],
  ['word in a list', list, ['1, x']],
  ['object without a member', size, ['R=100']],
  ['odd number of parts', size, ['R,100,G']],
])('%s -> invalid', (_, schema, lines) => {
  expect(isValid(schema, lines)).toBe(false);
});
