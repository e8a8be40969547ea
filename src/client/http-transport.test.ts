import { once } from 'node:events';
import http, { type RequestListener } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import type { Transport, WireRequest } from './exchange.ts';
import { createHttpTransport } from './http-transport.ts';

const cleanup: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const undo of cleanup.splice(0).reverse()) await undo();
});

const transport = (concurrency = 8): Transport => {
  const made = createHttpTransport({ concurrency });
  cleanup.push(() => made.close());
  return made;
};

const listen = async (server: net.Server): Promise<string> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const httpServer = async (listener: RequestListener): Promise<string> => {
  const server = http.createServer(listener);
  cleanup.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return listen(server);
};

/** A server that is given each chunk a client sends, with its socket. */
const rawServer = async (onData: (socket: Socket, chunk: Buffer) => void): Promise<string> => {
  const sockets = new Set<Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('data', (chunk) => onData(socket, chunk));
  });
  cleanup.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return listen(server);
};

const get = (url: string): WireRequest => ({ method: 'GET', url, headers: [], body: null });
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]';
const text = (body: Uint8Array): string => Buffer.from(body).toString();
const within = { timeoutMs: 5_000 };

test('path, query and headers reach the server as they were given', async () => {
  const base = await httpServer((request, response) => {
    response.end(JSON.stringify({ url: request.url, headers: request.rawHeaders }));
  });
  const answer = await transport().send(
    {
      ...get(`${base}/v1/../pets/%zz?limit=%31&a=|`),
      headers: [
        ['X-Odd', 'a'],
        ['x-odd', 'b'],
      ],
    },
    within,
  );
  const seen = answer.ok ? JSON.parse(text(answer.response.body)) : null;
  expect(seen.url).toBe('/v1/../pets/%zz?limit=%31&a=|');
  expect(seen.headers.slice(-4)).toEqual(['X-Odd', 'a', 'x-odd', 'b']);
});

test('repeated response headers keep their order and their case', async () => {
  const base = await rawServer((socket) =>
    socket.end('HTTP/1.1 200 OK\r\nX-A: 1\r\nx-b: 2\r\nX-A: 3\r\nContent-Length: 2\r\n\r\n[]'),
  );
  const answer = await transport().send(get(base), within);
  expect(answer).toMatchObject({
    ok: true,
    response: {
      status: 200,
      headers: [
        ['X-A', '1'],
        ['x-b', '2'],
        ['X-A', '3'],
        ['Content-Length', '2'],
      ],
    },
  });
});

test('redirects are answers', async () => {
  const base = await httpServer((_request, response) => response.writeHead(302, { Location: '/x' }).end());
  expect(await transport().send(get(base), within)).toMatchObject({ ok: true, response: { status: 302 } });
});

test('a compressed body is read; one that is not what it says is malformed', async () => {
  const base = await httpServer((request, response) => {
    response.setHeader('Content-Encoding', 'gzip');
    response.end(request.url === '/good' ? gzipSync('[1]') : '[1]');
  });
  const good = await transport().send(get(`${base}/good`), within);
  expect(good.ok && text(good.response.body)).toBe('[1]');
  expect(await transport().send(get(`${base}/bad`), within)).toMatchObject({
    ok: false,
    failure: { kind: 'malformed' },
  });
});

test('a connection is reused, and fresh opens one of its own', async () => {
  const ports: (number | undefined)[] = [];
  const base = await httpServer((request, response) => {
    ports.push(request.socket.remotePort);
    response.end('{}');
  });
  const client = transport();
  expect(await client.send(get(base), within)).toMatchObject({ ok: true, reused: false });
  expect(await client.send(get(base), within)).toMatchObject({ ok: true, reused: true });
  expect(await client.send(get(base), { ...within, fresh: true })).toMatchObject({ ok: true, reused: false });
  expect(ports[1]).toBe(ports[0]);
  expect(ports[2]).not.toBe(ports[0]);
});

