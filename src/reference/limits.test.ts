import { describe, expect, test } from 'vitest';
import { slidingWindow, tokenBucket } from './limiter.ts';
import { replace } from './patch-kit/core.ts';
import { type TestAnswer, testServer } from './testing.ts';

const numberIn = (answer: TestAnswer | undefined, name: string): number =>
  Number(answer?.headers.get(name) ?? Number.NaN);
const limitOf = (answer: TestAnswer | undefined) => numberIn(answer, 'x-ratelimit-limit');
const remainingOf = (answer: TestAnswer | undefined) => numberIn(answer, 'x-ratelimit-remaining');
const resetOf = (answer: TestAnswer | undefined) => numberIn(answer, 'x-ratelimit-reset');
const statuses = (answers: readonly TestAnswer[]) => answers.map(({ status }) => status);
const tiny = { key: 'key-tiny' };

test('headers show the minute of the plan, and count down to zero', async () => {
  const answers = await testServer().burst(60, { key: 'key-free' });
  expect(answers.map(limitOf)).toEqual(Array(60).fill(60));
  expect(answers.map(remainingOf)).toEqual(Array.from({ length: 60 }, (_, n) => 59 - n));
  expect(resetOf(answers[0])).toBe(Date.parse('2026-03-01T12:01:00Z') / 1000);
});

test('a request over the limit gets 429 with an Error, Retry-After and nothing remaining', async () => {
  const [answer] = (await testServer().burst(4, tiny)).slice(-1);
  expect(answer?.status).toBe(429);
  expect(answer?.json).toMatchObject({ status: 429n, code: 'rate_limited' });
  expect(answer?.headers.get('retry-after')).toBe('10');
  expect(remainingOf(answer)).toBe(0);
});

test.each([
  ['fixed window', []],
  ['sliding window', [replace('limiter', () => slidingWindow)]],
  ['token bucket', [replace('limiter', () => tokenBucket)]],
])('with a %s, a request is served once Retry-After has passed', async (_kind, patches) => {
  const server = testServer({ patches, now: '2026-03-01T12:00:03.300Z' });
  const refused = (await server.burst(4, tiny)).at(-1);
  const wait = numberIn(refused, 'retry-after');
  server.now += wait * 1000;
  expect(statuses(await server.burst(1, tiny))).toEqual([200]);
  expect(wait).toBeLessThanOrEqual(10);
});

test('the limit of the day holds as well, and is shown when it is the tighter one', async () => {
  const server = testServer();
  let last: TestAnswer | undefined;
  for (let minutes = 0; minutes < 20; minutes += 1) {
    const answers = await server.burst(50, { key: 'key-free' });
    expect(statuses(answers)).toEqual(Array(50).fill(200));
    last = answers.at(-1);
    server.now += 60_000;
  }
  expect([limitOf(last), remainingOf(last)]).toEqual([1000, 0]);
  const [refused] = await server.burst(1, { key: 'key-free' });
  expect(refused?.status).toBe(429);
  expect(resetOf(refused)).toBe(Date.parse('2026-03-02T00:00:00Z') / 1000);
});

test('no request is refused while the answer before it showed one remaining', async () => {
  const server = testServer({ patches: [replace('ban', () => null)] });
  let remaining = 1;
  for (let n = 0; n < 1_500; n += 1) {
    const [answer] = await server.burst(1, { key: 'key-free' });
    if (remaining > 0) expect(answer?.status).toBe(200);
    remaining = remainingOf(answer);
    server.now += 700;
  }
});

test('where several windows are exhausted, the wait is that of the last to recover', async () => {
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

test('one key leaves another key its limit', async () => {
  const server = testServer();
  await server.burst(10, tiny);
  expect(statuses(await server.burst(1))).toEqual([200]);
});

test('requests without a valid key share an account of their own, which is bounded too', async () => {
  const server = testServer();
  expect(limitOf((await server.burst(1, { key: null }))[0])).toBe(10_000);
  expect(remainingOf((await server.burst(1, { key: 'wrong' }))[0])).toBe(9_998);
  await server.burst(9_998, { key: null });
  expect(statuses(await server.burst(1, { key: null }))).toEqual([429]);
  expect(statuses(await server.burst(1))).toEqual([200]);
});

describe('a temporary ban', () => {
  test('meets a key that keeps sending while it is to wait, outlasts the window, and ends', async () => {
    const server = testServer();
    const answers = await server.burst(3 + 1 + 40, tiny);
    expect(answers.findIndex(({ text }) => text.includes('"banned"'))).toBe(answers.length - 1);
    expect(answers.at(-1)).toMatchObject({ status: 429, json: { code: 'banned' } });
    expect(numberIn(answers.at(-1), 'retry-after')).toBe(60);
    server.now += 59_000;
    expect(statuses(await server.burst(1, tiny))).toEqual([429]);
    server.now += 1_000;
    expect(statuses(await server.burst(1, tiny))).toEqual([200]);
  });

  test('does not meet a key that waits each time', async () => {
    const server = testServer();
    for (let rounds = 0; rounds < 60; rounds += 1) {
      expect(statuses(await server.burst(4, tiny))).toEqual([200, 200, 200, 429]);
      server.now += 10_000;
    }
  });
});
