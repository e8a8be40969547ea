import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPrivateCategory, isSameName, privateCategory } from './pet.ts';

const name = fc.string({ unit: 'binary', minLength: 0, maxLength: 24 }).filter((text) => text.isWellFormed());
const blank = fc.constantFrom(...' \t\n\u0000\u00a0\u2003\u3000\ufeff\u200b\u0085');
const blanks = fc.string({ unit: blank, maxLength: 4 });
const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;

test('a name comes back in whatever normal form', () => {
  fc.assert(
    fc.property(name, fc.constantFrom(...forms), (sent, form) => isSameName(sent, sent.normalize(form))),
  );
  expect(isSameName('Ame\u0301lie', 'Am\u00e9lie')).toBe(true);
  expect(isSameName('\ufb01fi', 'fifi')).toBe(true);
});

test('white space at the ends may go or come, in whatever normal form', () => {
  fc.assert(
    fc.property(name, blanks, blanks, fc.constantFrom(...forms), (sent, before, behind, form) => {
      expect(isSameName(`${before}${sent}${behind}`, sent.normalize(form))).toBe(true);
      expect(isSameName(sent, `${before}${sent.normalize(form)}${behind}`)).toBe(true);
    }),
  );
});

test('a letter in the other case is another name', () => {
  const letter = fc.constantFrom(...'abcxyzABCXYZ');
  fc.assert(
    fc.property(name, letter, name, (before, changed, behind) => {
      const other = changed === changed.toLowerCase() ? changed.toUpperCase() : changed.toLowerCase();
      expect(isSameName(`${before}${changed}${behind}`, `${before}${other}${behind}`)).toBe(false);
    }),
  );
  expect(isSameName('ÉCOLE', 'école')).toBe(false);
});

test('a name that was cut, padded, escaped or collapsed is another name', () => {
  fc.assert(
    fc.property(name, fc.constantFrom(...'abcxyz'), (sent, last) => {
      expect(isSameName(`${sent}${last}`, sent)).toBe(false);
      expect(isSameName(sent, `${sent}${last}`)).toBe(false);
    }),
  );
  expect(isSameName('two  spaces', 'two spaces')).toBe(false);
  expect(isSameName('a&b', 'a&amp;b')).toBe(false);
  expect(isSameName('', ' ')).toBe(true);
});

test.each([[undefined], [null], [1n], [true], [['Rex']], [{ name: 'Rex' }]])(
  'what is no string is no name: %s',
  (back) => {
    expect(isSameName('Rex', back)).toBe(false);
  },
);

test('every text has a category of its own, the same each time', () => {
  const texts = ['', 'conformance-a-1', 'conformance-a-2', 'conformance-b-1', '\u{1f408}'.repeat(40)];
  const categories = texts.map(privateCategory);
  expect(new Set(categories).size).toBe(texts.length);
  expect(categories.every(isPrivateCategory)).toBe(true);
  expect(texts.map(privateCategory)).toEqual(categories);
});

test.each([0n, 1n, -(2n ** 61n), 2n ** 53n + 1n, 2n ** 62n + 1n, 2n ** 63n - 1n])(
  'others may have taken %s as well',
  (category) => {
    expect(isPrivateCategory(category)).toBe(false);
  },
);
