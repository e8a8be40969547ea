import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createPetOf, getPet, listPets } from '../run/probes.ts';
import { excerpt, inWords } from './rule.ts';

test.each([
  [getPet('7'), 'GET /pets/7'],
  [listPets({ limit: 5 }), 'GET /pets with limit=5'],
  [getPet('1'.repeat(5_000)), `GET /pets/${'1'.repeat(154)}… (5006 characters)`],
  [
    getPet('2e0', { label: '(an existing id as an exponent)' }),
    'GET /pets/2e0 (an existing id as an exponent)',
  ],
  [createPetOf({}, { label: 'no fields at all' }), 'POST /pets with no fields at all'],
  [
    createPetOf({ status: 'gone' }, { label: 'status: none of the listed values' }),
    'POST /pets with status "gone" (none of the listed values)',
  ],
  [createPetOf({ status: 'gone' }, { label: 'status: "gone"' }), 'POST /pets with status "gone"'],
  [
    createPetOf({ name: 'a'.repeat(99) }, { label: 'name: without a status' }),
    `POST /pets with name "${'a'.repeat(59)}… (without a status)`,
  ],
  [createPetOf({ '': 0n }, { label: 'a member without a name' }), 'POST /pets with a member without a name'],
  [createPetOf({}, { label: 'Content-Type: text/plain' }), 'POST /pets with Content-Type: text/plain'],
])('a request in words quotes the member that is odd', (probe, words) => {
  expect(inWords({ probe })).toBe(words);
});

test('a text that is short enough is shown whole', () => {
  expect(excerpt('Rex', 3)).toBe('Rex');
});

test('a longer one is cut, never within a character', () => {
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

test('halves of characters that stand alone are shown as they are', () => {
  expect(excerpt('a\ud83db', 2)).toBe('a\ud83d…');
});
