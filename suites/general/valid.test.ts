import { expect, test } from 'vitest';
import { spread } from './valid.ts';

test('few values are all sent', () => {
  expect(spread([1, 2, 3], 3)).toEqual([1, 2, 3]);
});

test('of many values the first is kept, and some of every part', () => {
  const values = Array.from({ length: 102 }, (_, index) => index);
  const some = spread(values, 40);
  expect(some.length).toBe(40);
  expect(some[0]).toBe(0);
  expect(some.filter((value) => value >= 42).length).toBeGreaterThan(20);
});
