import { expect, test } from 'vitest';
import { shareOf, variantOf } from '../check/header-variants.ts';
import { listPets } from '../check/requests.ts';
import type { ApiRequest } from '../http/exchange.ts';
import { commonVariant } from './common-variant.ts';

const requests: readonly ApiRequest[] = Array.from(
  { length: 400 },
  (_, limit) => listPets({ limit }).request,
);
const isWithout = ({ omits = [] }: ApiRequest): boolean => omits.includes('Accept');
const without = requests.filter(isWithout);
const others = requests.filter((request) => !isWithout(request));

test('each way is told from the others, and has its share of all requests', () => {
  const ways = new Set(requests.map(variantOf));
  expect(ways.size).toBe(5);
  const shares = [...ways].map((way) => (way === null ? 0 : shareOf(way)));
  expect(shares.reduce((sum, share) => sum + share)).toBeCloseTo(1);
  expect(variantOf({ headers: [['Accept', 'text/html']] })).toBeNull();
});

test('what breaches in one way only is told, with few breaches or with many', () => {
  expect(commonVariant(without.slice(0, 1), others)?.inWords).toBe('without an Accept header');
  expect(commonVariant(without.slice(0, 9), others.slice(0, 3))?.inWords).toBe('without an Accept header');
});

test('not where another way breaches as well, or the same one passes', () => {
  expect(commonVariant([...without.slice(1), ...others.slice(0, 1)], others.slice(1))).toBeNull();
  expect(commonVariant(without.slice(1), [...others, ...without.slice(0, 1)])).toBeNull();
});

test('nor where it may be by chance: few requests, or the same ones again', () => {
  expect(commonVariant(without.slice(0, 1), others.slice(0, 20))).toBeNull();
  expect(commonVariant(Array(50).fill(without[0]), others.slice(0, 3))).toBeNull();
  expect(commonVariant(without, [])).toBeNull();
  expect(commonVariant([], others)).toBeNull();
});
