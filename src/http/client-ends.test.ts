import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bench, failure, list, ok, scripted, status } from './client-testing.ts';
import { anonymous } from './credentials.ts';
import type { ConnectionNote } from './pacing-types.ts';

test('server refuses connections after a response -> retried for 10 s, then the target is gone', async () => {
  const refused = failure('refused');
  const restarts = bench(scripted([ok, failure('reset'), refused, refused]));
  await restarts.client.send(list());
  expect(await restarts.client.send(list())).toMatchObject({ kind: 'no-response' });
  expect(await restarts.client.send(list())).toMatchObject({ kind: 'responded' });
  expect(restarts.client.state().unreachableReason).toBe(null);
  const dies = bench(scripted([ok, ...Array.from({ length: 12 }, () => refused)]));
  await dies.client.send(list());
  const startedAt = dies.clock.now();
  const { kind, exchanges } = await dies.client.send(list());
  expect(kind).toBe('no-response');
  expect(exchanges).toHaveLength(8);
  expect(dies.clock.now() - startedAt).toBe(10_300);
  expect(await dies.client.send(list())).toEqual({
    kind: 'not-sent',
    exchanges: [],
    reason: { code: 'target-gone', detail: 'gone' },
  });
});

test('server refuses connections twice and recovers -> the run continues, with a note each time', async () => {
  const notes: ConnectionNote[] = [];
  const refusals = Array.from({ length: 5 }, () => failure('refused'));
  const { client } = bench(scripted([ok, ...refusals, ok, ...refusals]), {
    onNote: (note) => notes.push(note),
  });
  for (const _ of [1, 2, 3]) expect(await client.send(list())).toMatchObject({ kind: 'responded' });
  const absence = [
    { kind: 'server-away', longestMs: 10_300 },
    { kind: 'server-back', afterMs: 4_200 },
  ];
  expect(notes).toEqual([...absence, ...absence]);
});

test('connection attempt takes as long as the time-out -> no retry, target still reachable', async () => {
  const { client } = bench((clock) => {
    const { send, close } = scripted([ok, failure('unreachable')])(clock);
    return {
      send: async (wire, options) => {
        const result = await send(wire, options);
        if (!result.ok) await clock.sleep(options.timeoutMs);
        return result;
      },
      close,
    };
  });
  await client.send(list());
  const { kind, exchanges } = await client.send(list());
  expect([kind, exchanges.length, client.state().unreachableReason]).toEqual(['no-response', 1, null]);
  expect(await client.send(list())).toMatchObject({ kind: 'responded' });
});

test('connection refused after the target is gone -> no retry', async () => {
  const plenty = status(200, [
    ['X-RateLimit-Limit', '1000'],
    ['X-RateLimit-Remaining', '900'],
  ]);
  const { client, clock } = bench((time) => {
    const { send, close } = scripted([plenty, ...Array.from({ length: 9 }, () => failure('refused'))])(time);
    return {
      send: async (wire, options) => {
        const result = await send(wire, options);
        if (wire.method === 'HEAD') await time.sleep(1_000);
        return result;
      },
      close,
    };
  });
  await client.send(list());
  const first = client.send(list());
  await clock.sleep(10_000);
  const { kind, exchanges } = await client.send({ ...list(), method: 'HEAD' });
  expect(await first).toMatchObject({ kind: 'no-response' });
  expect([kind, exchanges.length]).toEqual(['no-response', 1]);
});

test('connection refused before any response -> unreachable at once', async () => {
  const { client } = bench(scripted([failure('refused')]));
  const { kind, exchanges } = await client.send(list());
  expect(kind).toBe('no-response');
  expect(exchanges).toHaveLength(1);
  expect(client.state()).toMatchObject({
    hasResponded: false,
    unreachableReason: { code: 'target-gone', detail: 'no-connection' },
  });
});

test('requests without a response -> counted by kind of failure, not by status', async () => {
  const { client } = bench(scripted([ok, failure('timeout'), failure('malformed'), failure('malformed')]));
  for (let sent = 0; sent < 4; sent += 1) await client.send(list(anonymous));
  expect(client.traffic()).toMatchObject({
    requests: 4,
    byStatus: { 200: 1 },
    unanswered: { timeout: 1, malformed: 2 },
  });
});

test('all requests hang -> sending stops after 30 s at any concurrency', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 16 }),
      fc.integer({ min: 900, max: 10_000 }),
      async (concurrency, timeoutMs) => {
        const hang = scripted(Array.from({ length: 200 }, () => failure('timeout')));
        const { client, clock } = bench(hang, { concurrency, timeoutMs });
        const startedAt = clock.now();
        const results = await Promise.all(
          Array.from({ length: 100 }, (_, index) =>
            client.send({ ...list(anonymous), operation: `operation ${index}` }),
          ),
        );
        expect(clock.now() - startedAt).toBeLessThanOrEqual(30_000);
        expect(clock.now() - startedAt).toBeGreaterThanOrEqual(30_000 - timeoutMs);
        expect(results.at(-1)).toMatchObject({
          kind: 'not-sent',
          reason: { code: 'timeouts', detail: 'run' },
        });
      },
    ),
    { numRuns: 20 },
  );
});

