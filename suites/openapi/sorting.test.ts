import { expect, test } from 'vitest';
import { isSorted } from './sorting.ts';

test.each([
  ['numbers', [1n, 2.5, 2.5, 10n], true],
  ['numbers as text would be', [1n, 10n, 2n], false],
  ['without some values', [null, 1n, undefined, 2n], true],
  ['letters by code', ['B', 'a', 'b'], true],
  ['letters without case', ['a', 'B', 'c'], true],
  ['letters with accents', ['a', 'ä', 'b'], true],
  ['texts with numbers', ['part 2', 'part 10'], true],
  ['no order of letters', ['b', 'a', 'c'], false],
  ['times in several zones', ['2030-01-01T10:00:00+02:00', '2030-01-01T09:00:00Z'], true],
  ['times', ['2030-01-02T00:00:00Z', '2030-01-01T00:00:00Z'], false],
  ['lists, whose order is not specified', [[2n], [1n]], true],
] as const)('isSorted: %s', (_, values, isUp) => {
  expect(isSorted(values, 'up')).toBe(isUp);
  expect(isSorted(values.toReversed(), 'down')).toBe(isUp);
});
