// Servers that do more, or less, than their documents say, as many frameworks do.
import { expect, test } from 'vitest';
import type { Settings } from '../../src/api/settings.ts';
import { runOnApi } from '../support/api-run.ts';
import { isObject, json, type Members, objectIn } from '../support/small-apis.ts';

const key = 'key-of-the-jobs';
const invalid = {
  description: 'Invalid.',
  content: {
    'application/problem+json': {
      schema: {
        type: 'object',
        required: ['title', 'instance'],
        properties: { title: { type: 'string' }, instance: { type: 'string', format: 'uri' } },
      },
    },
  },
};
const code = { type: 'string', pattern: '[A-Z]{2}[0-9]{4}', example: 'AB1234' };
const job = {
  type: 'object',
  required: ['kind', 'code'],
  properties: {
    kind: { type: 'string', enum: ['import', 'export'] },
    code,
    source: { type: 'string', maxLength: 60 },
    weight: { type: 'integer', minimum: 1, maximum: 9 },
  },
};
const stored = { type: 'object', required: ['id', 'state'], properties: { id: { type: 'integer' } } };
const id = { name: 'jobId', in: 'path', required: true, schema: { type: 'integer' } };
const slot = { name: 'slot', in: 'path', required: true, schema: { type: 'string', maxLength: 8 } };
const document = {
  openapi: '3.1.0',
  info: { title: 'Jobs', version: '1' },
  security: [{ key: [] }],
  paths: {
    '/jobs': {
      get: {
        parameters: [
          { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 50 } },
          { name: 'offset', in: 'query', schema: { type: 'integer', minimum: 0 } },
          { name: 'done', in: 'query', schema: { type: 'boolean' } },
          { name: 'kind', in: 'query', schema: job.properties.kind },
        ],
        responses: {
          200: json({
            type: 'object',
            required: ['jobs'],
            properties: { jobs: { type: 'array', items: stored } },
          }),
          400: invalid,
        },
      },
      post: {
        parameters: [{ name: 'Trace', in: 'header', schema: { type: 'string', maxLength: 12 } }],
        requestBody: { required: true, ...json(job) },
        responses: { 201: json(stored), 400: invalid },
      },
    },
    '/jobs/{jobId}': {
      get: { parameters: [id], responses: { 200: json(stored) } },
      patch: {
        parameters: [id],
        requestBody: {
          required: true,
          ...json({ type: 'object', properties: { weight: job.properties.weight } }),
        },
        responses: { 200: json(stored), 400: invalid },
      },
    },
    '/jobs/{jobId}/stop': { post: { parameters: [id], responses: { 200: json(stored) } } },
    '/jobs/{jobId}/notes/{slot}': {
      put: { parameters: [id, slot], requestBody: json(job), responses: { 204: json({}), 400: invalid } },
    },
    '/copies': {
      post: {
        requestBody: {
          required: true,
          ...json({ type: 'object', required: ['of'], properties: { of: { type: 'integer', minimum: 0 } } }),
        },
        responses: { 201: json(stored), 400: invalid },
      },
    },
  },
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
};

interface Job extends Members {
  readonly id: number;
  readonly state: string;
}

const isOptional = (value: unknown, isValid: (value: unknown) => boolean): boolean =>
  value === undefined || isValid(value);

const isWeight = (value: unknown): boolean =>
  isOptional(value, (each) => Number.isInteger(each) && Number(each) >= 1 && Number(each) <= 9);

/** The pattern must match the whole value, as in Java. */
const isJob = (value: unknown): value is Members =>
  isObject(value) &&
  typeof value.code === 'string' &&
  /^[A-Z]{2}[0-9]{4}$/.test(value.code) &&
  (value.kind === 'import' || value.kind === 'export') &&
  isOptional(value.source, (each) => typeof each === 'string' && [...each].length <= 60) &&
  isWeight(value.weight);

/** What a server with these names does wrong. */
type Mistake =
  | 'open list'
  | 'source always required'
  | 'no copies'
  | 'any page size'
  | 'any weight'
  | 'stop is forbidden'
  | 'every kind';

