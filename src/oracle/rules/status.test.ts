import { describe, expect, test } from 'vitest';
import { causesIn, errorOf, findingsOf, passedIn, serverModelAt } from '../../../test/support/build.ts';
import { createPet, getPet, listOrders, listPets, undocumentedRequest } from '../../check/requests.ts';
import type { Expectation } from '../../finding/probe.ts';

const pet = { id: 7n, name: 'Rex', categoryId: 1n };
const only = (requirement: string, causes: readonly string[]) =>
  causes.filter((cause) => cause.startsWith(`${requirement}:`));

describe('GEN-4', () => {
  test.each([200, 404, 405, 501])('unknown operation: %s -> no breach', (status) => {
    const response = { status, body: '<h1>PUT</h1>', headers: { 'X-RateLimit-Limit': null } };
    expect(causesIn(findingsOf(undocumentedRequest('PUT', '/pets'), response))).toEqual([]);
  });

  test.each([500, 502, 503])('unknown operation: %s -> breach', (status) => {
    expect(causesIn(findingsOf(undocumentedRequest('PUT', '/pets'), { status }))).toEqual([
      'GEN-4: server-error',
    ]);
  });

  test('501 for a documented operation -> breach', () => {
    expect(causesIn(findingsOf(listOrders(), { status: 501 }))).toContain('GEN-4: server-error');
  });

  test('501 for a documented method on another path -> breach', () => {
    expect(causesIn(findingsOf(undocumentedRequest('GET', '/pets/1/photos'), { status: 501 }))).toEqual([
      'GEN-4: server-error',
    ]);
  });

  test('server error of a removed operation -> breach', () => {
    const findings = findingsOf(getPet('1'), { status: 503 }, serverModelAt('2031-01-01'));
    expect(causesIn(findings)).toEqual(['GEN-4: server-error']);
  });
});

describe('GEN-1', () => {
  test.each([
    ['listPets', listPets({}), [200, 401, 429]],
    ['createPet', createPet(pet), [201, 400, 401, 429]],
    ['getPet', getPet('7'), [200, 401, 404, 429]],
  ])('%s: status that is not documented -> breach', (_, probe, documented) => {
    const statuses = Array.from({ length: 300 }, (_each, index) => 200 + index);
    const passing = statuses.filter(
      (status) => only('GEN-1', causesIn(findingsOf(probe, { status }))).length === 0,
    );
    expect(passing).toEqual(documented);
  });

  test.each([405, 413, 414, 415, 422, 431])('undocumented input: %i -> no breach', (status) => {
    for (const inputSpace of ['undocumented', 'unspecified'] as const) {
      const bodies = [{ body: '' }, { body: '<html>', headers: { 'Content-Type': 'text/html' } }];
      for (const body of bodies)
        expect(causesIn(findingsOf(createPet({}, { inputSpace }), { status, ...body }))).toEqual([]);
    }
  });

  test('during a ban: any 4xx -> no breach, server error -> breach', () => {
    const duringBackoff = { ...listPets({}), duringBackoff: true } as const;
    for (const status of [400, 401, 403])
      expect(only('GEN-1', causesIn(findingsOf(duringBackoff, { status })))).toEqual([]);
    expect(only('GEN-1', causesIn(findingsOf(duringBackoff, { status: 503 })))).toHaveLength(1);
  });

  test('listOrders: any status -> no breach', () => {
    for (const status of [200, 204, 301, 400, 403, 418])
      expect(causesIn(findingsOf(listOrders(), { status, json: errorOf(status) }))).toEqual([]);
  });
});

describe('expectation of a check', () => {
  const expectation = (requirement: string, ...statuses: Expectation['statuses']): Expectation => ({
    requirement,
    statuses,
    because: 'the query is valid',
  });

  test('one of its statuses or of the class -> passed, another -> breach', () => {
    const probe = listPets({ expects: [expectation('LIST-5', 200, '4xx')], inputSpace: 'undocumented' });
    for (const status of [200, 400, 418, 499])
      expect(passedIn(findingsOf(probe, { status }))).toContain('LIST-5');
    for (const status of [201, 302, 500, 503])
      expect(causesIn(findingsOf(probe, { status }))).toContain('LIST-5: status (200 or 4xx)');
  });

  test('429 -> nothing', () => {
    const findings = findingsOf(listPets({ expects: [expectation('LIST-4', 200)] }), { status: 429 });
    expect(findings.filter(({ requirement }) => requirement === 'LIST-4')).toEqual([]);
  });

  test('invalid by now: another status -> nothing, its own status -> passed', () => {
    const findingsWith = (isVoid: boolean, status: number) =>
      findingsOf(listPets({ expects: [{ ...expectation('LIST-4', 404), unless: () => isVoid }] }), {
        status,
      });
    expect(causesIn(findingsWith(false, 200))).toContain('LIST-4: status (404)');
    expect(findingsWith(true, 200).filter(({ requirement }) => requirement === 'LIST-4')).toEqual([]);
    expect(passedIn(findingsWith(true, 404))).toContain('LIST-4');
  });
});
