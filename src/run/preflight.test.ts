import { describe, expect, test } from 'vitest';
import { now, parsedResponse, type ResponseStub } from '../../test/support/build.ts';
import { CaseSkipped } from '../check/case-skipped.ts';
import type { ApiRequest } from '../http/exchange.ts';
import type { ExchangePipeline } from './exchange-pipeline.ts';
import { probeTarget } from './preflight.ts';

/** The preflight of a server with these responses; null: no response. */
const preflight = async (respond: (request: ApiRequest) => ResponseStub | null, readOnly = false) => {
  const sent: string[] = [];
  const pipeline: Pick<ExchangePipeline, 'send'> = {
    send: async (probe) => {
      sent.push(`${probe.request.method} ${probe.request.path}`);
      const given = respond(probe.request);
      if (given === null) throw new CaseSkipped({ code: 'no-response' });
      return parsedResponse(probe, given);
    },
  };
  const options = { readOnly, largestPage: 100, longestWaitMs: 120_000 };
  return { first: await probeTarget(pipeline, options), sent };
};

test.each([
  ['every listing', () => 404, true],
  ['one listing', ({ query }: ApiRequest) => (query === '' ? 404 : 200), false],
  ['no listing', () => 500, false],
])('404 to %s -> all lists not found: %3$s', async (_, status, allNotFound) => {
  expect((await preflight((request) => ({ status: status(request) }))).first).toMatchObject({ allNotFound });
});

test.each(['GET /store/orders', 'GET /pets/1', 'POST /pets'])(
  'rejected key accepted by %s -> judgeable',
  async (served) => {
    const { first } = await preflight(({ method, path }) =>
      `${method} ${path}` === served ? { status: 400 } : { status: 401 },
    );
    expect(first.kind).toBe('judgeable');
  },
);

test('any other response -> judgeable', async () => {
  for (const response of [{ status: 500 }, { status: 404 }, { body: '' }, { json: { items: [] } }])
    expect((await preflight(() => response)).first).toMatchObject({ kind: 'judgeable', listed: [] });
});

describe('plan by the rate-limit headers', () => {
  const planOf = async (limit: string, ahead: number, headers: ResponseStub['headers'] = {}) => {
    const shown = { 'X-RateLimit-Limit': limit, 'X-RateLimit-Reset': `${now + ahead}`, ...headers };
    const { first } = await preflight(() => ({ json: [], headers: shown }));
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
  ])('limit %s that resets in %i s -> %s', async (limit, ahead, plan) => {
    expect(await planOf(limit, ahead)).toBe(plan);
  });

  test('limit 1000 without a Date -> unknown', async () => {
    expect(await planOf('1000', 60, { Date: null })).toBeNull();
  });
});

test('429 to everything, also after waits -> refused', async () => {
  const { first } = await preflight(() => ({ status: 429 }));
  expect(first).toMatchObject({ kind: 'refused', end: { detail: 'always-limited' } });
});
