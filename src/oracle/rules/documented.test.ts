import { expect, test } from 'vitest';
import { causesIn, parsedResponse, type ResponseStub, today } from '../../../test/support/build.ts';
import type { Probe } from '../../finding/probe.ts';
import { anonymous } from '../../http/credentials.ts';
import type { Json } from '../../json/json.ts';
import { readOperations } from '../../openapi/operations.ts';
import { createServerModel } from '../../run/server-model.ts';
import { judge } from '../oracle.ts';

const integer = { schema: { type: 'integer' } };
const root = {
  paths: {
    '/things': {
      get: {
        operationId: 'listPets',
        responses: {
          200: {
            headers: {
              'X-Total': { required: true, ...integer },
              'Set-Cookie': { schema: { type: 'string', pattern: '^[a-z]+=[^,]+$' } },
              'X-RateLimit-Remaining': { required: true, ...integer },
              'X-RateLimit-Limit': integer,
              'X-RateLimit-Reset': integer,
            },
            content: {
              'application/json': { schema: { type: 'array', items: { type: 'string' } } },
              'text/csv; header=present': {},
            },
          },
          204: {},
          409: { content: { 'application/json': { schema: { pattern: '^(.*)-\\1$' } } } },
          404: { content: { 'application/*': { schema: true } } },
          410: {
            content: {
              '*/*': { schema: { type: 'object' } },
              'application/*+json': { schema: { type: 'array' } },
              'application/xml': {},
            },
          },
          500: { content: { 'application/json': { schema: true } } },
          503: { content: { 'application/json': { schema: { required: ['status'] } } } },
          default: { content: { 'application/problem+json': { schema: { required: ['title'] } } } },
        },
      },
    },
  },
};
const document = { title: 'Things', version: '1', operations: readOperations(root), schemas: {}, root };
const [operation = null] = document.operations;

const probe: Probe = {
  request: {
    operation: 'listPets',
    method: 'GET',
    path: '/things',
    query: '',
    headers: [],
    body: null,
    credential: anonymous,
  },
  inputSpace: 'documented',
  expects: [],
  label: '',
};

/** Returns the causes for a conforming response with changes. */
const causesOf = (response: ResponseStub, changes: Partial<Probe> = {}) =>
  causesIn(findingsOf(response, changes));

const findingsOf = (stub: ResponseStub, changes: Partial<Probe> = {}) => {
  const serverModel = createServerModel({
    document,
    store: false,
    plans: { main: null, 'rate-limit': null },
    today: () => today,
  });
  const sent = { ...probe, ...changes };
  const headers = { 'X-Total': '3', ...stub.headers };
  const response = parsedResponse(sent, { json: ['a'], ...stub, headers });
  return judge({ probe: sent, response, operation, serverModel, sequence: 1 });
};

test('documented response -> no breach, also without the animal store’s headers', () => {
  expect(causesOf({})).toEqual([]);
  expect(causesOf({ headers: { 'X-RateLimit-Limit': null, 'X-RateLimit-Reset': null } })).toEqual([]);
});

test('pattern that cannot be tested in bounded time -> inconclusive', () => {
  const response = { status: 409, json: 'a'.repeat(1000) };
  expect(findingsOf(response)).toContainEqual(
    expect.objectContaining({ kind: 'inconclusive', requirement: 'GEN-3' }),
  );
  expect(causesOf(response)).toEqual([]);
});

test('documented media type of the status -> no breach, another one -> breach', () => {
  expect(causesOf({ headers: { 'Content-Type': 'text/csv' }, body: 'a;b' })).toEqual([]);
  expect(causesOf({ headers: { 'Content-Type': 'application/json; charset=utf-8' } })).toEqual([]);
  expect(causesOf({ headers: { 'Content-Type': 'text/html' }, body: '<p>' })).toEqual(['GEN-2: media-type']);
  expect(causesOf({ headers: { 'Content-Type': null }, body: 'a' })).toEqual(['GEN-2: media-type']);
  expect(causesOf({ status: 404, headers: { 'Content-Type': 'application/xml' }, body: '<a/>' })).toEqual([]);
});

test('malformed JSON with the media type of JSON -> breach', () => {
  expect(causesOf({ body: '[1' })).toEqual(['GEN-2: unreadable-body']);
});

test('only JSON media types, empty body -> breach, except for HEAD', () => {
  const headers = { 'Content-Type': 'application/problem+json' };
  expect(causesOf({ status: 400, headers, body: '' })).toEqual(['GEN-2: empty-body']);
  expect(
    causesOf({ status: 400, headers, body: '' }, { request: { ...probe.request, method: 'HEAD' } }),
  ).toEqual([]);
});

test('204 without a body -> no breach', () => {
  expect(causesOf({ status: 204, headers: { 'Content-Type': null }, body: '' })).toEqual([]);
});

