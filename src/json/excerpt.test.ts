import fc from 'fast-check';
import { expect, test } from 'vitest';
import { excerpt } from './excerpt.ts';

test('text within the length -> unchanged', () => {
  expect(excerpt('Rex', 3)).toBe('Rex');
});

test('longer text -> cut, never within a character', () => {
  expect(excerpt('Rex and Bella', 3)).toBe('Rex…');
  expect(excerpt('ab\u{1f408}c', 3)).toBe('ab…');
  expect(excerpt('ab\u{1f408}c', 4)).toBe('ab\u{1f408}…');
  const texts = fc.string({ unit: 'grapheme', minLength: 5 });
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 9 }), (text, length) => {
      const cut = excerpt(text, length);
      expect(cut.isWellFormed()).toBe(true);
      expect(text.startsWith(cut.replace(/…$/, '')) || cut === text).toBe(true);
      expect(cut.length).toBeLessThanOrEqual(Math.max(length + 1, text.length > length ? 0 : text.length));
    }),
  );
});

test('lone surrogate -> kept', () => {
  expect(excerpt('a\ud83db', 2)).toBe('a\ud83d…');
});
