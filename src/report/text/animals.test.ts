import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contrast } from './animals.ts';

test('short texts are shown whole', () => {
  expect(contrast('"Rex"', '"REX"')).toEqual(['"Rex"', '"REX"']);
});

test('of long texts that differ early the beginnings are shown', () => {
  expect(contrast(`a${'n'.repeat(500)}`, 'b')).toEqual([`a${'n'.repeat(199)}…`, 'b']);
});

test('what was cut short is told by its length, and by where it ends', () => {
  expect(contrast(`"${'n'.repeat(4_300)}"`, `"${'n'.repeat(4_000)}"`)).toEqual([
    `…${'n'.repeat(200)}… (4300 characters, alike before)`,
    `…${'n'.repeat(20)}" (4000 characters, alike before)`,
  ]);
});

test('the characters of a string are counted, not what stands for them in JSON', () => {
  const text = '\\'.repeat(150);
  expect(contrast(JSON.stringify(`${text}\u{1f408}x`), JSON.stringify(text))[0]).toMatch(/ \(152 characters/);
});

test('texts that differ are never shown alike', () => {
  const texts = fc.tuple(fc.nat({ max: 400 }), fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }));
  fc.assert(
    fc.property(texts, ([alike, a, b]) => {
      fc.pre(a !== b);
      const [expected, actual] = contrast('n'.repeat(alike) + a, 'n'.repeat(alike) + b);
      expect(expected).not.toBe(actual);
    }),
  );
});
