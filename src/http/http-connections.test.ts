import type { RequestListener } from 'node:http';
import net from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { TransportOptions, WireRequest } from './exchange.ts';
import {
  closeAll,
  closing,
  get,
  httpServer,
  instantClock,
  listen,
  ok,
  rawServer,
  transport,
  within,
} from './http-testing.ts';

afterEach(closeAll);

/** Sends requests through one transport, and says on what kind of connection each was served or failed. */
const sender = (concurrency?: number) => {
  const client = transport(concurrency);
  return async (request: string | WireRequest, options: Partial<TransportOptions> = {}) => {
    const wire = typeof request === 'string' ? get(request) : request;
    const result = await client.send(wire, { ...within, ...options });
    if (result.ok) return result.reused ? 'reused' : 'new';
    return `${result.failure.kind} on a ${result.failure.reused ? 'reused' : 'new'} connection`;
  };
};

/** A server, and the ports of its clients, one for each request. */
const serverWithPorts = async (respond: RequestListener) => {
  const ports: (number | undefined)[] = [];
  const base = await httpServer((request, response) => {
    ports.push(request.socket.remotePort);
    respond(request, response);
  });
  return { base, ports };
};

test('second request -> reuses the connection, unless it wants a fresh one', async () => {
  const { base, ports } = await serverWithPorts((_request, response) => response.end('{}'));
  const send = sender();
  expect(await send(base)).toBe('new');
  expect(await send(base)).toBe('reused');
  expect(await send(base, { connection: 'fresh' })).toBe('new');
  expect(ports[1]).toBe(ports[0]);
  expect(ports[2]).not.toBe(ports[0]);
});

test('connection id -> one connection for these requests only, kept after a rejected body', async () => {
  const { base, ports } = await serverWithPorts((request, response) =>
    response.writeHead(request.method === 'POST' ? 401 : 200).end('{}'),
  );
  const send = sender();
  expect(await send({ ...get(base), method: 'POST', body: '{}' }, { connectionId: 'a' })).toBe('new');
  expect(await send(base)).toBe('new');
  expect(await send(base, { connectionId: 'b' })).toBe('new');
  expect(await send(base, { connectionId: 'a' })).toBe('reused');
  expect(await send(base, { connectionId: 'a', connection: 'fresh' })).toBe('new');
  expect(ports[3]).toBe(ports[0]);
  expect(new Set(ports).size).toBe(4);
});

test('connection id after the server closed its connection -> a new connection', async () => {
  const base = await httpServer((_request, response) => {
    response.setHeader('Connection', 'close');
    response.end('{}');
  });
  const send = sender();
  expect(await send(base, { connectionId: 'a' })).toBe('new');
  expect(await send(base, { connectionId: 'a' })).toBe('new');
});

test('server that serves one connection at a time -> idle connections do not block others', async () => {
  const waiting: (() => void)[] = [];
  let serving = false;
  const serveNext = (): void => {
    const next = waiting.shift();
    serving = next !== undefined;
    next?.();
  };
  const server = net.createServer({ pauseOnConnect: true }, (socket) => {
    waiting.push(() => {
      socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]'));
      socket.resume();
    });
    socket.on('error', () => undefined).on('close', serveNext);
    if (!serving) serveNext();
  });
  closing.push(() => server.close());
  const base = await listen(server);
  const client = transport(3, instantClock);
  const served = { ok: true, response: { status: 200 } };
  await client.send(get(base), within);
  expect(await client.send(get(base), { ...within, connection: 'fresh' })).toMatchObject(served);
  const results = await Promise.all([1, 2, 3].map(() => client.send(get(base), within)));
  for (const result of results) expect(result).toMatchObject(served);
});

test('recently used connection -> reused only after an exchange that earlier left one reusable', async () => {
  const base = await httpServer((request, response) => {
    response.writeHead(request.url === '/bad' ? 400 : 200).end('{}');
  });
  const send = sender(1);
  expect(await send(base)).toBe('new');
  expect(await send(base, { connection: 'recently-used' })).toBe('new');
  expect(await send(base)).toBe('reused');
  expect(await send(base, { connection: 'recently-used' })).toBe('reused');
  expect(await send(`${base}/bad`)).toBe('reused');
  expect(await send(`${base}/bad`, { connection: 'recently-used' })).toBe('new');
  expect(await send(`${base}/bad`)).toBe('reused');
  expect(await send(base, { connection: 'recently-used' })).toBe('reused');
});

test('server closes a recently used connection -> none counts as recently used any more', async () => {
  const closed = Promise.withResolvers<void>();
  const base = await httpServer((request, response) => {
    response.end('{}');
    if (request.url !== '/last') return;
    request.socket.on('close', () => closed.resolve());
    response.on('finish', () => request.socket.end());
  });
  const send = sender();
  await send(base);
  await send(`${base}/last`);
  await closed.promise;
  await send(base);
  expect(await send(base)).toBe('reused');
  expect(await send(base, { connection: 'recently-used' })).toBe('new');
});

const withDrop = () =>
  rawServer((socket, chunk) => {
    if (chunk.includes('/drop')) socket.destroy();
    else socket.write(ok);
  });

test('server resets a reused connection -> none counts as recently used any more', async () => {
  const base = await withDrop();
  const send = sender();
  await send(base);
  await send(base);
  expect(await send(base, { connection: 'recently-used' })).toBe('reused');
  expect(await send(`${base}/drop`)).toBe('reset on a reused connection');
  await send(base);
  expect(await send(base)).toBe('reused');
  expect(await send(base, { connection: 'recently-used' })).toBe('new');
});

test('reset -> reports whether the connection had served before', async () => {
  const base = await withDrop();
  const send = sender();
  await send(base);
  expect(await send(`${base}/drop`)).toBe('reset on a reused connection');
  expect(await send(`${base}/drop`)).toBe('reset on a new connection');
});

test('rejected body -> the connection is not reused', async () => {
  const base = await httpServer((_request, response) => response.writeHead(401).end('{}'));
  const send = sender();
  await send({ ...get(base), method: 'POST', body: '{}' });
  expect(await send(base)).toBe('new');
});

test('connection closes within a response -> not an idle close', async () => {
  let requests = 0;
  const base = await rawServer((socket) => {
    requests += 1;
    if (requests === 1) socket.write(ok);
    else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[');
  });
  const send = sender();
  expect(await send(base)).toBe('new');
  expect(await send(base)).toBe('reset on a new connection');
  expect(requests).toBe(2);
});
