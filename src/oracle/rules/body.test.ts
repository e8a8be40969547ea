import { describe, expect, test } from 'vitest';
import {
  breachesIn,
  causesIn,
  causesOf,
  errorOf,
  findingsOf,
  problemsIn,
  type ResponseStub,
} from '../../../test/support/build.ts';
import { createPet, getPet, listOrders, listPets } from '../../check/requests.ts';
import type { Json } from '../../json/json.ts';

const rex = { id: 7n, name: 'Rex', categoryId: 1n, status: 'sold' };
const created = createPet({ name: 'Rex', categoryId: 1n, status: 'sold' });
const rejected = createPet({}, { inputSpace: 'undocumented' });
const html: ResponseStub = { body: '<h1>Oops</h1>', headers: { 'Content-Type': 'text/html' } };

test('wrong shape with an unexpected status -> breach of GEN-3 only, with an expected status -> of GET-1, too', () => {
  const unknown = { requirement: 'GET-2', statuses: [404], because: 'no animal has that id' };
  const nothing = { json: null };
  expect(causesIn(findingsOf(getPet('7', { expects: [unknown] }), nothing))).toEqual([
    'GET-2: status (404)',
    'GEN-3: schema (type )',
  ]);
  expect(causesIn(findingsOf(getPet('7'), nothing))).toEqual([
    'GEN-3: schema (type )',
    'GET-1: schema (type )',
  ]);
  expect(problemsIn(findingsOf(getPet('7'), nothing))[0]).toMatchObject({
    mistakes: expect.arrayContaining([
      { pointer: '', keyword: 'type', member: null, wanted: ['object'], actual: 'null' },
    ]),
    items: null,
  });
});

describe('GEN-2', () => {
  test.each([
    ['application/json'],
    ['application/json; charset=utf-8'],
    ['application/json;charset="UTF-8"'],
    ['APPLICATION/JSON'],
  ])('JSON with Content-Type %j -> no breach', (value) => {
    expect(causesOf({ headers: { 'Content-Type': value } })).toEqual([]);
  });

  test.each([['text/html'], ['application/problem+json'], ['text/json'], ['application/jsonp'], [null]])(
    'JSON with Content-Type %j -> breach',
    (value) => {
      for (const status of [200, 401, 429])
        expect(causesOf({ status, headers: { 'Content-Type': value } })).toEqual(['GEN-2: media-type']);
    },
  );

  test('HTML with its media type -> the problem has both', () => {
    expect(problemsIn(findingsOf(listPets({}), html))[0]).toMatchObject({
      as: 'page',
      body: { start: '<h1>Oops</h1>' },
      mediaType: 'text/html',
      contentType: 'text/html',
    });
  });

  test.each([
    [
      { body: '[1,]' },
      { why: { code: 'unexpected', expected: 'value', found: ']' }, character: 4, near: '[1,]', at: 3 },
    ],
    [html, { start: '<h1>Oops</h1>' }],
    [{ body: '' }, null],
  ])('no list -> the problem has the facts', (response, body) => {
    const found = breachesIn(findingsOf(listPets({}), response)).find(
      ({ requirement }) => requirement === 'LIST-1',
    );
    expect(found?.problem).toMatchObject({ rule: 'unreadable-body', as: 'documented', body });
  });

  test.each([
    ['a trailing comma', '[1,]'],
    ['NaN', '[NaN]'],
    ['single quotes', "['a']"],
    ['two values', '[] []'],
    ['a byte order mark', '\ufeff[]'],
    ['invalid UTF-8', Uint8Array.of(0x5b, 0x22, 0xc3, 0x22, 0x5d)],
  ])('%s -> not JSON', (_, body) => {
    expect(causesOf({ body })).toContain('GEN-2: unreadable-body');
  });

  test('empty body -> breach, except for a 429', () => {
    expect(causesOf({ body: '' })).toEqual(['GEN-2: empty-body', 'LIST-1: unreadable-body']);
    expect(causesOf({ status: 201, body: '' }, created)).toEqual([
      'GEN-2: empty-body',
      'CREATE-1: unreadable-body',
    ]);
    expect(causesOf({ status: 400, body: '' }, rejected)).toEqual([
      'GEN-2: empty-body',
      'ERR-1: no-error-body',
    ]);
    expect(causesOf({ status: 429, body: '', headers: { 'Content-Type': null } })).toEqual([]);
  });

  test('429 with a body -> must be JSON of any shape', () => {
    for (const json of [[], 'slow down', errorOf(429), { retry: 1n }] satisfies Json[])
      expect(causesOf({ status: 429, json })).toEqual([]);
    expect(causesOf({ status: 429, ...html })).toEqual(['GEN-2: unreadable-body']);
  });

  test('listOrders: no body or any JSON -> no breach, anything else -> breach', () => {
    for (const response of [{ status: 204, body: '' }, { json: { orders: [] } }, { status: 404, json: {} }])
      expect(causesOf(response, listOrders())).toEqual([]);
    expect(causesOf({ body: '', headers: { 'Content-Type': null } }, listOrders())).toEqual([]);
    expect(causesOf(html, listOrders())).toEqual(['GEN-2: unreadable-body']);
    expect(causesOf({ status: 401, body: '' }, listOrders())).toEqual([
      'GEN-2: empty-body',
      'ERR-1: no-error-body',
    ]);
  });

  test('listOrders, undocumented input: HTML with 403 -> no breach', () => {
    const outside = listOrders({ inputSpace: 'undocumented' });
    expect(causesOf({ status: 403, ...html }, outside)).toEqual([]);
    expect(causesOf({ status: 403, ...html }, listOrders())).toEqual(['GEN-2: unreadable-body']);
    expect(causesOf(html, outside)).toEqual(['GEN-2: unreadable-body']);
    expect(causesOf({ status: 404, ...html }, outside)).toEqual(['GEN-2: unreadable-body']);
  });

  test('repeated member names -> observed, no breach', () => {
    const findings = findingsOf(listPets({}), { body: '[{"id":1,"id":2,"name":"x","categoryId":1}]' });
    expect(breachesIn(findings)).toEqual([]);
    expect(findings).toContainEqual(
      expect.objectContaining({
        kind: 'observation',
        requirement: 'GEN-2',
        subject: expect.stringContaining('listPets'),
      }),
    );
  });
});

describe('GEN-3', () => {
  test('several mistakes -> all of them in the problem', () => {
    const [problem] = problemsIn(
      findingsOf(listPets({}), { json: [rex, { id: 'x', name: 1n }, { ...rex, id: 8n, status: 'x' }] }),
    );
    const mistakes = ['/1/id', '/1/name', '/1', '/2/status'].map((pointer) =>
      expect.objectContaining({ pointer }),
    );
    expect(problem).toMatchObject({ items: 3, mistakes: expect.arrayContaining(mistakes) });
  });

  test('same mistake in another item -> same cause', () => {
    const pets = (at: number) =>
      Array.from({ length: 5 }, (_, index) => (index === at ? { ...rex, id: 'x' } : rex));
    expect(new Set([0, 1, 4].map((at) => causesOf({ json: pets(at) })[0]))).toEqual(
      new Set(['GEN-3: schema (type /*/id)']),
    );
  });
});
