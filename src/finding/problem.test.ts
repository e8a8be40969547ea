import { expect, test } from 'vitest';
import { exchangeOf } from '../../test/support/build.ts';
import { createPet, listPets } from '../check/requests.ts';
import { anonymous } from '../http/credentials.ts';
import { describe } from './describe.ts';
import type { Breach } from './finding.ts';
import type { BrokenBody } from './kinds/body.ts';
import { causeOf, type FactsOf, type Problem, problemKinds, type RuleCode } from './problem.ts';

/** Further examples of rules that have several sentences. */
type Examples = { readonly [R in RuleCode]?: readonly FactsOf<R>[] };

const probe = listPets({ limit: 5 });
const rex = { id: 7n, name: 'Rex', categoryId: 1n, status: 'sold' };
const max = { id: 7n, name: 'Max', categoryId: 1n };
const broken: BrokenBody = {
  why: { code: 'unexpected', expected: 'value', found: ']' },
  character: 4,
  start: '[1,]',
  near: '[1,]',
  at: 3,
};
const oops = '<h1>Oops</h1>';
const htmlPage: BrokenBody = {
  why: { code: 'unexpected', expected: 'value', found: '<' },
  character: 1,
  start: oops,
  near: oops,
  at: 0,
};

const mistake = { pointer: '/1/id', keyword: 'type', member: 'id', wanted: ['int64'], actual: '"x"' };
/** A page that is not full, without some of the animals that were created one after the other. */
const page = (wanted: readonly number[], listed: readonly number[], status: string | null = null) => ({
  in: 'page' as const,
  wanted: wanted.map((id, at) => ({ id: BigInt(id), at })),
  listed: listed.map(BigInt),
  most: 20,
  status,
});

