import { describe, expect, test } from 'vitest';
import { type Answer, now, parsedResponse } from '../../test/support/build.ts';
import { CaseSkipped } from '../check/case-skipped.ts';
import type { ApiRequest } from '../http/exchange.ts';
import type { ExchangePipeline } from './exchange-pipeline.ts';
import { probeTarget } from './preflight.ts';

/** A first look at a server that answers so; null: not at all. */
const look = async (answer: (request: ApiRequest) => Answer | null, readOnly = false) => {
  const sent: string[] = [];
  const pipeline: ExchangePipeline = {
    send: async (probe) => {
      sent.push(`${probe.request.method} ${probe.request.path}`);
      const given = answer(probe.request);
      if (given === null) throw new CaseSkipped({ code: 'no-response' });
      return parsedResponse(probe, given);
    },
  };
  const options = { readOnly, largestPage: 100, longestWaitMs: 120_000 };
  return { first: await probeTarget(pipeline, options), sent };
};

const pet = { id: 1n, name: 'Rex', categoryId: 1n };

test('a server that serves is judged, by what it lists', async () => {
  const { first, sent } = await look(({ query }) => ({ json: query === '' ? [] : [pet] }));
  expect(first).toMatchObject({ kind: 'judgeable', listed: [pet] });
  expect(sent).toEqual(['GET /pets', 'GET /pets']);
});

test.each([
  ['every listing', () => 404, true],
  ['one listing', ({ query }: ApiRequest) => (query === '' ? 404 : 200), false],
  ['no listing', () => 500, false],
])('404 to %s tells whether such an API is there', async (_, status, allNotFound) => {
  expect((await look((request) => ({ status: status(request) }))).first).toMatchObject({ allNotFound });
});

describe('a key that is refused', () => {
  test.each([401, 403])('by every operation with %i leaves nothing to judge', async (status) => {
    const { first, sent } = await look(() => ({ status }));
    expect(first).toMatchObject({
      kind: 'refused',
      end: { detail: 'key-refused', statuses: [status] },
    });
    expect(sent).toEqual(['GET /pets', 'GET /store/orders', 'GET /pets/1', 'POST /pets']);
  });

  test('is not tried with a creation by a run that only reads', async () => {
    const { first, sent } = await look(() => ({ status: 401 }), true);
    expect(first.kind).toBe('refused');
    expect(sent.filter((request) => request.startsWith('POST'))).toEqual([]);
  });

  test.each(['GET /store/orders', 'GET /pets/1', 'POST /pets'])('but not by %s is judged', async (served) => {
    const { first } = await look(({ method, path }) =>
      `${method} ${path}` === served ? { status: 400 } : { status: 401 },
    );
    expect(first.kind).toBe('judgeable');
  });
});

test('whatever else a server does, it is judged', async () => {
  for (const answer of [
    { status: 500 },
    { status: 404 },
    { body: '' },
    { status: 429 },
    { json: { items: [] } },
  ])
    expect((await look(() => answer)).first).toMatchObject({ kind: 'judgeable', listed: [] });
});

describe('the plan that the headers speak of', () => {
  const planOf = async (limit: string, ahead: number, headers: Answer['headers'] = {}) => {
    const shown = { 'X-RateLimit-Limit': limit, 'X-RateLimit-Reset': `${now + ahead}`, ...headers };
    const { first } = await look(() => ({ json: [], headers: shown }));
    return first.kind === 'judgeable' ? first.plan : undefined;
  };

  test.each([
    ['60', 30, 'free'],
    ['300', 30, 'pro'],
    ['10000', 30_000, 'pro'],
    ['100000', 30_000, 'business'],
    ['1000', 60, 'business'],
    ['1000', 30_000, 'free'],
    ['61', 30, null],
    ['many', 30, null],
  ])('of a limit of %s that resets in %i s is %s', async (limit, ahead, plan) => {
    expect(await planOf(limit, ahead)).toBe(plan);
  });

  test('of a limit of 1000 is not known without a Date', async () => {
    expect(await planOf('1000', 60, { Date: null })).toBeNull();
  });
});