test('a line is one connection, which nothing else is sent on, and which serves on whatever is refused', async () => {
  const ports: (number | undefined)[] = [];
  const base = await httpServer((request, response) => {
    ports.push(request.socket.remotePort);
    response.writeHead(request.method === 'POST' ? 401 : 200).end('{}');
  });
  const client = transport();
  const onLine = { ...within, line: 'a' };
  const refused = { ...get(base), method: 'POST', body: '{}' };
  expect(await client.send(refused, onLine)).toMatchObject({ ok: true, reused: false });
  expect(await client.send(get(base), within)).toMatchObject({ ok: true, reused: false });
  expect(await client.send(get(base), { ...within, line: 'b' })).toMatchObject({ ok: true, reused: false });
  expect(await client.send(get(base), onLine)).toMatchObject({ ok: true, reused: true });
  expect(await client.send(get(base), { ...onLine, fresh: true })).toMatchObject({ ok: true, reused: false });
  expect(ports[3]).toBe(ports[0]);
  expect(new Set(ports).size).toBe(4);
});

test('a line goes on over a new connection where the server has closed it', async () => {
  const base = await httpServer((_request, response) => {
    response.setHeader('Connection', 'close');
    response.end('{}');
  });
  const client = transport();
  const onLine = { ...within, line: 'a' };
  expect(await client.send(get(base), onLine)).toMatchObject({ ok: true, reused: false });
  expect(await client.send(get(base), onLine)).toMatchObject({ ok: true, reused: false });
});

test('where one connection is served at a time, none is kept from the others', async () => {
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
  const made = createHttpTransport({ concurrency: 3, starvedMs: 5 });
  cleanup.push(() => made.close());
  const served = { ok: true, response: { status: 200 } };
  await made.send(get(base), within);
  expect(await made.send(get(base), { ...within, fresh: true })).toMatchObject(served);
  const atOnce = await Promise.all([1, 2, 3].map(() => made.send(get(base), within)));
  for (const answer of atOnce) expect(answer).toMatchObject(served);
});

test('a warm connection is one that has just served what others served on after', async () => {
  const base = await httpServer((request, response) => {
    response.writeHead(request.url === '/bad' ? 400 : 200).end('{}');
  });
  const client = transport(1);
  const reuses = async (url: string, fresh?: 'or warm') => {
    const answer = await client.send(get(url), { ...within, ...(fresh === undefined ? {} : { fresh }) });
    return answer.ok && answer.reused;
  };
  expect(await reuses(base)).toBe(false);
  expect(await reuses(base, 'or warm')).toBe(false);
  expect(await reuses(base)).toBe(true);
  expect(await reuses(base, 'or warm')).toBe(true);
  expect(await reuses(`${base}/bad`)).toBe(true);
  expect(await reuses(`${base}/bad`, 'or warm')).toBe(false);
  expect(await reuses(`${base}/bad`)).toBe(true);
  expect(await reuses(base, 'or warm')).toBe(true);
});

test('no connection counts as warm once the server has closed a warm one', async () => {
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
  expect(await client.send(get(base), { ...within, fresh: 'or warm' })).toMatchObject({ reused: false });
});

test('no connection counts as warm once one was reset while it was used', async () => {
  const base = await rawServer((socket, chunk) => {
    if (chunk.includes('/drop')) socket.destroy();
    else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]');
  });
  const client = transport();
  const serve = (fresh: boolean | 'or warm') => client.send(get(`${base}/serve`), { ...within, fresh });
  await serve(false);
  await serve(false);
  expect(await serve('or warm')).toMatchObject({ ok: true, reused: true });
  expect(await client.send(get(`${base}/drop`), within)).toMatchObject({ failure: { reused: true } });
  await serve(false);
  expect(await serve(false)).toMatchObject({ ok: true, reused: true });
  expect(await serve('or warm')).toMatchObject({ ok: true, reused: false });
});

