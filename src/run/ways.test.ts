import { expect, test } from 'vitest';
import type { ApiRequest } from '../client/exchange.ts';
import { shareOf, wayOf } from './accept.ts';
import { listPets } from './probes.ts';
import { createWays } from './ways.ts';

const requests: readonly ApiRequest[] = Array.from(
  { length: 400 },
  (_, limit) => listPets({ limit }).request,
);
const isWithout = ({ omits = [] }: ApiRequest): boolean => omits.includes('Accept');
const without = requests.filter(isWithout);
const others = requests.filter((request) => !isWithout(request));

/** What is said where these breach a requirement, and those meet it. */
const onlyWay = (breaching: readonly ApiRequest[], passing: readonly ApiRequest[]): string | undefined => {
  const ways = createWays();
  for (const request of passing) ways.passed('GEN-4', request);
  for (const request of breaching) ways.breached('GEN-4', 'some rule', request);
  const [first] = breaching;
  return first === undefined ? undefined : ways.only('GEN-4', 'some rule', first)?.inWords;
};

test('each way is told from the others, and has its share of all requests', () => {
  const ways = new Set(requests.map(wayOf));
  expect(ways.size).toBe(4);
  const shares = [...ways].map((way) => (way === null ? 0 : shareOf(way)));
  expect(shares.reduce((sum, share) => sum + share)).toBeCloseTo(1);
  expect(wayOf({ headers: [['Accept', 'text/html']] })).toBeNull();
});

test('what breaches in one way only is told, with few breaches or with many', () => {
  expect(onlyWay(without.slice(0, 1), others)).toBe('without an Accept header');
  expect(onlyWay(without.slice(0, 9), others.slice(0, 3))).toBe('without an Accept header');
});

test('not where another way breaches as well, or the same one passes', () => {
  expect(onlyWay([...without.slice(1), ...others.slice(0, 1)], others.slice(1))).toBeUndefined();
  expect(onlyWay(without.slice(1), [...others, ...without.slice(0, 1)])).toBeUndefined();
});

test('nor where it may be by chance: few requests, or the same ones again', () => {
  expect(onlyWay(without.slice(0, 1), others.slice(0, 20))).toBeUndefined();
  expect(onlyWay(Array(50).fill(without[0]), others.slice(0, 3))).toBeUndefined();
  expect(onlyWay(without, [])).toBeUndefined();
});

test('what passes without a valid key says nothing of requests with one', () => {
  const ways = createWays();
  const [request] = without;
  if (request === undefined) throw new Error('There is no request without Accept.');
  const keyless = { ...request, credential: { ...request.credential, charges: null } };
  for (const other of others) ways.passed('GEN-4', other);
  ways.passed('GEN-4', keyless);
  ways.breached('GEN-4', 'some rule', request);
  expect(ways.only('GEN-4', 'some rule', request)?.inWords).toBe('without an Accept header');
});
