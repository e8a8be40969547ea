import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../time/clock.ts';
import { type Listening, listen } from './listen.ts';
import type { Patch } from './patch.ts';
import { wrap } from './patch-kit/core.ts';
import { removeHeaders } from './patch-kit/responses.ts';
import { createReference } from './reference.ts';
import { ConnectionDropped } from './reply.ts';

const open: Listening[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function serverWith(...patches: readonly Patch[]): Promise<string> {
  const keys = [{ key: 'key', plan: 'business' as const }];
  const reference = createReference({ clock: systemClock, keys, random: () => 0, seedPets: 1, patches });
  const listening = await listen(reference, { host: '127.0.0.1', port: 0 });
  open.push(listening);
  return listening.baseUrl;
}

/** Sends these bytes, and returns everything that is received until the connection ends. */
const exchange = (baseUrl: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const received: Buffer[] = [];
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => received.push(chunk));
    socket.on('end', () => resolve(Buffer.concat(received).toString()));
    socket.on('error', reject);
  });

const authorization = 'Bearer key';

test('base URL: ends in /v1, and accepts requests', async () => {
  const baseUrl = await serverWith();
  expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  const response = await fetch(`${baseUrl}/pets/1`, { headers: { authorization } });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ id: 1 });
});

test('headers: exactly those of the server, nothing is added', async () => {
  const baseUrl = await serverWith(removeHeaders(['date', 'content-type']));
  const response = await exchange(baseUrl, 'GET /v1/pets HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect(response).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
  expect(response).not.toMatch(/^(date|content-type):/im);
});

test.each([
  ['not HTTP', 'NONSENSE\r\n\r\n'],
  ['a path with raw bytes', 'GET /v1/pets/\u00ff HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['headers above 16 kB', `GET /v1/pets HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`],
  ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['an invalid host', 'GET /v1/pets HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'],
  ['OPTIONS *', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
])('%s -> 400 with an Error and the rate limit headers', async (_what, sent) => {
  const response = await exchange(await serverWith(), sent);
  expect(response).toMatch(/^HTTP\/1\.1 400 /);
  expect(response).toMatch(/^x-ratelimit-remaining: \d+\r$/m);
  expect(response).toMatch(/"status":400\}$/);
});

test.each([
  ['no Host', 'Connection: close'],
  ['an unknown expectation', 'Host: x\r\nExpect: miracles\r\nConnection: close'],
  ['an upgrade', 'Host: x\r\nUpgrade: websocket\r\nConnection: close, upgrade'],
])('request with %s -> the usual response', async (_what, headers) => {
  const response = await exchange(await serverWith(), `GET /v1/pets HTTP/1.1\r\n${headers}\r\n\r\n`);
  expect(response).toMatch(/^HTTP\/1\.1 401 /);
  expect(response).toMatch(/^x-ratelimit-remaining: \d+\r$/m);
});

test('rejected early -> the body is read, and the connection can be used again', async () => {
  const body = 'x'.repeat(300_000);
  const post = `POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const response = await exchange(
    await serverWith(),
    `${post}GET /v1/pets HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  );
  expect(response.match(/HTTP\/1\.1 401/g)).toHaveLength(2);
});

test('chunked body above a megabyte -> 413', async () => {
  const chunk = new TextEncoder().encode(' '.repeat(300_000));
  const body = new ReadableStream({
    start: (controller) => {
      for (let left = 5; left > 0; left -= 1) controller.enqueue(chunk);
      controller.close();
    },
  });
  const sent = { method: 'POST', headers: { authorization }, body, duplex: 'half' } as const;
  expect((await fetch(`${await serverWith()}/pets`, sent)).status).toBe(413);
});

test('dropped connection -> no response', async () => {
  const drop = wrap(() => Promise.reject(new ConnectionDropped()));
  await expect(fetch(`${await serverWith(drop)}/pets`)).rejects.toThrow();
});

test('port in use -> an error with its code', async () => {
  const port = Number(new URL(await serverWith()).port);
  const reference = createReference({ clock: systemClock, keys: [], random: () => 0 });
  await expect(listen(reference, { host: '127.0.0.1', port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
