import { expect, test } from 'vitest';
import { pacingOf } from '../rate-limit/pacer-testing.ts';
import { bench, create, failure, list, scripted, status, type Transmitted } from './client-testing.ts';
import { anonymous, bearer, invalidKeys, lowerCaseBearer } from './credentials.ts';
import type { Exchange, Header, Transport } from './exchange.ts';
import { createInProcessTransport } from './in-process.ts';

test('request -> sent with base URL, query, User-Agent, Accept, and key, its own headers last', async () => {
  const seen: Transmitted[] = [];
  const { client } = bench(scripted([], seen));
  const result = await client.send(create);
  expect(seen[0]?.[0]).toEqual({
    method: 'POST',
    url: 'http://target.invalid/v1/pets?limit=1',
    headers: [
      ['User-Agent', 'animal-store-conformance/9.9.9'],
      ['Accept', 'application/json'],
      ['Authorization', 'Bearer main-key-0001'],
      ['Content-Type', 'application/json'],
    ],
    body: '{}',
  });
  expect(result).toMatchObject({ kind: 'responded', exchange: { id: 1, response: { status: 200 } } });
  expect(result.exchanges).toHaveLength(1);
});

test('no key for the slot -> not sent', async () => {
  const { client } = bench(scripted([]), { keys: { main: 'main-key-0001', 'rate-limit': null } });
  expect(await client.send(list(bearer('rate-limit')))).toEqual({
    kind: 'not-sent',
    exchanges: [],
    reason: { code: 'no-key', detail: 'slot', key: 'rate-limit' },
  });
});

test('unexpected 429 -> observed at once, retried after Retry-After', async () => {
  const { client, clock, waits } = bench(scripted([status(429, [['Retry-After', '30']])]));
  const startedAt = clock.now();
  const seen: [status: number | undefined, afterMs: number][] = [];
  const observe = ({ response }: Exchange) => seen.push([response?.status, clock.now() - startedAt]);
  expect(await client.send(list(), { observe })).toMatchObject({
    kind: 'responded',
    exchanges: [{ response: { status: 429 } }, { response: { status: 200 } }],
  });
  expect(clock.now() - startedAt).toBeGreaterThanOrEqual(30_000);
  expect(seen).toEqual([
    [429, 0],
    [200, clock.now() - startedAt],
  ]);
  expect(waits).toHaveLength(1);
  expect(client.traffic()).toMatchObject({ requests: 2, rateLimited: 1, rateLimitedUnasked: 1 });
});

test('expects429 after a 429 -> waits for Retry-After, unless duringBackoff is set', async () => {
  const limited = status(429, [['Retry-After', '30']]);
  for (const [duringBackoff, least, most] of [
    [false, 30_000, 32_000],
    [true, 0, 0],
  ] as const) {
    const { client, clock } = bench(scripted([limited, limited]));
    await client.send(list(), { expects429: true });
    const startedAt = clock.now();
    await client.send(list(), { expects429: true, duringBackoff });
    expect(clock.now() - startedAt).toBeGreaterThanOrEqual(least);
    expect(clock.now() - startedAt).toBeLessThanOrEqual(most);
  }
});

test('expected 429 -> is the response, other requests wait for Retry-After', async () => {
  const { client, clock } = bench(scripted([status(429, [['Retry-After', '20']])]));
  const startedAt = clock.now();
  expect(await client.send(list(), { expects429: true })).toMatchObject({
    kind: 'responded',
    exchanges: [{ response: { status: 429 } }],
  });
  expect(client.traffic()).toMatchObject({ rateLimited: 1, rateLimitedUnasked: 0 });
  await client.send(list());
  expect(clock.now() - startedAt).toBeGreaterThanOrEqual(20_000);
});

test('expects429 while others wait for the limit -> sent at once', async () => {
  const { client, clock } = bench((time) => {
    const usedUp = status(200, [
      ['X-RateLimit-Limit', '60'],
      ['X-RateLimit-Remaining', '0'],
      ['X-RateLimit-Reset', `${time.now() / 1000 + 30}`],
      ['Date', new Date(time.now()).toUTCString()],
    ]);
    return scripted([usedUp])(time);
  });
  await client.send(list());
  const startedAt = clock.now();
  const waiting = client.send(list());
  expect(await client.send(list(), { expects429: true })).toMatchObject({ kind: 'responded' });
  expect(clock.now()).toBe(startedAt);
  expect(await waiting).toMatchObject({ kind: 'responded' });
  expect(clock.now()).toBeGreaterThan(startedAt + 30_000);
});

test('other clients use the rate limit key -> a request that expects its 429 is not sent', async () => {
  const { client } = bench(scripted([]), { pacing: { ...pacingOf({}), isShared: () => true } });
  expect(await client.send(list(bearer('rate-limit')), { expects429: true })).toMatchObject({
    reason: { code: 'rate-limit', detail: 'others', key: 'rate-limit' },
  });
  expect(await client.send(list(), { expects429: true })).toMatchObject({ kind: 'responded' });
});

test('reset on a reused connection -> one retry on a fresh connection if that is safe', async () => {
  const seen: Transmitted[] = [];
  const { client } = bench(scripted([failure('reset', true)], seen));
  const { kind, exchanges } = await client.send(list());
  expect(kind).toBe('responded');
  expect(seen.map(([, { connection }]) => connection)).toEqual(['any', 'fresh']);
  expect(exchanges).toMatchObject([{ failure: { kind: 'reset' } }, { response: { status: 200 } }]);
  const twice = bench(scripted([failure('reset', true), failure('reset', true)]));
  expect(await twice.client.send(list())).toMatchObject({ kind: 'no-response' });
  const withoutKey = bench(scripted([failure('reset', true)]));
  expect(await withoutKey.client.send({ ...create, credential: anonymous })).toMatchObject({
    kind: 'responded',
  });
  const repeatable = bench(scripted([failure('reset', true)]));
  expect(await repeatable.client.send(create, { repeatable: true })).toMatchObject({ kind: 'responded' });
});

