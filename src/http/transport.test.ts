import { once } from 'node:events';
import net from 'node:net';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { exchangeOf } from '../../test/support/build.ts';
import { listPets } from '../check/requests.ts';
import { closeAll, get, httpServer, listen, ok, rawServer, text, transport, within } from './http-testing.ts';
import { parseResponse } from './parsed-response.ts';

afterEach(closeAll);

test('path, query and headers -> sent unchanged', async () => {
  const base = await httpServer((request, response) => {
    response.end(JSON.stringify({ url: request.url, headers: request.rawHeaders }));
  });
  const result = await transport().send(
    {
      ...get(`${base}/v1/../pets/%zz?limit=%31&a=|`),
      headers: [
        ['X-A', 'a'],
        ['x-a', 'b'],
      ],
    },
    within,
  );
  const seen = result.ok ? JSON.parse(text(result.response.body)) : null;
  expect(seen.url).toBe('/v1/../pets/%zz?limit=%31&a=|');
  expect(seen.headers.slice(-4)).toEqual(['X-A', 'a', 'x-a', 'b']);
});

test('body in pieces -> Content-Length, two separate pieces, split inside a character', async () => {
  const base = await httpServer((request, response) => {
    const pieces: string[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece.toString('latin1')));
    request.on('end', () =>
      response.end(JSON.stringify({ pieces, length: request.headers['content-length'] })),
    );
  });
  const result = await transport().send(
    {
      method: 'POST',
      url: base,
      headers: [['Content-Type', 'text/plain']],
      body: 'Zoë 🐈',
      framing: 'pieces',
    },
    within,
  );
  const seen = result.ok ? JSON.parse(text(result.response.body)) : null;
  expect(seen).toEqual({ pieces: ['Zo\u00c3', '\u00ab \u00f0\u009f\u0090\u0088'], length: '9' });
});

test('body in chunks -> hexadecimal sizes in both cases, connection reused', async () => {
  const seen: string[] = [];
  const base = await rawServer((socket, chunk) => {
    seen.push(chunk.toString());
    socket.write(ok);
  });
  const sender = transport();
  const body = '0123456789'.repeat(4);
  const headers = [['Transfer-Encoding', 'chunked']] as const;
  await sender.send({ method: 'POST', url: `${base}/pets`, headers, body, framing: 'chunks' }, within);
  const next = await sender.send(get(`${base}/next`), within);
  expect(seen[0]).toBe(
    `POST /pets HTTP/1.1\r\nHost: ${new URL(base).host}\r\nTransfer-Encoding: chunked\r\n\r\n` +
      '1\r\n0\r\na\r\n1234567890\r\n1B\r\n123456789012345678901234567\r\n2\r\n89\r\n0\r\n\r\n',
  );
  expect(seen[1]).toMatch(/^GET \/next HTTP\/1.1/);
  expect(next).toMatchObject({ ok: true, reused: true });
});

test.each([
  ['no host', 'POST /pets HTTP/1.1\r\nA: b\r\n\r\n{}'],
  ['malformed length', 'POST /pets HTTP/1.1\r\nHost: HOST\r\nA: b\r\n\r\n{}'],
  ['malformed chunk size', 'POST /pets HTTP/1.1\r\nHost: HOST\r\nA: b\r\n\r\nzz\r\n{}\r\n0\r\n\r\n'],
  ['missing length', 'POST /pets HTTP/1.1\r\nHost: HOST\r\nA: b\r\n\r\n'],
] as const)('malformed message: %s -> sent as specified', async (framing, message) => {
  const seen: string[] = [];
  const base = await rawServer((socket, chunk) => {
    seen.push(chunk.toString());
    socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
  });
  const request = {
    method: 'POST',
    url: `${base}/pets`,
    headers: [['A', 'b']],
    body: framing === 'missing length' ? '' : '{}',
    framing,
  } as const;
  expect(await transport().send(request, within)).toMatchObject({ ok: true, response: { status: 400 } });
  expect(seen).toEqual([message.replace('HOST', new URL(base).host)]);
});

