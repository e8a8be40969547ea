import { expect, test } from 'vitest';
import { createVirtualClock } from '../time/virtual-clock.ts';
import type { WireRequest } from './exchange.ts';
import { createInProcessTransport } from './in-process.ts';

const url = 'http://reference.invalid/v1/pets';
const get: WireRequest = { method: 'GET', url, headers: [], body: null };
const within = { timeoutMs: 10_000 };

test('request and response -> passed through unchanged', async () => {
  const transport = createInProcessTransport(async (request) => {
    const sent = { method: request.method, url: request.url, key: request.headers.get('authorization') };
    const headers: [string, string][] = [
      ['X-A', '1'],
      ['Content-Type', 'application/json'],
    ];
    return new Response(JSON.stringify({ ...sent, body: await request.text() }), { status: 201, headers });
  }, createVirtualClock(0));
  const result = await transport.send(
    { method: 'POST', url: `${url}?a=%zz`, headers: [['Authorization', 'Bearer k']], body: Buffer.from('é') },
    within,
  );
  expect(result).toMatchObject({ ok: true, reused: false, response: { status: 201 } });
  expect(result.ok && result.response.headers).toContainEqual(['x-a', '1']);
  expect(result.ok && JSON.parse(Buffer.from(result.response.body).toString())).toEqual({
    method: 'POST',
    url: `${url}?a=%zz`,
    key: 'Bearer k',
    body: 'é',
  });
});

test('same connection id -> the same connection, otherwise separate ones', async () => {
  const connections: object[] = [];
  const transport = createInProcessTransport((_request, connection) => {
    connections.push(connection);
    return new Response();
  }, createVirtualClock(0));
  for (const connectionId of ['a', 'b', 'a']) await transport.send(get, { ...within, connectionId });
  await transport.send(get, within);
  await transport.send(get, within);
  const [first, other, again, ...others] = connections;
  expect(again).toBe(first);
  expect(new Set([first, other, ...others]).size).toBe(4);
});

test('handler throws or body fails -> reset', async () => {
  const thrown = createInProcessTransport(() => {
    throw new Error('boom');
  }, createVirtualClock(0));
  const broken = createInProcessTransport(
    () => new Response(new ReadableStream({ pull: (controller) => controller.error(new Error('boom')) })),
    createVirtualClock(0),
  );
  for (const transport of [thrown, broken])
    expect(await transport.send(get, within)).toMatchObject({ ok: false, failure: { kind: 'reset' } });
});

test('handler hangs or sleeps too long -> times out by the clock', async () => {
  for (const kind of ['never', 'asleep']) {
    const clock = createVirtualClock(0);
    const hang =
      kind === 'never' ? () => new Promise<void>(() => undefined) : () => clock.inside.sleep(60_000);
    const transport = createInProcessTransport(async () => {
      await hang();
      return new Response();
    }, clock);
    expect(await transport.send(get, within)).toMatchObject({
      ok: false,
      failure: { kind: 'timeout', detail: { code: 'no-response', withinMs: 10_000 } },
    });
    expect(clock.now()).toBe(10_000);
  }
});

test('slow handler -> the clock moves on by its sleep', async () => {
  const clock = createVirtualClock(0);
  const transport = createInProcessTransport(async () => {
    await clock.inside.sleep(400);
    return new Response('[]');
  }, clock);
  expect(await transport.send(get, within)).toMatchObject({ ok: true });
  expect(clock.now()).toBe(400);
});

test('abort -> the request ends', async () => {
  const clock = createVirtualClock(0);
  const controller = new AbortController();
  const transport = createInProcessTransport(() => new Promise<Response>(() => undefined), clock);
  const sent = transport.send(get, { ...within, signal: controller.signal });
  controller.abort();
  expect(await sent).toMatchObject({ ok: false, failure: { kind: 'aborted' } });
});

test('GET with a body -> sent without it, invalid header -> TypeError', async () => {
  const transport = createInProcessTransport(
    async (request) => new Response(await request.text()),
    createVirtualClock(0),
  );
  expect(await transport.send({ ...get, body: 'x' }, within)).toMatchObject({
    ok: true,
    response: { body: new Uint8Array() },
  });
  await expect(transport.send({ ...get, headers: [['X-A', 'a\0b']] }, within)).rejects.toThrow(
    'cannot be sent',
  );
});
