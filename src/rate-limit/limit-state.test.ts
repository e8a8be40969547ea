import { expect, test } from 'vitest';
import { parsedResponse } from '../../test/support/build.ts';
import { listPets } from '../check/requests.ts';
import { rateLimitOf } from './headers.ts';
import { windowMayHaveReset } from './limit-state.ts';

test.each([
  ['60', 60],
  ['0', 0],
  ['9007199254740991', 2 ** 53 - 1],
  ['9007199254740993', null],
  ['9223372036854775807', null],
  ['1.5', null],
  ['', null],
])('X-RateLimit-Limit %j -> exact value %s', (text, value) => {
  const response = parsedResponse(listPets({}), { headers: { 'X-RateLimit-Limit': text } });
  expect(rateLimitOf(response).sent.limit.exact).toBe(value);
});

test('windowMayHaveReset: Reset reached, or moved far without a Date -> true, otherwise false', () => {
  const state = (reset: number, untilReset: number | null) => ({
    limit: 60,
    remaining: 9,
    reset,
    untilReset,
  });
  expect(windowMayHaveReset(state(100, 2), state(160, 60))).toBe(true);
  expect(windowMayHaveReset(state(100, 2), state(101, 2))).toBe(false);
  expect(windowMayHaveReset(state(100, 2), state(100, 0))).toBe(false);
  expect(windowMayHaveReset(state(100, null), state(160, null))).toBe(true);
  expect(windowMayHaveReset(state(100, null), state(101, null))).toBe(false);
});
