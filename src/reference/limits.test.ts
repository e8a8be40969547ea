import { describe, expect, test } from 'vitest';
import { replace } from './patch-kit/core.ts';
import { type TestResponse, testServer } from './testing.ts';

const numberIn = (response: TestResponse | undefined, name: string): number =>
  Number(response?.headers.get(name) ?? Number.NaN);
const limitOf = (response: TestResponse | undefined) => numberIn(response, 'x-ratelimit-limit');
const remainingOf = (response: TestResponse | undefined) => numberIn(response, 'x-ratelimit-remaining');
const resetOf = (response: TestResponse | undefined) => numberIn(response, 'x-ratelimit-reset');
const statuses = (responses: readonly TestResponse[]) => responses.map(({ status }) => status);
const tiny = { key: 'key-tiny' };

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
});
