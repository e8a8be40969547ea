import { expect, test } from 'vitest';
import { isRareCategory, privateCategory } from './private-category.ts';

test('every text has a category of its own, the same each time', () => {
  const texts = ['', 'conformance-a-1', 'conformance-a-2', 'conformance-b-1', '\u{1f408}'.repeat(40)];
  const categories = texts.map(privateCategory);
  expect(new Set(categories).size).toBe(texts.length);
  expect(categories.every(isRareCategory)).toBe(true);
  expect(texts.map(privateCategory)).toEqual(categories);
});

test.each([0n, 1n, -(2n ** 61n), 2n ** 53n + 1n, 2n ** 62n + 1n, 2n ** 63n - 1n])(
  'others may have taken %s as well',
  (category) => {
    expect(isRareCategory(category)).toBe(false);
  },
);