const jobsServer = (mistakes: readonly Mistake[]) => {
  const has = (mistake: Mistake) => mistakes.includes(mistake);
  const jobs = new Map<number, Job>();
  const refusal = (request: Request, status = 400) =>
    new Response(JSON.stringify({ title: 'Refused', instance: new URL(request.url).pathname }), {
      status,
      headers: { 'Content-Type': 'application/problem+json' },
    });
  const create = (members: Members): Response => {
    const created = { ...members, id: jobs.size + 1, state: 'waiting' };
    jobs.set(created.id, created);
    return Response.json(created, { status: 201 });
  };
  const list = (request: Request): Response => {
    const query = new URL(request.url).searchParams;
    const limit = query.get('limit') ?? '20';
    const offset = query.get('offset') ?? '0';
    const kind = query.get('kind');
    const isWhole = (text: string) => /^\d+$/.test(text);
    const isRead = /^(true|false|0|1|yes|no|on|off|t|f|y|n)$/i.test(query.get('done') ?? 'no');
    if (!isWhole(limit) || limit === '0' || !isWhole(offset) || !isRead) return refusal(request);
    if (kind !== null && kind !== 'import' && kind !== 'export') return refusal(request);
    const size = has('any page size') ? Number(limit) : Math.min(Number(limit), 50);
    const found = [...jobs.values()].filter(
      (each) => kind === null || has('every kind') || each.kind === kind,
    );
    return Response.json({ jobs: found.slice(Number(offset), Number(offset) + size), limit: size });
  };
  const ofJob = async (request: Request, path: string): Promise<Response> => {
    const [, number = '', rest] = /^\/jobs\/([^/]*)(.*)$/.exec(path) ?? [];
    const found = jobs.get(Number(number));
    if (found === undefined || !/^\d+$/.test(number)) return refusal(request, 404);
    if (request.method === 'GET' && rest === '') return Response.json(found);
    if (request.method === 'PUT' && rest?.startsWith('/notes/') === true)
      return isJob(objectIn(await request.text())) ? new Response(null, { status: 204 }) : refusal(request);
    if (request.method === 'PATCH' && rest === '') {
      // As in frameworks that read no body as an empty object.
      const text = await request.text();
      const sent = text === '' ? {} : objectIn(text);
      if (!isObject(sent) || !isWeight(sent.weight)) return refusal(request);
      const changed = { ...found, ...(sent.weight === undefined ? {} : { weight: sent.weight }) };
      jobs.set(found.id, changed);
      return Response.json(changed);
    }
    if (request.method !== 'POST' || rest !== '/stop') return refusal(request, 405);
    if (has('stop is forbidden')) return refusal(request, 403);
    if (found.state === 'stopped') return refusal(request, 409);
    const stopped = { ...found, state: 'stopped' };
    jobs.set(found.id, stopped);
    return Response.json(stopped);
  };
  const post = async (request: Request): Promise<Response> => {
    const sent = objectIn(await request.text());
    const isHeavy = has('any weight') && isObject(sent) && Number(sent.weight) > 9;
    if (!isJob(isHeavy ? { ...sent, weight: 9 } : sent)) return refusal(request);
    if (!isObject(sent)) return refusal(request);
    // Only imports have a source.
    if (sent.source === undefined && (sent.kind === 'import' || has('source always required')))
      return refusal(request);
    if ([...jobs.values()].some((each) => each.code === sent.code)) return refusal(request, 409);
    return create(sent);
  };
  const copy = async (request: Request): Promise<Response> => {
    if (has('no copies')) return refusal(request, 404);
    const sent = objectIn(await request.text());
    if (!isObject(sent) || !Number.isInteger(sent.of) || Number(sent.of) < 0) return refusal(request);
    const original = jobs.get(Number(sent.of));
    return original === undefined ? refusal(request, 404) : create({ ...original });
  };
  return async (request: Request): Promise<Response> => {
    const path = new URL(request.url).pathname;
    const isOpen = has('open list') && request.method === 'GET' && path === '/jobs';
    if (!isOpen && request.headers.get('X-Key') !== key) return refusal(request, 401);
    const route = `${request.method} ${path}`;
    if (route === 'GET /jobs') return list(request);
    if (route === 'POST /jobs') return post(request);
    if (route === 'POST /copies') return copy(request);
    return ofJob(request, path);
  };
};

const judge = (mistakes: readonly Mistake[], settings: Settings = {}) =>
  runOnApi(document, jobsServer(mistakes), { apiKey: key, ...settings });

test('undocumented 401, 404, and 409, clamped pages, pattern of the whole value, a rule of the business -> no failure', async () => {
  expect(await judge([])).toMatchObject({ exitCode: 0, alarms: [], messages: [] });
});

test('undocumented 404 and 409 with strictStatuses -> a failure', async () => {
  expect((await judge([], { strictStatuses: true, runs: 3 })).alarms).toEqual(['GEN-1']);
});

test.each([
  ['open list', 'AUTH-1', 'GET /jobs with no key'],
  ['source always required', 'REQ-1', 'no source'],
  ['no copies', 'GEN-1', 'POST /copies'],
  ['any page size', 'REQ-2', 'GET /jobs with limit: more than 50'],
  ['any weight', 'REQ-2', 'POST /jobs with weight: more than 9'],
  ['stop is forbidden', 'GEN-1', '/stop'],
  ['every kind', 'RES-5', 'GET /jobs'],
] as const)('%s -> %s fails', async (mistake, requirement, about) => {
  const { alarms, messages } = await judge([mistake], { only: [requirement], runs: 3 });
  expect(alarms).toEqual([requirement]);
  expect(messages).toContainEqual(expect.stringContaining(about));
});
