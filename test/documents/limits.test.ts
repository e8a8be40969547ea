import { expect, test } from 'vitest';
import type { Settings } from '../../src/api/settings.ts';
import { systemClock } from '../../src/time/clock.ts';
import { runOnApi } from '../support/api-run.ts';
import { content } from '../support/small-apis.ts';

const name = { type: 'object', required: ['name'], properties: { name: { type: 'string', maxLength: 20 } } };
const item = {
  ...name,
  required: ['id', 'name'],
  properties: { ...name.properties, id: { type: 'integer' } },
};
const sent = { requestBody: { required: true, ...content(name) } };
const invalid = { description: 'Invalid.' };
const list = {
  get: { responses: { 200: { description: 'All.', ...content({ type: 'array', items: item }) } } },
};
const create = {
  post: { ...sent, responses: { 201: { description: 'Created.', ...content(item) }, 400: invalid } },
};

const document = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    '/reports': { get: { responses: { 200: { description: 'Slow.', ...content({ type: 'object' }) } } } },
    '/hats': { ...list, ...create },
    '/shoes': { ...list, ...create },
    '/login': {
      post: {
        ...sent,
        responses: { 200: { description: 'In.', ...content({ type: 'object' }) }, 400: invalid },
      },
    },
  },
};

const json = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(JSON.stringify(value), {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
  });

const isNamed = (value: unknown): value is { readonly name: string } =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  [...value.name].length <= 20;

/** Tests a shop that allows so many reports in a minute. */
const testShop = async (reports: number, settings: Settings = {}) => {
  const stores = new Map<string, unknown[]>();
  const requests = new Map<string, number>();
  const respond = async (request: Request): Promise<Response> => {
    const path = new URL(request.url).pathname;
    const count = (requests.get(path) ?? 0) + 1;
    requests.set(path, count);
    if (path === '/reports') return count > reports ? json(429, {}, { 'Retry-After': '60' }) : json(200, {});
    const store = stores.get(path) ?? [];
    stores.set(path, store);
    if (request.method === 'GET') return json(200, store);
    const value: unknown = await request.json().catch(() => null);
    if (!isNamed(value)) return json(400, {});
    if (path === '/login') return json(200, { token: 'x' });
    const stored = { id: store.length + 1, name: value.name };
    store.push(stored);
    return json(201, stored);
  };
  const { report } = await runOnApi(document, respond, { seed: 5, ...settings }, systemClock);
  return { report, requests, stored: [stores.get('/hats')?.length, stores.get('/shoes')?.length] };
};

test('a limit of one operation -> the others are tested, and the reason names it', async () => {
  const { report, requests } = await testShop(2);
  // What was sent before the first 429 came, and no more.
  expect(requests.get('/reports')).toBeLessThan(12);
  expect(requests.get('/hats')).toBeGreaterThan(50);
  expect(report.durationMs).toBeLessThan(60_000);
  expect(report.requirements.find(({ id }) => id === 'GEN-1')).toMatchObject({
    verdict: 'inconclusive',
    reason: expect.stringMatching(/rate limit\): the limit of GET \/reports is used up until /),
  });
  expect(report.requirements.find(({ id }) => id === 'RES-4')?.verdict).toBe('passed');
});

test('one operation returns only 429 -> the others are judged', async () => {
  const { report } = await testShop(0);
  expect(report.verdict).toBe('conformant');
  expect(report.requirements.find(({ id }) => id === 'RES-4')?.verdict).toBe('passed');
});

test('maxCreates -> so many of each kind, and none for a POST that creates nothing', async () => {
  const { report, requests, stored } = await testShop(1_000, { maxCreates: 12 });
  // A quarter of the rest is kept for requests that should be refused.
  expect(stored).toEqual([9, 9]);
  expect(report.traffic.created).toBe(18);
  expect(requests.get('/login')).toBeGreaterThan(20);
});