const more: Examples = {
  'invalid-accepted': [{ refused: null, wrongStatus: 200 }],
  'resource-status': [
    { after: 'location', expected: ['2xx'], wrongStatus: 404 },
    { after: 'deletion', expected: [404, 410], wrongStatus: 200 },
  ],
  'resource-value': [{ after: 'creation', member: 'name', expected: 'Rex', got: undefined }],
  'resource-list': [
    { mistake: 'not filtered', about: 'color=red', count: 2 },
    { mistake: 'too many', about: 'limit=1', count: 2 },
    { mistake: 'page repeated', about: 'page=2', count: 1 },
  ],
  'removed-too-early': [{ wrongStatus: 410 }, { statuses: [404, 404, 410], wrongStatus: 410 }],
  'not-served': [
    { id: 7n, known: 'own', wrongStatus: 404 },
    { id: 7n, known: 'created', input: 'an unknown field', wrongStatus: 404 },
    { id: 7n, known: 'listed', wrongStatus: 404 },
    { id: 7n, known: 'requested', wrongStatus: 404 },
  ],
  'empty-body': [{ types: null }, { types: ['application/json', 'text/json'] }],
  'media-type': [
    { types: null, mediaType: 'text/plain', contentType: 'text/plain; a=b' },
    { types: ['application/json'], mediaType: null, contentType: '' },
  ],
  'unreadable-body': [
    { as: 'json', body: broken },
    { as: 'page', body: htmlPage, mediaType: 'text/html', contentType: 'text/html' },
    { as: 'page', body: htmlPage, mediaType: null, contentType: '' },
    { as: 'page', body: htmlPage, mediaType: 'text/plain', contentType: 'text/plain' },
    { as: 'error', body: broken },
    { as: 'documented', body: htmlPage },
  ],
  schema: [
    // Reported once, even if several animals have it.
    { mistakes: ['/1/id', '/2/id'].map((pointer) => ({ ...mistake, pointer })), items: 3 },
    {
      mistakes: ['code', 'message'].map((name) => ({
        ...{ pointer: '', keyword: 'required', member: name },
        ...{ wanted: [`"${name}"`], actual: '{"error":"key"}' },
      })),
      items: null,
    },
    { mistakes: [{ ...mistake, keyword: 'minimum', wanted: ['1'], actual: '0' }], items: null },
  ],
  'id-reused': [
    { by: 'listed', id: 7n },
    { by: 'earlier creation', id: 7n },
    { by: 'concurrent creation', id: 7n },
    { by: 'batch', id: 7n, ids: [6n, 7n, 7n] },
  ],
  'member-differs': [
    { in: 'creation', member: 'name', sent: 'Rex', got: 'Max', isOther: true },
    { in: 'creation', member: 'name', sent: '🐈🐈🐈 and Max', got: '🐈🐈🐈', isOther: false },
    { in: 'creation', member: 'name', sent: 'Rex 🐈', got: 'Rex ', isOther: false },
    { in: 'creation', member: 'name', sent: 'Rex', got: undefined, isOther: false },
    { in: 'creation', member: 'status', sent: 'sold', got: 1n, isOther: false },
    {
      in: 'creation',
      member: 'categoryId',
      sent: 9007199254740993n,
      got: '9007199254740993',
      isOther: false,
    },
    { in: 'creation', member: 'categoryId', sent: 9007199254740993n, got: 9007199254740992n, isOther: false },
    { in: 'categoryId', id: 7n, sent: 9007199254740993n, got: 9007199254740992n },
    { in: 'categoryId', id: null, sent: 3n, got: 4n },
    { in: 'list', member: 'name', id: 7n, was: rex, is: max },
    { in: 'list after creation', member: 'status', id: 7n, was: rex, is: max },
    { in: 'get', member: 'name', id: 7n, was: rex, is: max },
    { in: 'get as created', member: 'name', id: 7n, was: rex, is: max },
    { in: 'get as listed', member: 'name', id: 7n, was: rex, is: max },
    { in: 'get after other requests', member: 'name', id: 7n, was: rex, is: max },
  ],
  'animal-replaced': [
    { id: 7n, isGone: false, was: rex, is: max },
    { id: 7n, isGone: true, was: rex, is: null },
  ],
  'wrong-animal': [
    { requested: 8n, got: 7n, isConcurrent: false },
    { requested: 8n, got: 7n, isConcurrent: true },
  ],
  'too-many-items': [
    { most: 1, why: 'limit', count: 2, isCut: false },
    { most: 20, why: 'default', count: 21, isCut: false },
    { most: 100, why: 'maximum', count: 101, isCut: true },
  ],
  'stored-after-refusal': [
    { status: 401, knownBy: 'name', animal: rex },
    { status: 400, knownBy: 'categoryId', animal: rex },
  ],
  'missing-from-list': [
    page([31], []),
    page([31, 32, 33], [5, 32], 'sold'),
    page([1, 2, 3, 4, 5, 6], []),
    page([1, 2, 3, 4, 5], [4, 5]),
    page([1, 2, 3, 4, 5], [1, 2, 3]),
    page([7, 2, 9, 1], [7, 9]),
    page([7, 2, 9, 1], [2, 1]),
    page([1, 2, 3, 4, 5], [2, 4]),
    page([1, 2, 3], [3]),
    { in: 'list after creation', list: {}, id: 7n, count: 1 },
    { in: 'list after creation', list: { page: 'default' }, id: 7n, count: 0 },
    { in: 'list between', list: { status: 'sold' }, shownBy: 'listPets', id: 7n, count: 2 },
    { in: 'list of large integers', list: { status: 'sold' }, id: 7n, categoryId: 9n, count: 2 },
    { in: 'list of exact limit', list: { status: 'sold' }, id: 7n, wanted: 3, count: 2 },
  ],
  'lists-disagree': [
    { status: 'sold', in: 'filtered', missing: [7n, 8n], count: 2 },
    { status: 'sold', in: 'plain', missing: [7n], count: 2 },
  ],
  'header-missing': [
    { of: 'challenge' },
    { of: 'Retry-After' },
    { of: 'document', name: 'ETag' },
    { of: 'rate limit', missing: ['A'], wanted: ['A', 'B'], misnamed: ['C', 'D'], status: 200 },
  ],
  'header-malformed': [
    { of: 'challenge', value: '"x"', hasScheme: false },
    { of: 'challenge', value: 'Basic', hasScheme: true },
    { of: 'Retry-After', value: 'soon' },
    { of: 'X-RateLimit-Limit', value: '1.5' },
    { of: 'X-RateLimit-Remaining', value: '-1' },
    { of: 'X-RateLimit-Reset', value: '60.5' },
    { of: 'X-RateLimit-Reset', value: 'soon' },
    { of: 'X-RateLimit-Reset', value: 'soon', isOtherApi: true },
  ],
  'reset-past': [
    { reset: '900', now: 1000 },
    { reset: '900', now: null },
  ],
  '429-while-remaining': [
    {
      in: 'any response',
      slot: 'main',
      before: 49,
      sentSince: 8,
      remaining: '',
      first: { request: 7, afterMs: 60 },
    },
    { in: 'window', shownAt: 'start', shown: 60, succeeded: 30 },
  ],
  'counter-stuck': [
    { in: 'rate-limit key', before: 60, after: 60 },
    { in: 'every operation', latest: [{ operation: 'listPets', remaining: 60, limit: 60 }] },
  ],
  'refused-after-wait': [
    { times: 3, retryAfter: '30' },
    { waited: '30', retryAfter: '60', wrongStatus: 429 },
    { waited: '30', retryAfter: null, wrongStatus: 403 },
  ],
  'limit-not-enforced': [
    { in: 'every operation', allowed: 62, served: [{ operation: 'listPets', count: 63 }] },
    { in: 'window', limit: 60, allowed: 62, served: 63 },
    { in: 'Remaining 0', served: 9 },
    { in: 'minute', limit: 60, served: 121, seconds: 30 },
  ],
  'wrong-status-over-limit': [
    { wrongStatus: 503 },
    { dailyLimit: 1000, wrongStatus: 403 },
    { wrongStatus: null },
  ],
  'key-not-bearer': [
    { placement: { place: 'none' } },
    { placement: { place: 'other-key' } },
    { placement: { place: 'malformed' } },
    { placement: { place: 'scheme', name: 'Basic' } },
  ],
  'undocumented-request': [
    { mistake: { part: 'path' } },
    { mistake: { part: 'method' } },
    { mistake: { part: 'parameter', name: 'limit', how: 'repeated' } },
    { mistake: { part: 'value', name: 'limit', value: '0', keyword: 'minimum', wanted: ['1'] } },
    { mistake: { part: 'media-type', mediaType: null } },
    { mistake: { part: 'body', broken: null } },
    { mistake: { part: 'body', broken } },
    { mistake: { part: 'member', name: 'age' } },
    {
      mistake: {
        part: 'schema',
        mistake: { ...mistake, pointer: '/name', keyword: 'type', wanted: ['string'] },
      },
    },
  ],
  'limit-shared': [{ left: null, wrongStatus: 429 }, { requests: 2 }],
};

