import { expect, test } from 'vitest';
import { readRateLimit } from './headers.ts';

const read = (limit: string, remaining: string) => {
  const { limit: most, remaining: left } = readRateLimit(
    [
      ['X-RateLimit-Limit', limit],
      ['X-RateLimit-Remaining', remaining],
    ],
    0,
  );
  return [most, left];
};

test.each([
  ['as whole numbers', '60', '59', [60, 59]],
  ['with a fraction', '60.0', '58.5', [60, 58]],
  ['with the limit and its window', '60;w=60', '59/60', [60, 59]],
  ['twice', '60, 60', '59, 59', [60, 59]],
  ['with digits in groups', '1,000', '1,000', [1_000, 1_000]],
  ['in words', 'sixty', 'NaN', [null, null]],
  ['below nothing', '60', '-1', [60, null]],
  ['with more left than the limit', '60', '61', [60, null]],
])('a limit %s is understood where there is sense in it', (_, limit, remaining, expected) => {
  expect(read(limit, remaining)).toEqual(expected);
});