test('a reset tells whether its connection had served before', async () => {
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

test('the time-out covers a body that drips, and a server that never answers', async () => {
  const base = await rawServer((socket, chunk) => {
    if (chunk.includes('/silent')) return;
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
    const drip = setInterval(() => socket.write('x'), 10);
    socket.on('close', () => clearInterval(drip));
  });
  expect(await transport().send(get(`${base}/drip`), { timeoutMs: 150 })).toMatchObject({
    ok: false,
    failure: { kind: 'timeout', message: 'no whole answer within 150 ms' },
  });
  expect(await transport().send(get(`${base}/silent`), { timeoutMs: 150 })).toMatchObject({
    ok: false,
    failure: { kind: 'timeout', message: 'no answer within 150 ms' },
  });
});

test.each([
  ['a body cut short of its Content-Length', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[]', 'reset'],
  [
    'a chunked body without its end',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n',
    'reset',
  ],
  ['no answer at all', '', 'reset'],
  ['something that is not HTTP', 'hello\r\n\r\n', 'malformed'],
  ['headers cut short', 'HTTP/1.1 200 OK\r\nContent-', 'reset'],
  [
    'an upgrade nobody asked for',
    'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
    'malformed',
  ],
])('%s', async (_what, bytes, kind) => {
  const base = await rawServer((socket) => socket.end(bytes));
  expect(await transport().send(get(base), within)).toMatchObject({ ok: false, failure: { kind } });
});

test('informational responses are passed over', async () => {
  const base = await rawServer((socket) =>
    socket.end('HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n'),
  );
  expect(await transport().send(get(base), within)).toMatchObject({
    ok: true,
    response: { status: 204, headers: [['X-A', '1']] },
  });
});

test.each([
  ['before the answer', ['HTTP/1.1 100 Continue\r\n\r\n', ok]],
  ['in one piece with it', [`HTTP/1.1 100 Continue\r\nX-B: 2\r\n\r\n${ok}`]],
  ['behind a 103', [`HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${ok}`]],
  ['twice, the second time in one piece with it', ['HTTP/1.1 100 \r\n\r\n', `HTTP/1.1 100 \r\n\r\n${ok}`]],
])('a 100 that nobody asked for is passed over: %s', async (_when, pieces) => {
  const base = await rawServer((socket) => {
    const [piece = '', ...others] = pieces;
    socket.write(piece, () => {
      for (const other of others) setImmediate(() => socket.write(other));
    });
  });
  const client = transport();
  for (const _ of [1, 2])
    expect(await client.send(get(base), within)).toMatchObject({
      ok: true,
      response: { status: 200, headers: [['Content-Length', '2']] },
    });
});

test('an early 401 that leaves a large body unread is the answer', async () => {
  const base = await rawServer((socket) => {
    socket.removeAllListeners('data');
    socket.pause();
    socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}', () => {
      socket.destroy();
    });
  });
  const big = { ...get(base), method: 'POST', body: 'x'.repeat(4_000_000) };
  expect(await transport().send(big, within)).toMatchObject({ ok: true, response: { status: 401 } });
});

test('after a refused body its connection is not used again', async () => {
  const base = await httpServer((_request, response) => response.writeHead(401).end('{}'));
  const client = transport();
  await client.send({ ...get(base), method: 'POST', body: '{}' }, within);
  expect(await client.send(get(base), within)).toMatchObject({ ok: true, reused: false });
});

test('a refused connection, an unknown host and an abort are told apart', async () => {
  const server = net.createServer();
  const gone = await listen(server);
  server.close();
  await once(server, 'close');
  expect(await transport().send(get(gone), within)).toMatchObject({
    ok: false,
    failure: { kind: 'refused' },
  });
  expect(await transport().send(get('http://no-such-host.invalid/'), within)).toMatchObject({
    ok: false,
    failure: { kind: 'unreachable' },
  });
  const silent = await rawServer(() => undefined);
  const controller = new AbortController();
  const sent = transport().send(get(silent), { ...within, signal: controller.signal });
  controller.abort();
  expect(await sent).toMatchObject({ ok: false, failure: { kind: 'aborted' } });
});

test('a request that HTTP cannot carry is the caller’s fault', async () => {
  const base = await httpServer((_request, response) => response.end());
  const illegal = { ...get(base), headers: [['X-A', 'a\0b']] as const };
  await expect(transport().send(illegal, within)).rejects.toThrow('the request cannot be sent');
  await expect(transport().send(get('/pets'), within)).rejects.toThrow('not an absolute http URL');
});

test('a response larger than the cap is malformed', async () => {
  const base = await httpServer((_request, response) => response.end(Buffer.alloc(33 * 1024 * 1024)));
  expect(await transport().send(get(base), within)).toMatchObject({
    ok: false,
    failure: { kind: 'malformed' },
  });
});
