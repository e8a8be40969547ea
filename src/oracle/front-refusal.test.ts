import { describe, expect, test } from 'vitest';
import {
  causesOf,
  errorOf,
  failedExchangeOf,
  findingsOf,
  now,
  passedIn,
  type ResponseStub,
} from '../../test/support/build.ts';
import { createPetWithBody, getPet, listPets, undocumentedRequest } from '../check/requests.ts';
import type { Probe } from '../finding/probe.ts';
import { anonymous, bearer } from '../http/credentials.ts';
import type { ApiRequest, WireRequest } from '../http/exchange.ts';
import { frontCauses } from './front-refusal.ts';
import { judgeNoResponse } from './oracle.ts';

const page = '<!DOCTYPE html>\n<html><body><h1>Bad Request</h1></body></html>\n';

const withoutRateLimits = {
  'X-RateLimit-Limit': null,
  'X-RateLimit-Remaining': null,
  'X-RateLimit-Reset': null,
} as const;

/** A response of nginx: an HTML page with a Date and without the API's headers. */
const refusal = (status: number): ResponseStub => ({
  status,
  headers: { ...withoutRateLimits, 'Content-Type': 'text/html', 'WWW-Authenticate': null },
  body: page,
});

const expects4xx = {
  requirement: 'GET-3',
  statuses: ['4xx'],
  because: 'petId is not an int64',
  error: true,
} as const;

const pet = (petId: string): Probe => getPet(petId, { inputSpace: 'undocumented', expects: [expects4xx] });
const listWith = (query: string): Probe => {
  const probe = listPets({ inputSpace: 'undocumented' });
  return { ...probe, request: { ...probe.request, query } };
};
const bodyOf = (bytes: number): Probe => createPetWithBody('x'.repeat(bytes), { inputSpace: 'undocumented' });

const causesIn = ({ request, inputSpace }: Probe, changes: Partial<WireRequest & ApiRequest> = {}) => {
  const { method, path, query, body } = { ...request, ...changes };
  const url = `http://localhost/v1${path}${query === '' ? '' : `?${query}`}`;
  const wire = { method, url, headers: [], body, ...changes };
  return frontCauses({ request: { ...request, ...changes }, inputSpace }, wire);
};

describe('request that may be rejected in front of the application', () => {
  test.each([
    ['malformed message', listWith('status=<b>')],
    ['long URI', listWith(`limit=${'1'.repeat(8_000)}`)],
    ['large body', bodyOf(100_001)],
    ['unknown method', undocumentedRequest('FROBNICATE', '/pets')],
    ['control character', pet('1%00')],
    ['control character', pet('1%0Aabc')],
    ['control character', pet('%7f')],
    ['control character', listWith('status=%C2%85')],
    ['malformed percent-encoding', pet('%zz')],
    ['malformed percent-encoding', listWith('limit=%')],
    ['not UTF-8', pet('%FF%FE')],
    ['not UTF-8', listWith('status=%C3')],
    ['encoded slash', pet('1%2F2')],
    ['encoded slash', pet('1%5c2')],
    ['dot segment', pet('..')],
    ['dot segment', pet('%2e%2E')],
    ['dot segment', pet('./1')],
    ['empty segment', pet('/1')],
    ['brackets in a parameter name', listWith('limit%5Bgte%5D=1')],
    ['brackets in a parameter name', listWith('status=sold&limit[]=1')],
  ] as const)('%s', (cause, probe) => {
    expect(causesIn(probe)).toContain(cause);
  });

  test('large header fields in total', () => {
    const headers = ['A', 'B'].map((name) => [name, 'x'.repeat(4_000)] as const);
    expect(causesIn(listPets({}), { headers })).toEqual(['large header fields']);
  });

  test('control character in a header field', () => {
    expect(causesIn(listPets({}), { headers: [['A', 'a\x01']] })).toEqual(['malformed message']);
  });
});

test.each([
  ['an ordinary list', listPets({ limit: 1, status: 'sold' })],
  ['letters', pet('abc')],
  ['marks', pet("1'()*!%27%22%25%3B%3A%3C%7B%5B")],
  ['letters beyond ASCII', pet('%EF%BC%95')],
  ['dots within a segment', pet('1..2')],
  ['a slash in the query', listWith('limit=..%2F..%2Fetc%2Fpasswd')],
  ['brackets in a value', listWith('limit=%5B1%5D')],
  [
    'a parameter of the document with brackets in its name',
    { ...listWith('a%5Bb%5D=1'), inputSpace: 'documented' },
  ],
  ['a URI of nearly 8 kB', listWith(`limit=${'1'.repeat(7_900)}`)],
  ['a body of 100 kB', bodyOf(100_000)],
  ['a method that the resource does not have', undocumentedRequest('DELETE', '/pets/1')],
] as const)('%s -> must reach the application', (_, probe) => {
  expect(causesIn(probe)).toEqual([]);
});

