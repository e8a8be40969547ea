import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bench, failure, list, ok, scripted, status } from './client-testing.ts';
import { anonymous } from './credentials.ts';
import { createInProcessTransport } from './in-process.ts';

test('a server that restarts is waited for; one that stays away is dead', async () => {
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

test('a server refuses connections twice -> the run continues, and says each time how long it was away', async () => {
  const notes: string[] = [];
  const refusals = Array.from({ length: 5 }, () => failure('refused'));
  const { client } = bench(scripted([ok, ...refusals, ok, ...refusals]), {
    onNote: (text) => notes.push(text),
  });
  for (const _ of [1, 2, 3]) expect(await client.send(list())).toMatchObject({ kind: 'responded' });
  const absence = [
    'The server refuses connections: trying again for up to 10 s',
    'The server accepts connections again after 4.2 s',
  ];
  expect(notes).toEqual([...absence, ...absence]);
});

test('a connection takes as long as the time-out: not sent again, and the target counts as reachable', async () => {
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

test('a request is refused after the target was given up: not sent again', async () => {
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

test('a target that never accepted a connection is unreachable at once', async () => {
  const { client } = bench(scripted([failure('refused')]));
  const { kind, exchanges } = await client.send(list());
  expect(kind).toBe('no-response');
  expect(exchanges).toHaveLength(1);
  expect(client.state()).toMatchObject({
    hasResponded: false,
    unreachableReason: { code: 'target-gone', detail: 'no-connection' },
  });
});

test('what got no answer is counted by the kind of failure, and not among the statuses', async () => {
  const { client } = bench(scripted([ok, failure('timeout'), failure('malformed'), failure('malformed')]));
  for (let sent = 0; sent < 4; sent += 1) await client.send(list(anonymous));
  expect(client.traffic()).toMatchObject({
    requests: 4,
    byStatus: { 200: 1 },
    unanswered: { timeout: 1, malformed: 2 },
  });
});

test('time-outs cost 30 s in all, however many requests hang at once', async () => {
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

test('after one time-out in a group nothing more of it is sent, and the rest is', async () => {
  const { client } = bench(scripted([ok, failure('timeout')]));
  await client.send(list());
  expect(await client.send(list(), { timeoutGroup: 'limit=0' })).toMatchObject({ kind: 'no-response' });
  expect(await client.send(list(), { timeoutGroup: 'limit=0' })).toMatchObject({ kind: 'not-sent' });
  expect(await client.send(list(), { timeoutGroup: 'limit=1' })).toMatchObject({ kind: 'responded' });
});

test('an operation that never responded and timed out twice gets no further request, others do', async () => {
  const { client } = bench(scripted([failure('timeout'), failure('timeout'), ok]));
  for (const kind of ['no-response', 'no-response', 'not-sent'])
    expect(await client.send(list())).toMatchObject({ kind });
  expect(await client.send({ ...list(), operation: 'listOrders' })).toMatchObject({ kind: 'responded' });
});

test('an operation that responded before it timed out twice gets further requests', async () => {
  const { client } = bench(scripted([ok, failure('timeout'), failure('timeout')]));
  for (const kind of ['responded', 'no-response', 'no-response', 'responded'])
    expect(await client.send(list())).toMatchObject({ kind });
});

test('the budget counts every attempt', async () => {
  const { client } = bench(scripted([status(429, [['Retry-After', '1']])]), { budget: 3 });
  const results = await Promise.all([1, 2, 3].map(() => client.send(list())));
  expect(results.map(({ kind }) => kind)).toEqual(['responded', 'responded', 'not-sent']);
  expect(client.traffic().requests).toBe(3);
  expect(results[2]).toMatchObject({ reason: { code: 'budget', budget: 3 } });
});

test('an abort ends what waits and what is under way', async () => {
  const controller = new AbortController();
  const { client } = bench(
    (clock) => createInProcessTransport(() => new Promise<Response>(() => undefined), clock),
    {
      signal: controller.signal,
      concurrency: 1,
    },
  );
  const sent = [client.send(list()), client.send(list())];
  controller.abort();
  expect((await Promise.all(sent)).map(({ kind }) => kind)).toEqual(['not-sent', 'not-sent']);
});

test('an oracle that throws leaves the pace intact', async () => {
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
