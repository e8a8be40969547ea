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
import type { Json } from '../../json/json.ts';

const refused = createPet({}, { inputSpace: 'undocumented' });
const html: ResponseStub = { body: '<h1>Oops</h1>', headers: { 'Content-Type': 'text/html' } };

describe('ERR-1', () => {
  test.each<[string, Json]>([
    ['no code', { message: 'b', status: 400n }],
    ['a code that is a number', { code: 1n, message: 'b', status: 400n }],
    ['no message', { code: 'a', status: 400n }],
    ['a message of null', { code: 'a', message: null, status: 400n }],
    ['no status', { code: 'a', message: 'b' }],
    ['a status that is a string', { code: 'a', message: 'b', status: '400' }],
    ['an Error within an envelope', { error: errorOf(400) }],
    ['an array', [errorOf(400)]],
    ['a string', 'Bad Request'],
  ])('%s is no Error', (_, json) => {
    const causes = causesOf({ status: 400, json }, refused);
    expect(causes.filter((cause) => cause.startsWith('GEN-3')).length).toBeGreaterThan(0);
    expect(causes.filter((cause) => cause.startsWith('ERR-1')).length).toBeGreaterThan(0);
  });

  test('holds for 400, 401 and 404 of any operation, documented for it or not', () => {
    for (const status of [400, 401, 404]) {
      for (const probe of [
        listPets({ limit: 'x', inputSpace: 'undocumented' }),
        refused,
        getPet('x', { inputSpace: 'undocumented' }),
      ]) {
        expect(causesOf({ status, json: errorOf(status) }, probe)).toEqual([]);
        expect(causesOf({ status, json: {} }, probe)).toContain('ERR-1: schema (required )');
        expect(causesOf({ status, body: 'Not Found' }, probe)).toContain('ERR-1: no-error-body');
        expect(causesOf({ status, body: '' }, probe)).toContain('ERR-1: no-error-body');
      }
    }
  });

  test('of store orders holds for its 401 alone', () => {
    expect(causesOf({ status: 400, json: {} }, listOrders())).toEqual([]);
    expect(causesOf({ status: 401, json: {} }, listOrders())).toContain('ERR-1: schema (required )');
  });

  test.each([
    [
      { body: '{"code":"a",}' },
      {
        why: 'expected a member name in double quotes, got "}"',
        character: 13,
        start: '{"code":"a",}',
        near: '{"code":"a",}',
        at: 12,
      },
    ],
    [{ body: '\ufeff{"code":"a"}' }, { why: 'it holds a byte order mark', character: null }],
    [html, { start: '<h1>Oops</h1>' }],
    [{ body: '' }, null],
  ])('what came in place of it is a fact: %j', (answer, body) => {
    const found = breachesIn(findingsOf(refused, { status: 400, ...answer })).find(
      ({ requirement }) => requirement === 'ERR-1',
    );
    expect(found?.problem).toMatchObject({ rule: 'no-error-body', body });
  });

  test('is breached along with what asks for an Error in this answer', () => {
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
  test('the status in the body is that of the response', () => {
    fc.assert(
      fc.property(fc.constantFrom(400, 401, 404), fc.integer({ min: 0, max: 999 }), (status, said) => {
        const findings = findingsOf(refused, { status, json: errorOf(said) });
        const causes = causesIn(findings).filter((cause) => cause.startsWith('ERR'));
        expect(causes).toEqual(said === status ? [] : ['ERR-2: error-status-differs']);
        expect(passedIn(findings).includes('ERR-2')).toBe(said === status);
      }),
    );
  });

  test('the codes in use are observed', () => {
    expect(findingsOf(refused, { status: 400, json: errorOf(400) })).toContainEqual({
      kind: 'observation',
      requirement: 'ERR-3',
      subject: 'code with 400',
      value: 'some_code',
    });
    const odd = findingsOf(refused, { status: 400, json: { code: 1n, message: '', status: 400n } });
    expect(odd.filter(({ requirement }) => requirement === 'ERR-3')).toEqual([]);
  });
});
