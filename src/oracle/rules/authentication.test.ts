import { expect, test } from 'vitest';
import { causesOf, findingsOf, passedIn } from '../../../test/support/build.ts';
import { listPets } from '../../check/requests.ts';

test.each([
  ['Bearer'],
  ['bearer realm="pets"'],
  ['Bearer error="invalid_token", Basic realm="x"'],
  ['Basic realm="x", Bearer realm="pets"'],
  ['ApiKey'],
])('a 401 that carries the challenge %j passes', (value) => {
  const answer = { status: 401, headers: { 'WWW-Authenticate': value } };
  expect(causesOf(answer)).toEqual([]);
  expect(passedIn(findingsOf(listPets({}), answer))).toContain('AUTH-6');
});

test.each([[null], [''], ['"Bearer"'], ['=x'], ['Basic realm="x"'], ['NTLM']])(
  'a 401 with WWW-Authenticate %j carries no challenge that a key can meet',
  (value) => {
    expect(causesOf({ status: 401, headers: { 'WWW-Authenticate': value } })).toEqual([
      value ? 'AUTH-6: header-malformed' : 'AUTH-6: header-missing',
    ]);
  },
);

test('no other status needs a challenge', () => {
  for (const status of [200, 429]) expect(causesOf({ status })).toEqual([]);
});