test('key that differs only in case -> a separate connection', async () => {
  const seen: Transmitted[] = [];
  const { client } = bench(scripted([], seen));
  const swapped = invalidKeys.find(({ label }) => label === 'the key in the other case') ?? anonymous;
  for (const credential of [swapped, bearer('main'), swapped, lowerCaseBearer])
    await client.send(list(credential));
  const connectionIds = seen.map(([, { connectionId }]) => connectionId);
  expect(connectionIds[1]).toBeUndefined();
  expect(new Set(connectionIds).size).toBe(4);
});

test('creation -> on a recently used connection, retried only if that connection was reused', async () => {
  const seen: Transmitted[] = [];
  const { client } = bench(scripted([failure('reset')], seen));
  expect(await client.send(create)).toMatchObject({
    kind: 'no-response',
    exchange: { failure: { kind: 'reset' } },
  });
  expect(seen.map(([, { connection }]) => connection)).toEqual(['recently-used']);
  const reused = bench(scripted([failure('reset', true), failure('reset')], seen));
  expect(await reused.client.send(create)).toMatchObject({ kind: 'no-response' });
  expect(seen.map(([, { connection }]) => connection)).toEqual(['recently-used', 'recently-used', 'fresh']);
});

test('many requests -> at most `concurrency` in flight, keys do not block each other', async () => {
  let [inFlight, peak, left] = [0, 0, 2];
  const { client, clock } = bench(
    (time) =>
      createInProcessTransport(async (request) => {
        inFlight += 1;
        peak = Math.max(peak, inFlight);
        await time.inside.sleep(50);
        inFlight -= 1;
        const limited = request.headers.some(([, value]) => value.includes('main'));
        const reset = Math.ceil(time.now() / 60_000) * 60;
        if (limited && left > 0) left -= 1;
        const headers: readonly Header[] = [
          ['X-RateLimit-Limit', limited ? '2' : '100'],
          ['X-RateLimit-Remaining', limited ? `${left}` : '99'],
          ['X-RateLimit-Reset', `${reset}`],
        ];
        return { status: 200, headers, body: Buffer.from('[]') };
      }, time),
    { concurrency: 4 },
  );
  // Two responses show the client that the limits are separate.
  await client.send(list());
  await client.send(list(anonymous));
  const startedAt = clock.now();
  const main = Promise.all([client.send(list()), client.send(list())]);
  await Promise.all(Array.from({ length: 20 }, () => client.send(list(anonymous))));
  expect(clock.now() - startedAt).toBeLessThan(2_000);
  await main;
  expect(peak).toBe(4);
});

test('transport throws -> send rejects and frees its place in the queue', async () => {
  const transport: Transport = {
    send: async () => {
      throw new TypeError('the request cannot be sent: x');
    },
    close: async () => undefined,
  };
  const { client } = bench(() => transport, { concurrency: 1 });
  await expect(client.send(list())).rejects.toThrow('cannot be sent');
  await expect(client.send(list())).rejects.toThrow('cannot be sent');
});

test('credential throws -> send rejects and takes no place in the queue', async () => {
  const { client } = bench(scripted([]), { concurrency: 1 });
  const broken = {
    ...bearer('main'),
    apply: () => {
      throw new TypeError('a fault of the suite');
    },
  };
  await expect(client.send(list(broken))).rejects.toThrow('a fault of the suite');
  expect(await client.send(list())).toMatchObject({ kind: 'responded' });
});

test('traffic -> counted by operation and status, with latencies', async () => {
  const { client } = bench((clock) =>
    createInProcessTransport(async (request) => {
      await clock.inside.sleep(request.method === 'POST' ? 200 : 10);
      return { status: request.method === 'POST' ? 201 : 200, headers: [], body: Buffer.from('{}') };
    }, clock),
  );
  await Promise.all([...Array.from({ length: 9 }, () => client.send(list())), client.send(create)]);
  const traffic = client.traffic();
  expect(traffic).toMatchObject({
    requests: 10,
    byOperation: { listPets: 9, createPet: 1 },
    byStatus: { '200': 9, '201': 1 },
    unanswered: {},
    latency: { createPet: { max: 200 }, listPets: { max: 10 } },
  });
  expect(traffic.latency.listPets?.p50).toBeCloseTo(10, 0);
});

test('five unexpected 429s -> no more retries', async () => {
  const limited = status(429, [['Retry-After', '1']]);
  const { client } = bench(scripted([limited, limited, limited, limited, limited]), {
    pacing: { ...pacingOf({}), sent: () => () => {} },
  });
  const result = await client.send(list());
  expect(result).toMatchObject({ kind: 'not-sent', reason: { code: 'rate-limit', times: 5 } });
  expect(result.exchanges).toHaveLength(5);
});

test('retry -> sent before waiting requests', async () => {
  const seen: Transmitted[] = [];
  const { client } = bench(scripted([failure('reset', true)], seen), { concurrency: 1 });
  const named = (query: string) => client.send({ ...list(), query });
  await Promise.all(['a', 'b', 'c'].map(named));
  expect(seen.map(([{ url }]) => url.at(-1))).toEqual(['a', 'b', 'a', 'c']);
});

test('several requests wait for the same time -> reported once', async () => {
  const { client, waits } = bench(scripted([status(429, [['Retry-After', '30']])]));
  await client.send(list(), { expects429: true });
  await Promise.all([1, 2, 3].map(() => client.send(list())));
  expect(waits).toHaveLength(1);
});
