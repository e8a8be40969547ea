import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sameJson } from './equal.ts';
import type { Json } from './json.ts';
import { parseJson } from './parse.ts';
import { stringifyJson } from './stringify.ts';

const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Json>(null, true, false, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, '\ud800'),
    fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
    fc.double({ noNaN: true, noInteger: true }),
    fc.string({ unit: 'binary' }),
    fc.array(tie('json')),
    fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('json'), { noNullPrototype: true }),
  ),
}));

test('parseJson reverses stringifyJson', () => {
  fc.assert(
    fc.property(json, (value) => {
      const parsed = parseJson(stringifyJson(value));
      return parsed.ok && sameJson(parsed.value, value) && parsed.duplicates.length === 0;
    }),
  );
});

test('no big integers -> same values as from JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const text = JSON.stringify(value);
      const parsed = parseJson(text);
      if (parsed.ok) expect(JSON.parse(stringifyJson(parsed.value))).toEqual(JSON.parse(text));
    }),
  );
});

test.each<[Json, string]>([
  [9223372036854775807n, '9223372036854775807'],
  [-(10n ** 30n), `-1${'0'.repeat(30)}`],
  ['\ud800"\n', '"\\ud800\\"\\n"'],
  [{ b: [1n, 1.5, null], a: { 'x"': true } }, '{"b":[1,1.5,null],"a":{"x\\"":true}}'],
  [[], '[]'],
  [{}, '{}'],
])('%o -> %s', (value, text) => {
  expect(stringifyJson(value)).toBe(text);
});
