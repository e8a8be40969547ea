import net from 'node:net';
import { expect, test } from 'vitest';
import {
  cleanup,
  get,
  httpServer,
  instantClock,
  listen,
  ok,
  rawServer,
  transport,
  within,
} from './http-testing.ts';

test('second request -> reuses the connection, unless it wants a fresh one', async () => {
  const ports: (number | undefined)[] = [];
  const base = await httpServer((request, response) => {
    ports.push(request.socket.remotePort);
    response.end('{}');
  });
  const client = transport();
  expect(await client.send(get(base), within)).toMatchObject({ ok: true, reused: false });
  expect(await client.send(get(base), within)).toMatchObject({ ok: true, reused: true });
  expect(await client.send(get(base), { ...within, connection: 'fresh' })).toMatchObject({
    ok: true,
    reused: false,
  });
  expect(ports[1]).toBe(ports[0]);
  expect(ports[2]).not.toBe(ports[0]);
});

test('connection id -> one connection for these requests only, kept after a rejected body', async () => {
  const ports: (number | undefined)[] = [];
  const base = await httpServer((request, response) => {
    ports.push(request.socket.remotePort);
    response.writeHead(request.method === 'POST' ? 401 : 200).end('{}');
  });
  const client = transport();
  const withId = { ...within, connectionId: 'a' };
  const rejected = { ...get(base), method: 'POST', body: '{}' };
  expect(await client.send(rejected, withId)).toMatchObject({ ok: true, reused: false });
  expect(await client.send(get(base), within)).toMatchObject({ ok: true, reused: false });
  expect(await client.send(get(base), { ...within, connectionId: 'b' })).toMatchObject({
    ok: true,
    reused: false,
  });
  expect(await client.send(get(base), withId)).toMatchObject({ ok: true, reused: true });
  expect(await client.send(get(base), { ...withId, connection: 'fresh' })).toMatchObject({
    ok: true,
    reused: false,
  });
  expect(ports[3]).toBe(ports[0]);
  expect(new Set(ports).size).toBe(4);
});

test('connection id after the server closed its connection -> a new connection', async () => {
  const base = await httpServer((_request, response) => {
    response.setHeader('Connection', 'close');
    response.end('{}');
  });
  const client = transport();
  const withId = { ...within, connectionId: 'a' };
  expect(await client.send(get(base), withId)).toMatchObject({ ok: true, reused: false });
  expect(await client.send(get(base), withId)).toMatchObject({ ok: true, reused: false });
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
  cleanup.push(() => server.close());
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
  const client = transport(1);
  const reuses = async (url: string, connection: 'any' | 'recently-used' = 'any') => {
    const result = await client.send(get(url), { ...within, connection });
    return result.ok && result.reused;
  };
  expect(await reuses(base)).toBe(false);
  expect(await reuses(base, 'recently-used')).toBe(false);
  expect(await reuses(base)).toBe(true);
  expect(await reuses(base, 'recently-used')).toBe(true);
  expect(await reuses(`${base}/bad`)).toBe(true);
  expect(await reuses(`${base}/bad`, 'recently-used')).toBe(false);
  expect(await reuses(`${base}/bad`)).toBe(true);
  expect(await reuses(base, 'recently-used')).toBe(true);
});

test('server closes a recently used connection -> none counts as recently used any more', async () => {
  const closed = Promise.withResolvers<void>();
  const base = await httpServer((request, response) => {
    response.end('{}');
    if (request.url !== '/last') return;
    request.socket.on('close', () => closed.resolve());
    response.on('finish', () => request.socket.end());
  });
  const client = transport();
  await client.send(get(base), within);
  await client.send(get(`${base}/last`), within);
  await closed.promise;
  await client.send(get(base), within);
  expect(await client.send(get(base), within)).toMatchObject({ reused: true });
  expect(await client.send(get(base), { ...within, connection: 'recently-used' })).toMatchObject({
    reused: false,
  });
});

test('server resets a reused connection -> none counts as recently used any more', async () => {
  const base = await rawServer((socket, chunk) => {
    if (chunk.includes('/drop')) socket.destroy();
    else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]');
  });
  const client = transport();
  const serve = (connection: 'any' | 'recently-used') =>
    client.send(get(`${base}/serve`), { ...within, connection });
  await serve('any');
  await serve('any');
  expect(await serve('recently-used')).toMatchObject({ ok: true, reused: true });
  expect(await client.send(get(`${base}/drop`), within)).toMatchObject({ failure: { reused: true } });
  await serve('any');
  expect(await serve('any')).toMatchObject({ ok: true, reused: true });
  expect(await serve('recently-used')).toMatchObject({ ok: true, reused: false });
});

test('reset -> reports whether the connection had served before', async () => {
  const base = await rawServer((socket, chunk) => {
    if (chunk.includes('/drop')) socket.destroy();
    else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]');
  });
  const client = transport();
  await client.send(get(`${base}/serve`), within);
  const dropped = { ok: false, failure: { kind: 'reset' } };
  expect(await client.send(get(`${base}/drop`), within)).toMatchObject({
    ...dropped,
    failure: { reused: true },
  });
  expect(await client.send(get(`${base}/drop`), within)).toMatchObject({
    ...dropped,
    failure: { reused: false },
  });
});

test('rejected body -> the connection is not reused', async () => {
  const base = await httpServer((_request, response) => response.writeHead(401).end('{}'));
  const client = transport();
  await client.send({ ...get(base), method: 'POST', body: '{}' }, within);
  expect(await client.send(get(base), within)).toMatchObject({ ok: true, reused: false });
});

test('connection closes within a response -> not an idle close', async () => {
  let requests = 0;
  const base = await rawServer((socket) => {
    requests += 1;
    if (requests === 1) socket.write(ok);
    else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[');
  });
  const client = transport();
  expect(await client.send(get(base), within)).toMatchObject({ ok: true });
  expect(await client.send(get(base), within)).toMatchObject({
    ok: false,
    failure: { kind: 'reset', reused: false },
  });
  expect(requests).toBe(2);
});
