import { describe, expect, test } from 'vitest';
import { slidingWindow, tokenBucket } from './limiter.ts';
import { replace } from './patch-kit/core.ts';
import { type TestResponse, testServer } from './testing.ts';

const numberIn = (response: TestResponse | undefined, name: string): number =>
  Number(response?.headers.get(name) ?? Number.NaN);
const limitOf = (response: TestResponse | undefined) => numberIn(response, 'x-ratelimit-limit');
const remainingOf = (response: TestResponse | undefined) => numberIn(response, 'x-ratelimit-remaining');
const resetOf = (response: TestResponse | undefined) => numberIn(response, 'x-ratelimit-reset');
const statuses = (responses: readonly TestResponse[]) => responses.map(({ status }) => status);
const tiny = { key: 'key-tiny' };

test('headers: the limit of a minute, with Remaining down to 0', async () => {
  const responses = await testServer().burst(60, { key: 'key-free' });
  expect(responses.map(limitOf)).toEqual(Array(60).fill(60));
  expect(responses.map(remainingOf)).toEqual(Array.from({ length: 60 }, (_, n) => 59 - n));
  expect(resetOf(responses[0])).toBe(Date.parse('2026-03-01T12:01:00Z') / 1000);
});

test('over the limit -> 429 with an Error, Retry-After, and Remaining 0', async () => {
  const [response] = (await testServer().burst(4, tiny)).slice(-1);
  expect(response?.status).toBe(429);
  expect(response?.json).toMatchObject({ status: 429n, code: 'rate_limited' });
  expect(response?.headers.get('retry-after')).toBe('10');
  expect(remainingOf(response)).toBe(0);
});

test.each([
  ['fixed window', []],
  ['sliding window', [replace('limiter', () => slidingWindow)]],
  ['token bucket', [replace('limiter', () => tokenBucket)]],
])('%s: a request succeeds after Retry-After', async (_kind, patches) => {
  const server = testServer({ patches, now: '2026-03-01T12:00:03.300Z' });
  const refused = (await server.burst(4, tiny)).at(-1);
  const wait = numberIn(refused, 'retry-after');
  server.now += wait * 1000;
  expect(statuses(await server.burst(1, tiny))).toEqual([200]);
  expect(wait).toBeLessThanOrEqual(10);
});

test('daily limit -> enforced, and shown if it is the tighter one', async () => {
  const server = testServer();
  let last: TestResponse | undefined;
  for (let minutes = 0; minutes < 20; minutes += 1) {
    const responses = await server.burst(50, { key: 'key-free' });
    expect(statuses(responses)).toEqual(Array(50).fill(200));
    last = responses.at(-1);
    server.now += 60_000;
  }
  expect([limitOf(last), remainingOf(last)]).toEqual([1000, 0]);
  const [refused] = await server.burst(1, { key: 'key-free' });
  expect(refused?.status).toBe(429);
  expect(resetOf(refused)).toBe(Date.parse('2026-03-02T00:00:00Z') / 1000);
});

test('Remaining above 0 -> the next request succeeds', async () => {
  const server = testServer({ patches: [replace('ban', () => null)] });
  let remaining = 1;
  for (let n = 0; n < 1_500; n += 1) {
    const [response] = await server.burst(1, { key: 'key-free' });
    if (remaining > 0) expect(response?.status).toBe(200);
    remaining = remainingOf(response);
    server.now += 700;
  }
});

test('several windows used up -> waits for the last one to recover', async () => {
  const windows = [3, 3].map((limit, index) => ({ limit, seconds: index === 0 ? 10 : 100 }));
  for (const order of [windows, windows.toReversed()]) {
    const server = testServer({ patches: [replace('windows', () => () => order)] });
    const refused = (await server.burst(4)).at(-1);
    const wait = numberIn(refused, 'retry-after');
    expect(resetOf(refused) * 1000 - server.now).toBe(wait * 1000);
    server.now += wait * 1000;
    expect(statuses(await server.burst(1))).toEqual([200]);
  }
});

test('each key has its own limit', async () => {
  const server = testServer();
  await server.burst(10, tiny);
  expect(statuses(await server.burst(1))).toEqual([200]);
});

test('requests without a valid key share one limited account', async () => {
  const server = testServer();
  expect(limitOf((await server.burst(1, { key: null }))[0])).toBe(10_000);
  expect(remainingOf((await server.burst(1, { key: 'wrong' }))[0])).toBe(9_998);
  await server.burst(9_998, { key: null });
  expect(statuses(await server.burst(1, { key: null }))).toEqual([429]);
  expect(statuses(await server.burst(1))).toEqual([200]);
});

describe('temporary ban', () => {
  test('a key that keeps sending while it must wait -> banned beyond the window, for a minute', async () => {
    const server = testServer();
    const responses = await server.burst(3 + 1 + 40, tiny);
    expect(responses.findIndex(({ text }) => text.includes('"banned"'))).toBe(responses.length - 1);
    expect(responses.at(-1)).toMatchObject({ status: 429, json: { code: 'banned' } });
    expect(numberIn(responses.at(-1), 'retry-after')).toBe(60);
    server.now += 59_000;
    expect(statuses(await server.burst(1, tiny))).toEqual([429]);
    server.now += 1_000;
    expect(statuses(await server.burst(1, tiny))).toEqual([200]);
  });

  test('a key that always waits -> not banned', async () => {
    const server = testServer();
    for (let rounds = 0; rounds < 60; rounds += 1) {
      expect(statuses(await server.burst(4, tiny))).toEqual([200, 200, 200, 429]);
      server.now += 10_000;
    }
  });
});