test('connections closed after 5 s -> sending stops within 30 s, as after time-outs', async () => {
  const { client, clock } = bench((own) => {
    const { send, close } = scripted(Array.from({ length: 200 }, () => failure('reset')))(own);
    return { send: async (...sent) => own.sleep(5_000).then(() => send(...sent)), close };
  });
  const startedAt = clock.now();
  const requests = Array.from({ length: 100 }, (_, index) => ({
    ...list(),
    operation: `operation ${index}`,
  }));
  const results = await Promise.all(requests.map((request) => client.send(request)));
  expect(clock.now() - startedAt).toBeLessThanOrEqual(30_000);
  expect(results.at(-1)).toMatchObject({ kind: 'not-sent', reason: { code: 'timeouts', detail: 'run' } });
});

test('time-out in a group -> no more requests of that group, others are sent', async () => {
  const { client } = bench(scripted([ok, failure('timeout')]));
  await client.send(list());
  expect(await client.send(list(), { timeoutGroup: 'limit=0' })).toMatchObject({ kind: 'no-response' });
  expect(await client.send(list(), { timeoutGroup: 'limit=0' })).toMatchObject({ kind: 'not-sent' });
  expect(await client.send(list(), { timeoutGroup: 'limit=1' })).toMatchObject({ kind: 'responded' });
});

test('operation timed out twice and never responded -> no more requests to it, others are sent', async () => {
  const { client } = bench(scripted([failure('timeout'), failure('timeout'), ok]));
  for (const kind of ['no-response', 'no-response', 'not-sent'])
    expect(await client.send(list())).toMatchObject({ kind });
  expect(await client.send({ ...list(), operation: 'listOrders' })).toMatchObject({ kind: 'responded' });
});

test('reused connections of an operation close after a long silence -> each request is sent again', async () => {
  const { client } = bench((own) => {
    const { send, close } = scripted([true, true, false, false].map((reused) => failure('reset', reused)))(
      own,
    );
    return { send: async (...sent) => own.sleep(5_000).then(() => send(...sent)), close };
  });
  for (const { kind, exchanges } of await Promise.all([1, 2].map(() => client.send(list()))))
    expect([kind, exchanges.length]).toEqual(['no-response', 2]);
  expect(await client.send(list())).toMatchObject({ kind: 'not-sent', exchanges: [] });
});

test('requests that should succeed timed out twice and never got a response -> only others are sent', async () => {
  const { client } = bench(scripted([ok, failure('timeout'), failure('timeout')]));
  await client.send(list());
  for (const kind of ['no-response', 'no-response', 'not-sent'])
    expect(await client.send(list(), { expectsSuccess: true })).toMatchObject({ kind });
  expect(await client.send(list())).toMatchObject({ kind: 'not-sent' });
  expect(await client.send(list(), { expectsSuccess: false })).toMatchObject({ kind: 'responded' });
});

test('requests with a key timed out twice and never got a response -> only others are sent', async () => {
  const { client } = bench(scripted([ok, failure('timeout'), failure('timeout')]));
  const keyless = list(anonymous);
  expect(await client.send(keyless)).toMatchObject({ kind: 'responded' });
  for (const kind of ['no-response', 'no-response', 'not-sent'])
    expect(await client.send(list(), { expectsSuccess: false })).toMatchObject({ kind });
  expect(await client.send(keyless)).toMatchObject({ kind: 'responded' });
});

test('operation responded before it timed out twice -> more requests to it', async () => {
  const { client } = bench(scripted([ok, failure('timeout'), failure('timeout')]));
  for (const kind of ['responded', 'no-response', 'no-response', 'responded'])
    expect(await client.send(list())).toMatchObject({ kind });
});

test('retries -> count towards the budget', async () => {
  const { client } = bench(scripted([status(429, [['Retry-After', '1']])]), { budget: 3 });
  const results = await Promise.all([1, 2, 3].map(() => client.send(list())));
  expect(results.map(({ kind }) => kind)).toEqual(['responded', 'responded', 'not-sent']);
  expect(client.traffic().requests).toBe(3);
  expect(results[2]).toMatchObject({ reason: { code: 'budget', budget: 3 } });
});

test('observe throws -> pacing still works', async () => {
  const { client } = bench(scripted([ok, status(429, [['Retry-After', '1']])]), { concurrency: 1 });
  const observe = () => {
    throw new TypeError('a fault of the suite');
  };
  await expect(client.send(list(), { observe })).rejects.toThrow('a fault of the suite');
  expect(await client.send(list())).toMatchObject({
    kind: 'responded',
    exchanges: [{ response: { status: 429 } }, { response: { status: 200 } }],
  });
});
