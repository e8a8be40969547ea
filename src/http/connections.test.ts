import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import type { Clock } from '../time/clock.ts';
import { type Connection, createConnectionPool } from './connections.ts';
import { cleanup, get, instantClock, standing, transport } from './http-testing.ts';

const everybody = 8;

/** A server that begins no TLS: it drops its first connection at once, and the others but a few once everybody has come. */
const gathering = async (spared: number) => {
  const sockets: Socket[] = [];
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined).resume();
    if (sockets.push(socket) === 1) socket.destroy();
    if (sockets.length === 1 + everybody) for (const each of sockets.slice(1 + spared)) each.destroy();
  });
  cleanup.push(() => {
    for (const each of sockets) each.destroy();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`, sockets };
};

/**
 * What comes of as many requests at once, each on a connection of its own, after one that did not come to stand; and how many of them
 * had been opened when the first was over.
 */
const outcomes = async (options: {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly spared: number;
}) => {
  const { clock, timeoutMs } = options;
  const { url, sockets } = await gathering(options.spared);
  const client = transport(everybody, clock);
  const send = async () => {
    const answer = await client.send(get(url), { timeoutMs, connection: 'fresh' });
    return answer.ok ? answer.response.status : answer.failure.kind;
  };
  expect(await send()).toBe('reset');
  const sent = Array.from({ length: everybody }, send);
  await Promise.race(sent);
  const opened = sockets.length - 1;
  return { opened, found: await Promise.all(sent) };
};

test('as many connections as there are requests wait for their first answer', async () => {
  const { opened, found } = await outcomes({ clock: standing, timeoutMs: 5_000, spared: 0 });
  expect(opened).toBe(everybody);
  expect(found).toEqual(Array(everybody).fill('reset'));
});

test('where one did not come to stand for long four wait at a time, until one meets its time-out', async () => {
  const { opened, found } = await outcomes({ clock: instantClock, timeoutMs: 1_000, spared: 4 });
  expect(opened).toBe(4);
  expect(found).toEqual([...Array(4).fill('unreachable'), ...Array(4).fill('reset')]);
});

test('a later connection serves first: only four at a time wait for their first response', async () => {
  const pool = createConnectionPool({ concurrency: everybody, clock: instantClock });
  cleanup.push(() => pool.closeAll());
  const wanted = {
    origin: 'http://127.0.0.1:1',
    connectionId: null,
    connection: 'fresh' as const,
    timeoutMs: 5_000,
  };
  const [older, later] = await Promise.all([pool.acquire(wanted), pool.acquire(wanted)]);
  for (const connection of [older, later]) connection.connected = true;
  void pool.withRelief(older, new Promise(() => {}));
  await new Promise(setImmediate);
  const serve = async () => {
    later.served = 1;
    return {
      ok: true,
      reused: false,
      response: { status: 200, headers: [], body: new Uint8Array() },
    } as const;
  };
  await pool.withRelief(later, Promise.resolve().then(serve));
  await Promise.all([1, 2, 3].map(() => pool.acquire(wanted)));
  const next = pool.acquire(wanted).then(() => 'opened');
  expect(await Promise.race([next, new Promise((resolve) => setImmediate(resolve, 'waits'))])).toBe('waits');
});

/** Until the response is complete, and not a moment longer. */
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
  const pool = createConnectionPool({ concurrency: 1, clock: standing });
  cleanup.push(
    () => server.close(),
    () => pool.closeAll(),
  );
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const wanted = { origin, connectionId: null, connection: 'any' as const, timeoutMs: 5_000 };
  const first = await pool.acquire(wanted);
  await exchangeOn(first);
  pool.release(first);
  expect(await pool.acquire(wanted)).not.toBe(first);
});