describe('4xx from in front of the application', () => {
  test.each([400, 401, 403, 404, 413, 414, 431])('%i with any body -> no breach', (status) => {
    expect(causesOf(refusal(status), pet('%zz'))).toEqual([]);
  });

  test('check expects any 4xx -> passed', () => {
    expect(passedIn(findingsOf(pet('%zz'), refusal(404)))).toEqual(['GEN-4', 'GET-3']);
  });

  test('check expects another status -> nothing', () => {
    const expects = [{ requirement: 'AUTH-4', statuses: [401], because: 'it has no API key' }];
    const probe = getPet('%zz', { inputSpace: 'undocumented', credential: anonymous, expects });
    expect(causesOf(refusal(400), probe)).toEqual([]);
    expect(passedIn(findingsOf(probe, refusal(400)))).toEqual(['GEN-4']);
  });

  test('long request line, 400 without Date as from gunicorn -> no breach', () => {
    const probe = listWith(`limit=${'1'.repeat(5_000)}`);
    const { headers } = refusal(400);
    const byParser = { ...refusal(400), headers: { ...headers, Date: null, Connection: 'close' } };
    expect(causesOf(byParser, probe)).toEqual([]);
    expect(causesOf(refusal(400), probe)).toContain('ERR-1: no-error-body');
  });
});

describe('all rules apply to', () => {
  const all = ['GEN-2: unreadable-body', 'GET-3: unreadable-body', 'ERR-1: no-error-body'];

  test('a 4xx with a rate limit header', () => {
    for (const [name, value] of [
      ['X-RateLimit-Limit', '1000'],
      ['X-RateLimit-Remaining', '990'],
      ['X-RateLimit-Reset', `${now + 30}`],
    ] as const) {
      const { headers } = refusal(400);
      const causes = causesOf({ ...refusal(400), headers: { ...headers, [name]: value } }, pet('%zz'));
      expect(causes).toEqual(expect.arrayContaining(all));
      expect(causes).toContainEqual(expect.stringMatching(/^RATE-1/));
    }
  });

  test('an Error with the rate limit headers', () => {
    const response = { status: 404, json: errorOf(400) };
    expect(causesOf(response, pet('%zz'))).toEqual(['ERR-2: error-status-differs']);
  });
});

const malformed = (): Probe => {
  const probe = createPetWithBody('{}', { inputSpace: 'undocumented' });
  return { ...probe, request: { ...probe.request, framing: 'malformed chunk size' } };
};
const withLargeHeader = (): Probe => {
  const probe = listPets({ inputSpace: 'unspecified' });
  return { ...probe, request: { ...probe.request, headers: [['A', 'a'.repeat(20_000)]] } };
};

test('malformed message -> 503 of a gateway is not a breach, other server errors are', () => {
  expect(causesOf(refusal(503), malformed())).toEqual([]);
  expect(causesOf(refusal(500), malformed())).toContain('GEN-4: server-error');
  expect(causesOf({ ...refusal(503), headers: {} }, malformed())).toContain('GEN-4: server-error');
  expect(causesOf(refusal(503), listWith('status=<b>'))).toContain('GEN-4: server-error');
});

test('unreadable request -> the connection may be closed, but not time out', () => {
  for (const probe of [malformed(), withLargeHeader()]) {
    expect(judgeNoResponse(probe, failedExchangeOf(probe, 'reset'))).toEqual([]);
    expect(judgeNoResponse(probe, failedExchangeOf(probe, 'timeout'))).toHaveLength(1);
  }
});

test('connection closed -> no breach for a malformed message only', () => {
  expect(judgeNoResponse(listWith('status=<b>'), failedExchangeOf(listWith('status=<b>'), 'reset'))).toEqual(
    [],
  );
  for (const probe of [pet('%zz'), listPets({ credential: bearer('main') })])
    expect(judgeNoResponse(probe, failedExchangeOf(probe, 'reset'))).toHaveLength(1);
  expect(
    judgeNoResponse(listWith('status=<b>'), failedExchangeOf(listWith('status=<b>'), 'timeout')),
  ).toHaveLength(1);
});
