import { expect, test } from 'vitest';
import type { RateLimit } from './headers.ts';
import { createOtherClients } from './other-clients.ts';
import { createRequestCosts, createRequestLog } from './request-log.ts';

interface Request {
  readonly name: string;
  readonly status?: number;
}

/** Returns the limit that a server shows after a request. */
type Shows = (request: Request, index: number) => Pick<RateLimit, 'limit' | 'remaining' | 'resetAt'>;

const reads: readonly Request[] = ['getPet', 'listPets', 'listOrders'].map((name) => ({ name }));
const mixed: readonly Request[] = [
  ...reads,
  { name: 'createPet', status: 201 },
  { name: 'createPet', status: 400 },
];

/** Returns the states during `total` requests, `inFlight` at a time. */
const statesAfter = (shows: Shows, requests: readonly Request[], total = 60, inFlight = 1) => {
  const log = createRequestLog();
  const others = createOtherClients(log, createRequestCosts());
  const states = new Set<string>();
  for (let sent = 0; sent < total; sent += inFlight) {
    const batch = Array.from({ length: Math.min(inFlight, total - sent) }, (_, index) => {
      const request = requests[(sent + index) % requests.length] ?? { name: 'getPet' };
      const { name, status = 200 } = request;
      const logged = log.sent({ name: `${name} X `, safe: name !== 'createPet' });
      return { logged, status, shown: shows(request, sent + index) };
    });
    for (const { logged, status, shown } of batch) {
      log.ended(logged, status);
      others.observe(logged, status, { ...shown, date: null, retryAfter: null }, 20 * sent);
      states.add(others.state());
    }
  }
  return states;
};

/** One counter that falls by the cost of each request. */
const counting = (cost: (request: Request, index: number) => number): Shows => {
  let remaining = 1_000;
  return (request, index) => {
    remaining -= cost(request, index);
    return { limit: 1_000, remaining, resetAt: 60_000 };
  };
};

const confirmed = expect.toSatisfy((states: Set<string>) => states.has('confirmed'));
const notConfirmed = expect.toSatisfy((states: Set<string>) => !states.has('confirmed'));

test.each([1, 8])('cost 1 each, %i in flight -> not suspected', (inFlight) => {
  expect(
    statesAfter(
      counting(() => 1),
      mixed,
      200,
      inFlight,
    ),
  ).toEqual(new Set(['none']));
});

test.each<[string, Shows]>([
  ['each request costs two', counting(() => 2)],
  ['a creation costs two', counting(({ status }) => (status === 201 ? 2 : 1))],
  ['a list costs ten', counting(({ name }) => (name === 'listPets' ? 10 : 1))],
  ['a rejected request costs nothing', counting(({ status }) => (status === 400 ? 0 : 3))],
  [
    'each operation has a counter, one of them used before',
    ({ name }, index) => ({
      limit: 1_000,
      remaining: (name === 'getPet' ? 400 : 900) - index,
      resetAt: 60_000,
    }),
  ],
  [
    'instances count separately',
    (_, index) => ({
      limit: 1_000,
      remaining: (index % 7 < 3 ? 999 : 940) - Math.floor(index / 2),
      resetAt: 60_000,
    }),
  ],
  [
    'Remaining is updated every ten requests',
    (_, index) => ({ limit: 1_000, remaining: 1_000 - 10 * Math.floor(index / 10), resetAt: 60_000 }),
  ],
  [
    'a window ends, and the next one is full',
    (_, index) => ({
      limit: 20,
      remaining: 19 - (index % 20),
      resetAt: 60_000 * (1 + Math.floor(index / 20)),
    }),
  ],
])('%s -> no other clients', (_name, shows) => {
  for (const inFlight of [1, 8]) expect(statesAfter(shows, mixed, 200, inFlight)).toEqual(notConfirmed);
});

test.each<[string, Shows]>([
  ['two other clients at the same speed', counting((_, index) => 1 + ((index * 7) % 4))],
  ['one other client at times', counting((_, index) => (index % 6 === 0 ? 4 : 1))],
  ['one other client, each request costs two', counting((_, index) => (index % 3 === 0 ? 8 : 2))],
])('%s -> confirmed', (_name, shows) => {
  expect(statesAfter(shows, mixed)).toEqual(confirmed);
});

test('requests of one kind, one more counted -> confirmed', () => {
  expect(
    statesAfter(
      counting((_, index) => (index === 9 ? 2 : 1)),
      [{ name: 'listPets' }],
    ),
  ).toEqual(confirmed);
});

test('Remaining of a 429 -> ignored', () => {
  const shows: Shows = (_, index) => ({
    limit: 1_000,
    remaining: index === 5 ? 0 : 999 - index,
    resetAt: 60_000,
  });
  const requests = Array.from({ length: 10 }, (_, index) => ({
    name: 'getPet',
    status: index === 5 ? 429 : 200,
  }));
  expect(statesAfter(shows, requests, 10)).toEqual(new Set(['none']));
});
