import { expect, test } from 'vitest';
import { readRateLimit } from './headers.ts';

const read = (limit: string, remaining: string) => {
  const { limit: limitRead, remaining: remainingRead } = readRateLimit(
    [
      ['X-RateLimit-Limit', limit],
      ['X-RateLimit-Remaining', remaining],
    ],
    0,
  );
  return [limitRead, remainingRead];
};

test.each([
  ['whole numbers', '60', '59', [60, 59]],
  ['fractions', '60.0', '58.5', [60, 58]],
  ['with window and limit', '60;w=60', '59/60', [60, 59]],
  ['repeated', '60, 60', '59, 59', [60, 59]],
  ['grouped digits', '1,000', '1,000', [1_000, 1_000]],
  ['words', 'sixty', 'NaN', [null, null]],
  ['negative Remaining', '60', '-1', [60, null]],
  ['Remaining above the limit', '60', '61', [60, null]],
])('%s: limit %s, Remaining %s -> %j', (_, limit, remaining, expected) => {
  expect(read(limit, remaining)).toEqual(expected);
});
