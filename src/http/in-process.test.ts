import { expect, test } from 'vitest';
import { createVirtualClock } from '../time/virtual-clock.ts';
import type { Header, WireRequest, WireResponse } from './exchange.ts';
import { createInProcessTransport } from './in-process.ts';

const url = 'http://reference.invalid/v1/pets';
const get: WireRequest = { method: 'GET', url, headers: [], body: null };
const within = { timeoutMs: 10_000 };
const empty: WireResponse = { status: 200, headers: [], body: new Uint8Array() };

test('request and response -> passed through unchanged', async () => {
  const seen: WireRequest[] = [];
  const headers: readonly Header[] = [['X-A', '1']];
  const transport = createInProcessTransport(async (request) => {
    seen.push(request);
    return { ...empty, status: 201, headers, body: Buffer.from('é') };
  }, createVirtualClock(0));
  const post: WireRequest = {
    method: 'POST',
    url: `${url}?a=%zz`,
    headers: [['Authorization', 'Bearer k']],
    body: Buffer.from('é'),
  };
  expect(await transport.send(post, within)).toEqual({
    ok: true,
    reused: false,
    response: { status: 201, headers, body: Buffer.from('é') },
  });
  expect(seen).toEqual([post]);
});

test('same connection id -> the same connection, otherwise separate ones', async () => {
  const connections: object[] = [];
  const transport = createInProcessTransport(async (_request, connection) => {
    connections.push(connection);
    return empty;
  }, createVirtualClock(0));
  for (const connectionId of ['a', 'b', 'a']) await transport.send(get, { ...within, connectionId });
  await transport.send(get, within);
  await transport.send(get, within);
  const [first, other, again, ...others] = connections;
  expect(again).toBe(first);
  expect(new Set([first, other, ...others]).size).toBe(4);
});

test('handler throws -> reset', async () => {
  const transport = createInProcessTransport(() => {
    throw new Error('boom');
  }, createVirtualClock(0));
  expect(await transport.send(get, within)).toMatchObject({ ok: false, failure: { kind: 'reset' } });
});

test('handler hangs or sleeps too long -> times out by the clock', async () => {
  for (const kind of ['never', 'asleep']) {
    const clock = createVirtualClock(0);
    const hang =
      kind === 'never' ? () => new Promise<void>(() => undefined) : () => clock.inside.sleep(60_000);
    const transport = createInProcessTransport(async () => {
      await hang();
      return empty;
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
    return empty;
  }, clock);
  expect(await transport.send(get, within)).toMatchObject({ ok: true });
  expect(clock.now()).toBe(400);
});

test('abort -> the request ends', async () => {
  const clock = createVirtualClock(0);
  const controller = new AbortController();
  const transport = createInProcessTransport(() => new Promise<never>(() => undefined), clock);
  const sent = transport.send(get, { ...within, signal: controller.signal });
  controller.abort();
  expect(await sent).toMatchObject({ ok: false, failure: { kind: 'aborted' } });
});

test('GET with a body -> sent without it, invalid header -> TypeError', async () => {
  const bodies: WireRequest['body'][] = [];
  const transport = createInProcessTransport(async ({ body }) => {
    bodies.push(body);
    return empty;
  }, createVirtualClock(0));
  await transport.send({ ...get, body: 'x' }, within);
  expect(bodies).toEqual([null]);
  await expect(transport.send({ ...get, headers: [['X-A', 'a\0b']] }, within)).rejects.toThrow(
    'cannot be sent',
  );
});
