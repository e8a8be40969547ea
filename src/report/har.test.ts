import { expect, test } from 'vitest';
import { fromHar, har } from './har.ts';
import { brokenOutcome, literal, outcomeOf } from './testing.ts';

const log = (text: string) => JSON.parse(text).log;

test('har: every entry -> the members that HAR 1.2 requires', () => {
  const { version, creator, comment, entries } = log(har(brokenOutcome()));
  expect(comment).toMatch(/^\d+ of \d+ requests: /);
  expect(version).toBe('1.2');
  expect(creator).toEqual({ name: expect.any(String), version: expect.any(String) });
  expect(entries.length).toBe(brokenOutcome().exchanges.length);
  for (const entry of entries) {
    expect(entry).toMatchObject({
      startedDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      time: expect.any(Number),
      request: {
        method: expect.any(String),
        url: expect.stringMatching(/^http/),
        httpVersion: expect.any(String),
        cookies: [],
        headers: expect.any(Array),
        queryString: expect.any(Array),
        headersSize: -1,
        bodySize: expect.any(Number),
      },
      response: {
        status: expect.any(Number),
        statusText: expect.any(String),
        httpVersion: expect.any(String),
        cookies: [],
        headers: expect.any(Array),
        content: { size: expect.any(Number), mimeType: expect.any(String) },
        redirectURL: '',
        headersSize: -1,
        bodySize: expect.any(Number),
      },
      cache: {},
      timings: { send: 0, wait: entry.time, receive: 0 },
    });
    for (const { name, value } of [
      ...entry.request.headers,
      ...entry.response.headers,
      ...entry.request.queryString,
    ]) {
      expect([typeof name, typeof value]).toEqual(['string', 'string']);
    }
  }
});

test('har: a query -> its parameters', () => {
  const { entries } = log(har(outcomeOf()));
  expect(entries[0].request.queryString).toEqual([{ name: 'limit', value: '20' }]);
});

test('har: an exchange without a response -> status 0 and the reason', () => {
  const entry = log(har(brokenOutcome())).entries.find(({ _id }: { _id: number }) => _id === 2);
  expect([entry.response.status, entry._error]).toEqual([0, 'connection reset']);
});

test('har: too many bytes -> exchanges with breaches are kept', () => {
  const { entries } = log(har(brokenOutcome(), 12_000));
  const breaches = (list: readonly { _breaches: readonly string[] }[]) =>
    list.filter(({ _breaches }) => _breaches.length > 0).length;
  expect(breaches(entries)).toBe(breaches(log(har(brokenOutcome())).entries));
  expect(entries.length).toBeLessThan(brokenOutcome().exchanges.length);
  expect(entries.map(({ _id }: { _id: number }) => _id)).toEqual(
    entries.map(({ _id }: { _id: number }) => _id).toSorted((a: number, b: number) => a - b),
  );
});

test('fromHar -> the same exchanges', () => {
  expect(fromHar(har(brokenOutcome()))).toEqual(literal(brokenOutcome().exchanges));
});
