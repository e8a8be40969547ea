import { describe, expect, test } from 'vitest';
import {
  causesIn,
  findingsOf,
  passedIn,
  type ResponseStub,
  serverModelAt,
} from '../../../test/support/build.ts';
import { createPet, listPets } from '../../check/requests.ts';

const animal = (id: number) => `{"id":${id},"name":"Rex","categoryId":1,"status":"available"}`;
const cut = (body: string): ResponseStub => ({ body, cutAt: body.length });
const findingsOfCut = (body: string, options: Parameters<typeof listPets>[0] = {}) =>
  findingsOf(listPets(options), cut(body), { ...serverModelAt(), storeSize: 200 });
const ids = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
const listOf = (all: readonly number[]): string => `[${all.map(animal).join(',')},{"id":9`;
const aboutBody = ['GEN-2', 'GEN-3', 'LIST-1', 'LIST-2', 'LIST-3', 'LIST-5', 'LIST-6', 'LIST-9'];

describe('a list cut after complete items', () => {
  test.each<[string, string, Parameters<typeof listPets>[0], string]>([
    ['more than the limit', listOf(ids(3)), { limit: 2 }, 'LIST-3: too-many-items'],
    ['more than the default', listOf(ids(21)), {}, 'LIST-2: too-many-items'],
    ['an id twice', listOf([1, 1]), { limit: 5 }, 'LIST-9: duplicate-id'],
    ['another status', listOf([1]), { limit: 5, status: 'sold' }, 'LIST-6: wrong-filter'],
    ['an item without a name', '[{"id":1,"categoryId":1},{"id', { limit: 5 }, 'GEN-3: schema (required /*)'],
  ])('%s -> failed', (_, body, options, cause) => {
    expect(causesIn(findingsOfCut(body, options))).toContain(cause);
  });

  test('nothing wrong so far -> nothing failed or passed about the body, the reason is given', () => {
    const findings = findingsOfCut(listOf(ids(2)), { limit: 2 });
    expect(causesIn(findings)).toEqual([]);
    expect(passedIn(findings).filter((id) => aboutBody.includes(id))).toEqual([]);
    const reasons = findings.flatMap((finding) => (finding.kind === 'inconclusive' ? [finding.reason] : []));
    expect(reasons.length).toBeGreaterThan(0);
    for (const reason of reasons) expect(reason).toEqual({ code: 'max-body', bytes: listOf(ids(2)).length });
  });
});

test.each<[string, ResponseStub, readonly string[]]>([
  [
    'an object in place of a list',
    cut('{"id":1,"name":"Re'),
    ['GEN-3: schema (type )', 'LIST-1: schema (type )'],
  ],
  [
    'another media type',
    { ...cut('[{"id":1'), headers: { 'Content-Type': 'text/plain' } },
    ['GEN-2: media-type'],
  ],
  ['an undocumented status', { ...cut('[{"id":1'), status: 206 }, ['GEN-1: undocumented-status']],
])('a cut body with %s -> failed', (_, response, causes) => {
  expect(causesIn(findingsOf(listPets({}), response))).toEqual(expect.arrayContaining([...causes]));
});

test('a created animal with a long member, cut -> nothing failed', () => {
  const response = { ...cut('{"id":7,"name":"Rex","categoryId":1,"photo":"xxx'), status: 201 };
  expect(causesIn(findingsOf(createPet({ name: 'Rex', categoryId: 1n }), response))).toEqual([]);
});

test('an Error with a long message, cut -> nothing failed', () => {
  const response = { ...cut('{"code":"x","status":400,"message":"xxx'), status: 400 };
  expect(causesIn(findingsOf(listPets({}), response)).filter((cause) => cause.startsWith('ERR'))).toEqual([]);
});
