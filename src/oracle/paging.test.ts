import { describe, expect, test } from 'vitest';
import { exchangeOf, parsedResponse } from '../../test/support/build.ts';
import { createPet, listPets } from '../check/requests.ts';
import { isWhole, missingFromPage, moreFollows, pagingHeadersOf } from './paging.ts';

const pets = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: BigInt(index), name: 'Rex', categoryId: 1n }));

/** A list of two animals with these header lines. */
const listWith = (...lines: readonly (readonly [string, string])[]) =>
  parsedResponse(listPets({}), { json: pets(2), lines });

describe('moreFollows', () => {
  test.each([
    ['Link', '</v1/pets?cursor=2>; rel="next"'],
    ['link', '</v1/pets?cursor=2>;rel=next'],
    ['LINK', '<https://a.example/?a=b,c;d>; title="a, b; rel=prev"; REL="NEXT"'],
    ['Link', '</v1/pets>; rel="prev first", </v1/pets?page=3>; rel="last next"'],
    ['Link', '<>; rel = "next"'],
    ['X-Next-Cursor', 'abc'],
    ['Next-Cursor', 'bmV4dA=='],
    ['X-Next-Page', '2'],
    ['Next-Page-Token', 'x'],
    ['X-Continuation-Token', 'x'],
    ['x-ms-continuation', 'x'],
    ['X-Has-More', 'true'],
    ['Content-Range', 'items 0-1/57'],
    ['Content-Range', 'pets 2-3/5'],
    ['X-Total-Count', '3'],
    ['X-Total', '40'],
    ['X-Total-Pages', '2'],
    ['X-Pagination', '{"totalCount":3,"hasNext":true}'],
  ])('%s: %s -> yes', (name, value) => {
    expect(moreFollows(listWith([name, value]))).toBe(true);
    expect(isWhole(listWith([name, value]), 20)).toBe(false);
  });

  test.each([
    ['Link', '</v1/pets>; rel="prev"'],
    ['Link', '</v1/pets?rel=next>; rel=self'],
    ['Link', '</v1/pets>; title="rel=next"; rel="first"'],
    ['Link', '</v1/next>; rel="prev next-archive"'],
    ['X-Next-Cursor', ''],
    ['X-Next-Cursor', 'null'],
    ['X-Next-Page', ''],
    ['X-Prev-Cursor', 'abc'],
    ['X-Has-More', 'false'],
    ['Content-Range', 'items 0-1/2'],
    ['Content-Range', 'items */0'],
    ['X-Total-Count', '2'],
    ['X-Total-Pages', '1'],
    ['X-Pagination', '{"totalCount":2,"hasNext":false,"nextPage":null}'],
    ['X-RateLimit-Remaining', '9'],
    ['X-NextJS-Cache', 'HIT'],
  ])('%s: %s -> no', (name, value) => {
    expect(moreFollows(listWith([name, value]))).toBe(false);
    expect(isWhole(listWith([name, value]), 20)).toBe(true);
  });

  test('header with the page number -> compared with the number of pages', () => {
    expect(moreFollows(listWith(['X-Page', '1'], ['X-Total-Pages', '2']))).toBe(true);
    expect(moreFollows(listWith(['X-Page', '2'], ['X-Total-Pages', '2']))).toBe(false);
  });
});

test('isWhole: fewer animals than the limit and status 200 -> true', () => {
  expect(isWhole(listWith(), 3)).toBe(true);
  expect(isWhole(listWith(), 2)).toBe(false);
  expect(isWhole(parsedResponse(listPets({}), { status: 500, json: [] }), 3)).toBe(false);
  expect(isWhole(parsedResponse(listPets({}), { body: '<html>' }), 3)).toBe(false);
});

test('pagingHeadersOf: repeated headers -> each name once', () => {
  const response = listWith(
    ['Link', '<a>; rel=prev'],
    ['link', '<b>; rel=first'],
    ['X-Total-Count', '2'],
    ['X-Other', '1'],
  );
  expect(pagingHeadersOf(response)).toEqual(['link', 'x-total-count']);
});

const creationOf = (id: bigint) => exchangeOf(createPet({ name: `Rex ${id}` }), { status: 201 });

test('missingFromPage: missing animals -> creations of the first ones, and of listed ones', () => {
  const wanted = [1n, 2n, 3n, 4n, 5n, 6n].map((id, at) => ({ id, at }));
  const found = missingFromPage(
    { wanted, listed: [2n, 9n, 3n], most: 100, status: null },
    { creationsOf: (id) => [creationOf(id)] },
  );
  const bodies = (exchanges: typeof found.origin = []) => exchanges.map(({ request }) => request.body);
  expect(found.problem).toMatchObject({ in: 'page', wanted, listed: [2n, 9n, 3n], most: 100, status: null });
  expect(found.about).toMatchObject({
    kind: 'creation',
    exchange: { request: { body: '{"name":"Rex 1"}' } },
  });
  expect(bodies(found.origin)).toEqual(['{"name":"Rex 1"}', '{"name":"Rex 4"}', '{"name":"Rex 5"}']);
  expect(bodies(found.beside)).toEqual(['{"name":"Rex 2"}', '{"name":"Rex 3"}']);
});
