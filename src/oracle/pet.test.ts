import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPrivateCategory, isSameName, privateCategory } from './pet.ts';

const name = fc.string({ unit: 'binary', minLength: 0, maxLength: 24 }).filter((text) => text.isWellFormed());
const blank = fc.constantFrom(...' \t\n\u0000\u00a0\u2003\u3000\ufeff\u200b\u0085');
const blanks = fc.string({ unit: blank, maxLength: 4 });
const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;

test('isSameName: white space at the ends, any normal form -> same', () => {
  fc.assert(
    fc.property(name, blanks, blanks, fc.constantFrom(...forms), (sent, before, after, form) => {
      expect(isSameName(`${before}${sent}${after}`, sent.normalize(form))).toBe(true);
      expect(isSameName(sent, `${before}${sent.normalize(form)}${after}`)).toBe(true);
    }),
  );
});

test.each([[undefined], [null], [1n], [true], [['Rex']], [{ name: 'Rex' }]])(
  'isSameName: %s -> different',
  (value) => {
    expect(isSameName('Rex', value)).toBe(false);
  },
);

test('privateCategory: different texts -> different categories, the same each time', () => {
  const texts = ['', 'conformance-a-1', 'conformance-a-2', 'conformance-b-1', '\u{1f408}'.repeat(40)];
  const categories = texts.map(privateCategory);
  expect(new Set(categories).size).toBe(texts.length);
  expect(categories.every(isPrivateCategory)).toBe(true);
  expect(texts.map(privateCategory)).toEqual(categories);
});

test.each([0n, 1n, -(2n ** 61n), 2n ** 53n + 1n, 2n ** 62n + 1n, 2n ** 63n - 1n])(
  'isPrivateCategory: %s -> false',
  (category) => {
    expect(isPrivateCategory(category)).toBe(false);
  },
);
