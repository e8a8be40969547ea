import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { Clock } from '../time/clock.ts';
import { type Connection, createConnectionPool } from './connections.ts';
import { closeAll, closing, get, instantClock, stoppedClock, transport } from './http-testing.ts';

afterEach(closeAll);

const requestCount = 8;

/** A server that never starts TLS. It drops the first connection at once, and all but `keptOpen` others when all are open. */
const tlsServer = async (keptOpen: number) => {
  const sockets: Socket[] = [];
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined).resume();
    if (sockets.push(socket) === 1) socket.destroy();
    if (sockets.length === 1 + requestCount) for (const each of sockets.slice(1 + keptOpen)) each.destroy();
  });
  closing.push(() => {
    for (const each of sockets) each.destroy();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/`, sockets };
};

/**
 * Sends one request that is dropped, then all others at once on fresh connections. Returns their results, and how many connections were
 * open when the first of them ended.
 */
const outcomes = async (options: {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly keptOpen: number;
}) => {
  const { clock, timeoutMs } = options;
  const { url, sockets } = await tlsServer(options.keptOpen);
  const client = transport(requestCount, clock);
  const send = async () => {
    const result = await client.send(get(url), { timeoutMs, connection: 'fresh' });
    return result.ok ? result.response.status : result.failure.kind;
  };
  expect(await send()).toBe('reset');
  const sent = Array.from({ length: requestCount }, send);
  await Promise.race(sent);
  const opened = sockets.length - 1;
  return { opened, results: await Promise.all(sent) };
};

test('no sign of a full backlog -> all requests open a connection at once', async () => {
  const { opened, results } = await outcomes({ clock: stoppedClock, timeoutMs: 5_000, keptOpen: 0 });
  expect(opened).toBe(requestCount);
  expect(results).toEqual(Array(requestCount).fill('reset'));
});

test('connection not established for long -> four wait at a time, until one times out', async () => {
  const { opened, results } = await outcomes({ clock: instantClock, timeoutMs: 1_000, keptOpen: 4 });
  expect(opened).toBe(4);
  expect(results).toEqual([...Array(4).fill('unreachable'), ...Array(4).fill('reset')]);
});

test('later connection serves first -> four at a time wait for their first response', async () => {
  const pool = createConnectionPool({ concurrency: requestCount, clock: instantClock });
  closing.push(() => pool.closeAll());
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

/** Resolves as soon as the response is complete. */
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

test('connection closed by its response -> not reused', async () => {
  const server = net.createServer((socket) => {
    socket.on('data', () => socket.write('HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n[]'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const pool = createConnectionPool({ concurrency: 1, clock: stoppedClock });
  closing.push(
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
