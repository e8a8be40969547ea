import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type Connection, createConnectionPool } from './connection-pool.ts';
import { createHttpTransport } from './http-transport.ts';

const cleanup: (() => unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo();
});

const everybody = 8;

/** A server that begins no TLS: it drops its first connection after a while, and the others once everybody has come. */
const gathering = async (): Promise<string> => {
  const sockets: Socket[] = [];
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined).resume();
    if (sockets.push(socket) === 1) setTimeout(() => socket.destroy(), 50);
    if (sockets.length === 1 + everybody) for (const each of sockets) each.destroy();
  });
  cleanup.push(() => {
    for (const each of sockets) each.destroy();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

/** What comes of as many requests at once, each on a connection of its own, after one that was long in coming to stand. */
const outcomes = async (options: { readonly starvedMs: number; readonly timeoutMs: number }) => {
  const url = await gathering();
  const transport = createHttpTransport({ concurrency: everybody, starvedMs: options.starvedMs });
  cleanup.push(() => transport.close());
  const send = async () => {
    const request = { method: 'GET', url, headers: [], body: null };
    const answer = await transport.send(request, { timeoutMs: options.timeoutMs, connection: 'fresh' });
    return answer.ok ? answer.response.status : answer.failure.kind;
  };
  expect(await send()).toBe('reset');
  return Promise.all(Array.from({ length: everybody }, send));
};

test('as many connections as there are requests wait for their first answer', async () => {
  const found = await outcomes({ starvedMs: 5_000, timeoutMs: 5_000 });
  expect(found).toEqual(Array(everybody).fill('reset'));
});

test('where one did not come to stand for long four wait at a time, until one meets its time-out', async () => {
  const found = await outcomes({ starvedMs: 5, timeoutMs: 1_000 });
  expect(found).toEqual([...Array(4).fill('unreachable'), ...Array(4).fill('reset')]);
});

/** Until the answer is whole, and not a moment longer. */
const exchangeOn = ({ client }: Connection): Promise<void> =>
  new Promise((resolve, reject) => {
    const nothing = () => undefined;
    client.dispatch(
      { path: '/', method: 'GET' },
      {
        onRequestStart: nothing,
        onResponseStart: nothing,
        onResponseData: nothing,
        onResponseEnd: () => resolve(),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });

test('a connection that its answer has closed is not taken for the next request', async () => {
  const server = net.createServer((socket) => {
    socket.on('data', () => socket.write('HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n[]'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const pool = createConnectionPool({ concurrency: 1 });
  cleanup.push(
    () => server.close(),
    () => pool.close(),
  );
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const wanted = { origin, line: null, connection: 'any' as const, timeoutMs: 5_000 };
  const first = await pool.take(wanted);
  await exchangeOn(first);
  pool.giveBack(first);
  expect(await pool.take(wanted)).not.toBe(first);
});
