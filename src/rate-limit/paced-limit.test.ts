import { expect, test } from 'vitest';
import { exchangeOf } from '../../test/support/build.ts';
import { listPets } from '../check/requests.ts';
import { pacedLimitOf } from './paced-limit.ts';

const date = 'Sat, 28 Nov 2026 12:00:00 GMT';

/** The rate limit in a draft header, with the seconds until its reset. */
const read = (rateLimit: string, status = 200) => {
  const headers = {
    Date: date,
    RateLimit: rateLimit,
    'X-RateLimit-Limit': null,
    'X-RateLimit-Remaining': null,
  };
  const { limit, remaining, resetAt } = pacedLimitOf(exchangeOf(listPets(), { status, headers }));
  return [limit, remaining, resetAt === null ? null : Math.floor((resetAt - Date.parse(date)) / 1_000)];
};

test.each<[rateLimit: string, limit: number | null, remaining: number | null, seconds: number | null]>([
  ['limit=100, remaining=50, reset=3000', 100, 50, 3_000],
  ['limit=100, remaining=0, reset=60', 100, 0, 60],
  ['limit=100, remaining=0, reset=1.5', 100, 0, 2],
  ['limit=100, remaining=0, reset=-1', 100, 0, null],
  ['limit=100, remaining=0, reset=1000000000', 100, 0, null],
  ['limit=10, remaining=20, reset=5', 10, null, 5],
])('%s -> limit %s, remaining %s, reset in %s s', (rateLimit, ...shown) => {
  expect(read(rateLimit)).toEqual(shown);
});

test('none remain for hours -> believed only of a 429, because seconds may be milliseconds', () => {
  const inHours = 'limit=100, remaining=0, reset=60000';
  expect(read(inHours)).toEqual([100, 0, null]);
  expect(read(inHours, 429)).toEqual([100, 0, 60_000]);
});
