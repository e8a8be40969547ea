import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  breachesIn,
  causesIn,
  causesOf,
  errorOf,
  findingsOf,
  passedIn,
  type ResponseStub,
} from '../../../test/support/build.ts';
import { createPet, getPet, listOrders, listPets } from '../../check/requests.ts';

const rejected = createPet({}, { inputSpace: 'undocumented' });
const html: ResponseStub = { body: '<h1>Oops</h1>', headers: { 'Content-Type': 'text/html' } };

describe('ERR-1', () => {
  test('400, 401 and 404 of any operation, documented or not -> must be an Error', () => {
    for (const status of [400, 401, 404]) {
      for (const probe of [
        listPets({ limit: 'x', inputSpace: 'undocumented' }),
        rejected,
        getPet('x', { inputSpace: 'undocumented' }),
      ]) {
        expect(causesOf({ status, json: errorOf(status) }, probe)).toEqual([]);
        expect(causesOf({ status, json: {} }, probe)).toContain('ERR-1: schema (required )');
        expect(causesOf({ status, body: 'Not Found' }, probe)).toContain('ERR-1: no-error-body');
        expect(causesOf({ status, body: '' }, probe)).toContain('ERR-1: no-error-body');
      }
    }
  });

  test('listOrders -> only its 401 must be an Error', () => {
    expect(causesOf({ status: 400, json: {} }, listOrders())).toEqual([]);
    expect(causesOf({ status: 401, json: {} }, listOrders())).toContain('ERR-1: schema (required )');
  });

  test.each([
    [
      { body: '{"code":"a",}' },
      {
        why: { code: 'unexpected', expected: 'name', found: '}' },
        character: 13,
        start: '{"code":"a",}',
        near: '{"code":"a",}',
        at: 12,
      },
    ],
    [
      { body: '\ufeff{"code":"a"}' },
      { why: { code: 'encoding', encoding: 'byte-order-mark' }, character: null },
    ],
    [html, { start: '<h1>Oops</h1>' }],
    [{ body: '' }, null],
  ])('no Error: %j -> the problem has the facts', (response, body) => {
    const found = breachesIn(findingsOf(rejected, { status: 400, ...response })).find(
      ({ requirement }) => requirement === 'ERR-1',
    );
    expect(found?.problem).toMatchObject({ rule: 'no-error-body', body });
  });

  test('check expects an Error -> its requirement is breached, too', () => {
    const expects = [
      { requirement: 'GET-2', statuses: [404], because: 'it is unknown', error: true as const },
    ];
    const probe = getPet('9', { expects });
    expect(causesOf({ status: 404, json: errorOf(404) }, probe)).toEqual([]);
    expect(causesOf({ status: 404, json: {} }, probe)).toContain('GET-2: schema (required )');
    expect(causesOf({ status: 404, body: '' }, probe)).toContain('GET-2: unreadable-body');
  });
});

describe('ERR-2 and ERR-3', () => {
  test('status in the body -> passed if it is the status of the response', () => {
    fc.assert(
      fc.property(fc.constantFrom(400, 401, 404), fc.integer({ min: 0, max: 999 }), (status, inBody) => {
        const findings = findingsOf(rejected, { status, json: errorOf(inBody) });
        const causes = causesIn(findings).filter((cause) => cause.startsWith('ERR'));
        expect(causes).toEqual(inBody === status ? [] : ['ERR-2: error-status-differs']);
        expect(passedIn(findings).includes('ERR-2')).toBe(inBody === status);
      }),
    );
  });

  test('code -> observed', () => {
    expect(findingsOf(rejected, { status: 400, json: errorOf(400) })).toContainEqual({
      kind: 'observation',
      requirement: 'ERR-3',
      subject: 'code with 400',
      value: 'some_code',
    });
  });

  test('no readable code or status -> no result, and why', () => {
    const unreadable = (detail: string) => ({ code: 'unreadable-response', detail });
    for (const json of [{ code: 1n, message: '', status: '400' }, []]) {
      const findings = findingsOf(rejected, { status: 400, json });
      expect(findings.filter(({ requirement }) => ['ERR-2', 'ERR-3'].includes(requirement))).toEqual([
        { kind: 'inconclusive', requirement: 'ERR-3', reason: unreadable('error-code') },
        { kind: 'inconclusive', requirement: 'ERR-2', reason: unreadable('error-status') },
      ]);
    }
  });
});