test('repeated response headers -> order and case are kept', async () => {
  const base = await rawServer((socket) =>
    socket.end('HTTP/1.1 200 OK\r\nX-A: 1\r\nx-b: 2\r\nX-A: 3\r\nContent-Length: 2\r\n\r\n[]'),
  );
  const result = await transport().send(get(base), within);
  expect(result).toMatchObject({
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

test('thousands of header lines -> all are read, and few are kept for reports', async () => {
  const lines = Array.from({ length: 10_000 }, (_, index) => `x${index}: v\r\n`).join('');
  const later = [
    ['X-RateLimit-Limit', '7'],
    ['X-Total-Count', '57'],
    ['X-Has-Next', 'true'],
    ['Set-Cookie', 'a=b'],
  ];
  const last = later.map((line) => `${line.join(': ')}\r\n`).join('');
  const base = await rawServer((socket) =>
    socket.end(`HTTP/1.1 200 OK\r\n${lines}${last}x9999: w\r\nContent-Length: 2\r\n\r\n[]`),
  );
  const result = await transport().send(get(base), within);
  if (!result.ok) throw new Error(`no response: ${result.failure.kind}`);
  const { exchange, header } = parseResponse({ ...exchangeOf(listPets({}), {}), response: result.response });
  expect(['x0', 'X9999', 'x-ratelimit-limit', 'absent'].map(header)).toEqual([['v'], ['v', 'w'], ['7'], []]);
  expect(exchange.response.headers.length).toBeLessThan(300);
  expect(exchange.response.headers).toEqual(expect.arrayContaining(later));
  expect(exchange.response.headersLeftOut).toBeGreaterThan(9_700);
  expect(exchange.response.otherHeaders).toBeUndefined();
});

test('slow body or silent server -> time-out', async () => {
  const base = await rawServer((socket, chunk) => {
    if (chunk.includes('/silent')) return;
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n');
    const drip = setInterval(() => socket.write('x'), 10);
    socket.on('close', () => clearInterval(drip));
  });
  expect(await transport().send(get(`${base}/drip`), { timeoutMs: 150 })).toMatchObject({
    ok: false,
    failure: { kind: 'timeout', detail: { code: 'incomplete-response', withinMs: 150 } },
  });
  expect(await transport().send(get(`${base}/silent`), { timeoutMs: 150 })).toMatchObject({
    ok: false,
    failure: { kind: 'timeout', detail: { code: 'no-response', withinMs: 150 } },
  });
});

test('event stream without an end -> a response with its beginning', async () => {
  const base = await rawServer((socket) => {
    const event = 'd\r\ndata: hello\n\n\r\n';
    socket.write(
      `HTTP/1.1 200 OK\r\nContent-Type: Text/Event-Stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n${event}`,
    );
  });
  const result = await transport().send(get(base), { timeoutMs: 150 });
  expect(result).toMatchObject({ ok: true, response: { status: 200, isStream: true } });
  expect(result.ok && text(result.response.body)).toBe('data: hello\n\n');
});

test.each([
  ['body shorter than its Content-Length', 'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n[]', 'reset'],
  ['the same with a space after it', 'HTTP/1.1 200 OK\r\nContent-Length: 9 \r\n\r\n[]', 'reset'],
  [
    'chunked body without its end',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n',
    'reset',
  ],
  ['no response', '', 'reset'],
  ['not HTTP', 'hello\r\n\r\n', 'malformed'],
  ['incomplete headers', 'HTTP/1.1 200 OK\r\nContent-', 'reset'],
  ['unexpected upgrade', 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', 'malformed'],
])('%s -> a failure', async (_, bytes, kind) => {
  const base = await rawServer((socket) => socket.end(bytes));
  expect(await transport().send(get(base), within)).toMatchObject({ ok: false, failure: { kind } });
});

test('spaces around Content-Length -> ignored', async () => {
  const base = await rawServer((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length:  2  \r\n\r\n[]'));
  const client = transport();
  for (const _ of [1, 2]) {
    const result = await client.send(get(base), within);
    expect(result).toMatchObject({ ok: true, response: { status: 200 } });
    expect(result.ok && text(result.response.body)).toBe('[]');
  }
});

test.each([
  ['before the response', ['HTTP/1.1 100 Continue\r\n\r\n', ok]],
  ['in one piece with the response', [`HTTP/1.1 100 Continue\r\nX-B: 2\r\n\r\n${ok}`]],
  ['after a 103', [`HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n${ok}`]],
  ['split within its status line', ['HTTP/1.1 1', '00 Continue\r\n\r\n', ok]],
  ['split within its headers', ['HTTP/1.1 100 \r\nX-B', `: 2\r\n\r\n${ok}`]],
  [
    'twice, the second one in one piece with the response',
    ['HTTP/1.1 100 \r\n\r\n', `HTTP/1.1 100 \r\n\r\n${ok}`],
  ],
])('unexpected 100 %s -> skipped', async (_when, pieces) => {
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

test.each(['H', 'HTTP/1.1 100 Continue\r\n\r\n'])(
  'body that looks like an interim response: %j -> kept',
  async (body) => {
    const base = await rawServer((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n`, () =>
        setImmediate(() => socket.write(body)),
      );
    });
    const result = await transport().send(get(base), within);
    expect(result.ok && text(result.response.body)).toBe(body);
  },
);

test('early 401 with a large body unread -> is the response', async () => {
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

test('refused connection, unknown host, abort -> different kinds of failure', async () => {
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

test('request that HTTP cannot carry -> TypeError', async () => {
  const base = await httpServer((_request, response) => response.end());
  const illegal = { ...get(base), headers: [['X-A', 'a\0b']] as const };
  await expect(transport().send(illegal, within)).rejects.toThrow('the request cannot be sent');
  await expect(transport().send(get('/pets'), within)).rejects.toThrow('not an absolute http URL');
});

describe('body limit', () => {
  const limited = { ...within, maxBodyBytes: 1_000 };

  test.each([
    ['no coding', 'identity', Buffer.alloc(50_000, 'x')],
    ['gzip', 'gzip', gzipSync(Buffer.alloc(5_000_000, 'x'))],
    ['brotli', 'br', brotliCompressSync(Buffer.alloc(5_000_000, 'x'))],
    ['zstd', 'zstd', zstdCompressSync(Buffer.alloc(5_000_000, 'x'))],
    ['gzip twice', 'gzip, gzip', gzipSync(gzipSync(Buffer.alloc(5_000_000, 'x')))],
  ])('longer body, %s -> cut at the limit', async (_, coding, body) => {
    const base = await httpServer((_request, response) => {
      response.setHeader('Content-Encoding', coding);
      response.end(body);
    });
    const result = await transport().send(get(base), limited);
    expect(result).toMatchObject({ ok: true, response: { status: 200, cutAt: 1_000 } });
    expect(result.ok && text(result.response.body)).toBe('x'.repeat(1_000));
  });

  test('body of exactly the limit -> whole', async () => {
    const base = await httpServer((_request, response) => response.end('x'.repeat(1_000)));
    const result = await transport().send(get(base), limited);
    expect(result.ok && result.response.cutAt).toBeUndefined();
  });

  test('body without an end -> cut, the next request uses another connection', async () => {
    const base = await rawServer((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7d0\r\n${'x'.repeat(2_000)}\r\n`);
    });
    const client = transport();
    for (const _ of [1, 2])
      expect(await client.send(get(base), limited)).toMatchObject({
        ok: true,
        reused: false,
        response: { cutAt: 1_000 },
      });
  });
});