/** A breach by a response, with the wrong status if the problem is about the status. */
const breachOf = (problem: Problem): Breach => {
  const exchange = exchangeOf(probe, { status: causeOf(problem).wrongStatus ?? 200 });
  return { kind: 'breach', side: 'server', requirement: 'GEN-1', problem, exchange, probe };
};

const cell = (text: string): string => text.replaceAll('\n', ' ↵ ').replaceAll('|', '\\|');

const rowOf = (problem: Problem): string => {
  const { message, expected, actual } = describe(breachOf(problem));
  return `| ${[problem.rule, message, expected, actual].map(cell).join(' | ')} |`;
};

/** Every kind with its own example, and with further ones. */
const problems = (Object.keys(problemKinds) as RuleCode[]).flatMap((rule) =>
  [problemKinds[rule].example, ...(more[rule] ?? [])].map((facts) => ({ rule, ...facts }) as Problem),
);

test('rule codes -> kebab case', () => {
  for (const code of Object.keys(problemKinds)) expect(code).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
});

test('describe: each kind of problem -> the sentences in problem.snapshot.md', async () => {
  const head = ['| rule | message | expected | actual |', '| --- | --- | --- | --- |'];
  const text = ['# Failures in words', '', ...head, ...problems.map(rowOf), ''].join('\n');
  await expect(text).toMatchFileSnapshot('problem.snapshot.md');
});

test('status: a redirect -> its location', () => {
  const headers = { Location: '/v1/pets' };
  const redirected = exchangeOf(probe, { status: 301, headers });
  const problem = { rule: 'status', allowed: [200], because: 'it is valid', wrongStatus: 301 } as const;
  expect(describe({ ...breachOf(problem), exchange: redirected }).actual).toBe(
    'status 301, Location: /v1/pets',
  );
});

test('status: 401 with a valid key -> says that the key is valid; without a key -> does not', () => {
  const problem = { rule: 'status', allowed: [400], because: 'it is invalid', wrongStatus: 401 } as const;
  const messageOf = (sent = probe) => describe({ ...breachOf(problem), probe: sent }).message;
  expect(messageOf()).toContain('got 401, although the key is valid');
  expect(messageOf(listPets({ credential: anonymous }))).toMatch(/got 401$/);
});

test('stored-after-refusal -> names the rejected request', () => {
  const rejected = createPet({ name: 'Rex' }, { label: 'no categoryId' });
  const problem = { rule: 'stored-after-refusal', status: 400, knownBy: 'name', animal: rex } as const;
  const about = { kind: 'probe', probe: rejected } as const;
  expect(describe({ ...breachOf(problem), about }).message).toBe(
    'POST /pets with no categoryId was refused with 400, but its animal was stored',
  );
});

test('a breach without its probe -> the request as it was sent', () => {
  const { probe: _, ...breach } = breachOf({ rule: 'server-error', wrongStatus: 500 });
  expect(describe(breach).message).toBe('GET /pets: server error (500)');
});
