import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { at, key, record, resultOf, run, serve } from '../support/command.ts';
import { startCommand } from '../support/processes.ts';
import { openServer, serveOnSocket, testReference } from '../support/servers.ts';

const middle = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n[{"id":';

describe.concurrent('a server that closes every connection', () => {
  const closingAfter = async (bytes: string) => {
    const server = createServer((socket) => socket.once('data', () => socket.end(bytes)));
    return `http://${await openServer(server)}/v1`;
  };
  /** The first line of the summary, and that of the Markdown. */
  const firstLines = (out: string, reportDir: string) => [
    /^(?:Failed|Not judged).*(?= - )/m.exec(out)?.[0],
    /^## \S+ (.*)/.exec(readFileSync(join(reportDir, 'summary.md'), 'utf8'))?.[1],
  ];

  test.each([
    ['before a response', ''],
    ['in the middle of the body', middle],
  ])('%s -> GEN-4 fails, the first line says so, and nothing else is sent', async (when, bytes) => {
    const baseUrl = await closingAfter(bytes);
    const clause = `the server closed the connection ${when}`;
    const whole = await run(at({ baseUrl }));
    expect([whole.code, resultOf(whole, 'GEN-4')?.verdict]).toEqual([1, 'failed']);
    expect(resultOf(whole, 'GEN-4')?.failures[0]?.message).toContain(clause);
    expect(firstLines(whole.out, whole.reportDir)).toEqual(
      Array(2).fill(`Failed: 1 of 59 requirements (${clause})`),
    );
    expect(whole.report?.silence).toBe(clause);
    expect(whole.report?.traffic.requests).toBeLessThanOrEqual(4);
    const part = await run([...at({ baseUrl }), '--only', 'LIST']);
    expect(part.code).toBe(3);
    expect(firstLines(part.out, part.reportDir)).toEqual(Array(2).fill(`Not judged: ${clause}`));
  });

  test('at once -> GEN-4 fails', async () => {
    const address = await openServer(createServer((socket) => socket.destroy()));
    const ended = await run(at({ baseUrl: `http://${address}/v1` }));
    expect([ended.code, resultOf(ended, 'GEN-4')?.verdict]).toEqual([1, 'failed']);
    expect(ended.report?.traffic.requests).toBeLessThanOrEqual(4);
  });

  test('in each part of a run -> the first line of the whole says so', async () => {
    const baseUrl = await closingAfter(middle);
    const parts = await Promise.all(
      ['1/2', '2/2'].map((shard) => run([...at({ baseUrl }), '--seed', '1', '--shard', shard])),
    );
    const folders = parts.map(({ reportDir }) => reportDir);
    const merged = await startCommand(['merge', ...folders, '--report-dir', `${folders[0]}-whole`]).ended;
    expect(merged.code).toBe(1);
    expect(merged.out).toContain('(the server closed the connection in the middle of the body)');
  });
});

/** A conforming server: blanks may be between the tokens of a JSON text, and no length is too long for a list. */
const paddingLists = async () => {
  const reference = testReference({ keys: [{ key, plan: 'business' }] });
  const fetch = async (request: Request): Promise<Response> => {
    const response = await reference.fetch(request);
    if (response.status !== 200 || !new URL(request.url).pathname.endsWith('/pets')) return response;
    const headers = new Headers(response.headers);
    headers.set('Content-Encoding', 'gzip');
    headers.delete('Content-Length');
    return new Response(gzipSync(`${' '.repeat(3_000_000)}${await response.text()}`), { headers });
  };
  return serveOnSocket({ ...reference, fetch });
};

test('lists of 3 MB in gzip -> no failure and no success, until --max-body is larger', async () => {
  const server = await paddingLists();
  const lists = [...at(server), '--only', 'LIST-4', '--only', 'GET-2', '--runs', '1'];
  const cut = await run(lists);
  expect([cut.code, cut.report?.verdict, resultOf(cut, 'LIST-4')?.verdict]).toEqual([
    3,
    'not-judged',
    'inconclusive',
  ]);
  expect(cut.out).toContain(
    'Not tested: No response of listPets could be read to its end, so nothing was judged. Raise --max-body',
  );
  const whole = await run([...at(server), '--only', 'LIST-1', '--runs', '1', '--max-body', '4000000']);
  expect([whole.code, resultOf(whole, 'LIST-1')?.verdict]).toEqual([0, 'passed']);
  const compared = await startCommand(['compare', cut.reportDir, whole.reportDir]).ended;
  expect(compared).toMatchObject({ code: 0, err: '' });
});

test('an operation that returns only 429, also after the waits -> not judged, 3, unless another status shows', async () => {
  const limited = { status: 429, headers: { 'Retry-After': '0', 'Content-Type': 'application/json' } };
  const server = await record({
    before: async (_, { path, authorization }) =>
      authorization !== null && path.endsWith('/orders') ? new Response('{}', limited) : undefined,
  });
  const everyResponse = await record({
    before: async (_, { path }) => (path.endsWith('/orders') ? new Response('{}', limited) : undefined),
  });
  const few = ['--only', 'ORDERS', '--only', 'LIST-4', '--only', 'AUTH-1', '--runs', '1'];
  const ended = await run([...at(everyResponse), ...few]);
  expect([ended.code, ended.report?.verdict]).toEqual([3, 'not-judged']);
  expect(ended.out).toContain(
    'Not tested: Every response of listOrders was 429, so nothing was judged. Try again later',
  );
  const known = await run([...at(server), ...few]);
  expect([known.code, resultOf(known, 'ORDERS-1')?.verdict]).toEqual([0, 'inconclusive']);
});

test('a check that uses up a limit, alone -> judged, although an operation returns only the 429s that it asks for', async () => {
  const second = 'second-test-key-5Tq8nVc2Xj';
  const server = await serve('--key', `free=${second}`, '--limit', `${second}=20/2`);
  const ended = await run([...at(server), '--only', 'RATE-5', '--rate-limit-key', second]);
  expect([ended.code, resultOf(ended, 'RATE-5')?.verdict]).toEqual([0, 'passed']);
});
