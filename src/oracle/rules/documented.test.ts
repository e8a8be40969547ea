import { expect, test } from 'vitest';
import { causesIn, parsedResponse, type ResponseStub, today } from '../../../test/support/build.ts';
import { anonymous } from '../../http/credentials.ts';
import type { Json } from '../../json/json.ts';
import { readOperations } from '../../openapi/operations.ts';
import { createServerModel } from '../../run/server-model.ts';
import { judge } from '../oracle.ts';
import type { Probe } from '../probe.ts';

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

/** What is wrong with an answer, on top of one that is right. */
const causesOf = (answer: ResponseStub, changes: Partial<Probe> = {}) =>
  causesIn(findingsOf(answer, changes));

const findingsOf = (answer: ResponseStub, changes: Partial<Probe> = {}) => {
  const serverModel = createServerModel({
    document,
    store: false,
    plans: { main: null, 'rate-limit': null },
    today: () => today,
  });
  const sent = { ...probe, ...changes };
  const headers = { 'X-Total': '3', ...answer.headers };
  const response = parsedResponse(sent, { json: ['a'], ...answer, headers });
  return judge({ probe: sent, response, operation, serverModel, sequence: 1 });
};

test('an answer as the document has it breaches nothing, whatever the animal store would say', () => {
  expect(causesOf({})).toEqual([]);
  expect(causesOf({ headers: { 'X-RateLimit-Limit': null, 'X-RateLimit-Reset': null } })).toEqual([]);
});

test('a body with a string for which a pattern cannot be tested in bounded time -> undecided', () => {
  const subject = { status: 409, json: 'a'.repeat(1000) };
  expect(findingsOf(subject)).toContainEqual(
    expect.objectContaining({ kind: 'inconclusive', requirement: 'GEN-3' }),
  );
  expect(causesOf(subject)).toEqual([]);
});

test('any media type that the document gives for the status will do, and no other', () => {
  expect(causesOf({ headers: { 'Content-Type': 'text/csv' }, body: 'a;b' })).toEqual([]);
  expect(causesOf({ headers: { 'Content-Type': 'application/json; charset=utf-8' } })).toEqual([]);
  expect(causesOf({ headers: { 'Content-Type': 'text/html' }, body: '<p>' })).toEqual(['GEN-2: media-type']);
  expect(causesOf({ headers: { 'Content-Type': null }, body: 'a' })).toEqual(['GEN-2: media-type']);
  expect(causesOf({ status: 404, headers: { 'Content-Type': 'application/xml' }, body: '<a/>' })).toEqual([]);
});

test('what is labelled as JSON is JSON', () => {
  expect(causesOf({ body: '[1' })).toEqual(['GEN-2: unreadable-body']);
});

test('where every media type is JSON, a body has to be there', () => {
  const headers = { 'Content-Type': 'application/problem+json' };
  expect(causesOf({ status: 400, headers, body: '' })).toEqual(['GEN-2: empty-body']);
  expect(
    causesOf({ status: 400, headers, body: '' }, { request: { ...probe.request, method: 'HEAD' } }),
  ).toEqual([]);
});

test('204 has no body, and needs none', () => {
  expect(causesOf({ status: 204, headers: { 'Content-Type': null }, body: '' })).toEqual([]);
});

test('a body is judged by the schema of its status, else of default', () => {
  expect(causesOf({ json: [1n] })).toEqual(['GEN-3: schema (type /*)']);
  const headers = { 'Content-Type': 'application/problem+json' };
  expect(causesOf({ status: 400, headers, json: { title: 'No' } })).toEqual([]);
  expect(causesOf({ status: 400, headers, json: { code: 'no' } })).toEqual(['GEN-3: schema (required )']);
});

test('a JSON body is judged by the schema of the closest range of media types', () => {
  const gone = (type: string, json: Json) =>
    causesOf({ status: 410, headers: { 'Content-Type': type }, json });
  expect(gone('application/json', {})).toEqual([]);
  expect(gone('text/json', [])).toEqual(['GEN-3: schema (type )']);
  expect(gone('application/a+json', [])).toEqual([]);
  expect(gone('application/a+json; v=1', {})).toEqual(['GEN-3: schema (type )']);
  expect(gone('application/xml', [])).toEqual([]);
});

test('default does not speak for statuses that come from a proxy, nor for failures', () => {
  const page = { headers: { 'Content-Type': 'text/html' }, body: '<p>' };
  for (const status of [405, 413, 414, 415, 431]) expect(causesOf({ status, ...page })).toEqual([]);
  expect(causesOf({ status: 502, ...page })).toEqual(['GEN-4: server-error']);
});

test('a documented 503 is no failure, and its body is judged; a documented 500 is one', () => {
  expect(causesOf({ status: 503, json: { status: 'DOWN' } })).toEqual([]);
  expect(causesOf({ status: 503, json: {} })).toEqual(['GEN-3: schema (required )']);
  expect(causesOf({ status: 500, json: {} })).toEqual(['GEN-4: server-error']);
});

test('default speaks for a success only where the request keeps to the document', () => {
  const done = { status: 202, headers: { 'Content-Type': 'application/problem+json' }, json: {} };
  expect(causesOf(done)).toEqual(['GEN-3: schema (required )']);
  expect(causesOf(done, { inputSpace: 'undocumented' })).toEqual([]);
});

test('headers that the document requires are there, with values that it allows', () => {
  expect(causesOf({ headers: { 'X-Total': null } })).toEqual(['GEN-3: header-missing (X-Total)']);
  expect(causesOf({ headers: { 'X-Total': 'many' } })).toEqual(['GEN-3: header-invalid (X-Total)']);
});

test('rate limit headers are asked for where the document requires them', () => {
  const causes = causesOf({ headers: { 'X-RateLimit-Remaining': null } });
  expect(causes).toEqual(['RATE-1: header-missing (X-RateLimit-Remaining on 200)']);
});

test('rate limit headers are whole numbers that agree with each other; Reset may count from now', () => {
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

test('404 for what was made up passes with any document', () => {
  const { default: _, 404: __, ...responses } = root.paths['/things'].get.responses;
  const other = { paths: { '/things': { get: { responses } } } };
  const [bare = null] = readOperations(other);
  const serverModel = createServerModel({
    document: { ...document, root: other },
    store: false,
    plans: { main: null, 'rate-limit': null },
    today: () => today,
  });
  const found = (changes: Partial<Probe>) => {
    const sent = { ...probe, ...changes };
    const response = parsedResponse(sent, { status: 404, body: '' });
    return causesIn(judge({ probe: sent, response, operation: bare, serverModel, sequence: 1 }));
  };
  expect(found({ guessed: true })).toEqual([]);
  expect(found({})).toEqual(['GEN-1: undocumented-status']);
});