test('body -> compared with the schema of its status, otherwise of default', () => {
  expect(causesOf({ json: [1n] })).toEqual(['GEN-3: schema (type /*)']);
  const headers = { 'Content-Type': 'application/problem+json' };
  expect(causesOf({ status: 400, headers, json: { title: 'No' } })).toEqual([]);
  expect(causesOf({ status: 400, headers, json: { code: 'no' } })).toEqual(['GEN-3: schema (required )']);
});

test('JSON body -> compared with the schema of the closest media type range', () => {
  const gone = (type: string, json: Json) =>
    causesOf({ status: 410, headers: { 'Content-Type': type }, json });
  expect(gone('application/json', {})).toEqual([]);
  expect(gone('text/json', [])).toEqual(['GEN-3: schema (type )']);
  expect(gone('application/a+json', [])).toEqual([]);
  expect(gone('application/a+json; v=1', {})).toEqual(['GEN-3: schema (type )']);
  expect(gone('application/xml', [])).toEqual([]);
});

test('default response -> does not apply to proxy statuses or server errors', () => {
  const page = { headers: { 'Content-Type': 'text/html' }, body: '<p>' };
  for (const status of [405, 413, 414, 415, 431]) expect(causesOf({ status, ...page })).toEqual([]);
  expect(causesOf({ status: 502, ...page })).toEqual(['GEN-4: server-error']);
});

test('documented 503 -> no server error, body tested; documented 500 -> server error', () => {
  expect(causesOf({ status: 503, json: { status: 'DOWN' } })).toEqual([]);
  expect(causesOf({ status: 503, json: {} })).toEqual(['GEN-3: schema (required )']);
  expect(causesOf({ status: 500, json: {} })).toEqual(['GEN-4: server-error']);
});

test('default response -> applies to a success only for a documented input', () => {
  const done = { status: 202, headers: { 'Content-Type': 'application/problem+json' }, json: {} };
  expect(causesOf(done)).toEqual(['GEN-3: schema (required )']);
  expect(causesOf(done, { inputSpace: 'undocumented' })).toEqual([]);
});

test('required header missing or with an invalid value -> breach', () => {
  expect(causesOf({ headers: { 'X-Total': null } })).toEqual(['GEN-3: header-missing (X-Total)']);
  expect(causesOf({ headers: { 'X-Total': 'many' } })).toEqual(['GEN-3: header-invalid (X-Total)']);
});

test('several cookies -> each is a value', () => {
  const cookies = (...values: string[]) => values.map((value) => ['Set-Cookie', value] as const);
  expect(causesOf({ lines: cookies('a=1', 'b=2') })).toEqual([]);
  expect(causesOf({ lines: cookies('a=1', 'B=2') })).toEqual(['GEN-3: header-invalid (Set-Cookie)']);
});

test('required rate limit header missing -> breach of RATE-1', () => {
  const causes = causesOf({ headers: { 'X-RateLimit-Remaining': null } });
  expect(causes).toEqual(['RATE-1: header-missing (X-RateLimit-Remaining on 200)']);
});

test('rate limit headers: not whole, contradictory, or past -> breach; Reset in seconds from now -> none', () => {
  expect(causesOf({ headers: { 'X-RateLimit-Remaining': '1001' } })).toEqual([
    'RATE-2: remaining-above-limit',
  ]);
  expect(causesOf({ headers: { 'X-RateLimit-Limit': '1e3' } })).toEqual([
    'RATE-2: header-malformed (X-RateLimit-Limit)',
  ]);
  expect(causesOf({ headers: { 'X-RateLimit-Reset': '30' } })).toEqual([]);
  expect(causesOf({ headers: { 'X-RateLimit-Reset': 'soon' } })).toEqual([
    'RATE-2: header-malformed (X-RateLimit-Reset)',
  ]);
  expect(causesOf({ headers: { 'X-RateLimit-Reset': '1300000000' } })).toEqual(['RATE-2: reset-past']);
});

test('404 for a guessed path -> no breach with any document', () => {
  const { default: _, 404: __, ...responses } = root.paths['/things'].get.responses;
  const other = { paths: { '/things': { get: { responses } } } };
  const [bare = null] = readOperations(other);
  const serverModel = createServerModel({
    document: { ...document, root: other },
    store: false,
    plans: { main: null, 'rate-limit': null },
    today: () => today,
  });
  const causes = (changes: Partial<Probe>) => {
    const sent = { ...probe, ...changes };
    const response = parsedResponse(sent, { status: 404, body: '' });
    return causesIn(judge({ probe: sent, response, operation: bare, serverModel, sequence: 1 }));
  };
  expect(causes({ guessed: true })).toEqual([]);
  expect(causes({})).toEqual(['GEN-1: undocumented-status']);
});
