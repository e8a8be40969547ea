import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrast } from './animals.ts';

test('contrast: short texts -> unchanged', () => {
  expect(contrast('"Rex"', '"REX"')).toEqual(['"Rex"', '"REX"']);
});

test('contrast: long texts that differ early -> their beginnings', () => {
  expect(contrast(`a${'n'.repeat(500)}`, 'b')).toEqual([`a${'n'.repeat(199)}…`, 'b']);
});

test('contrast: a text that was cut -> its end and its length', () => {
  expect(contrast(`"${'n'.repeat(4_300)}"`, `"${'n'.repeat(4_000)}"`)).toEqual([
    `…${'n'.repeat(200)}… (4300 characters, alike before)`,
    `…${'n'.repeat(20)}" (4000 characters, alike before)`,
  ]);
});

test('contrast: escapes of JSON -> counted as one character', () => {
  const text = '\\'.repeat(150);
  expect(contrast(JSON.stringify(`${text}\u{1f408}x`), JSON.stringify(text))[0]).toMatch(/ \(152 characters/);
});

test('contrast: different texts -> different excerpts', () => {
  const texts = fc.tuple(fc.nat({ max: 400 }), fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }));
  fc.assert(
    fc.property(texts, ([length, a, b]) => {
      fc.pre(a !== b);
      const [expected, actual] = contrast('n'.repeat(length) + a, 'n'.repeat(length) + b);
      expect(expected).not.toBe(actual);
    }),
  );
});
