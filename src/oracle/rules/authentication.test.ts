import { expect, test } from 'vitest';
import { causesOf, findingsOf, passedIn } from '../../../test/support/build.ts';
import { listPets } from '../../check/requests.ts';

test.each([
  ['Bearer'],
  ['bearer realm="pets"'],
  ['Bearer error="invalid_token", Basic realm="x"'],
  ['Basic realm="x", Bearer realm="pets"'],
  ['ApiKey'],
])('401 with challenge %j -> passed', (value) => {
  const response = { status: 401, headers: { 'WWW-Authenticate': value } };
  expect(causesOf(response)).toEqual([]);
  expect(passedIn(findingsOf(listPets({}), response))).toContain('AUTH-6');
});

test.each([[null], [''], ['"Bearer"'], ['=x'], ['Basic realm="x"'], ['NTLM']])(
  '401 with WWW-Authenticate %j -> breach',
  (value) => {
    expect(causesOf({ status: 401, headers: { 'WWW-Authenticate': value } })).toEqual([
      value ? 'AUTH-6: header-malformed' : 'AUTH-6: header-missing',
    ]);
  },
);
