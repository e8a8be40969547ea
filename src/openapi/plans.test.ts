import { expect, test } from 'vitest';
import { refillSeconds } from './plans.ts';

test('refill time: until the Reset, and at least a minute for a limit of a minute', () => {
  expect(refillSeconds(77, 30)).toBe(30);
  expect(refillSeconds(77, 0)).toBe(1);
  expect(refillSeconds(77, null)).toBe(1);
  expect(refillSeconds(60, 2)).toBe(60);
  expect(refillSeconds(1_000, 40_000)).toBe(40_000);
});
