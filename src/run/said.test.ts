import { expect, test } from 'vitest';
import { readingOf } from '../../test/support/judging.ts';
import { bearer, lowerCaseBearer } from '../client/credentials.ts';
import { listPets } from './probes.ts';
import { isOfTheKey, wholeHeader } from './said.ts';

test.each([
  ['60', 60],
  ['0', 0],
  ['9007199254740991', 2 ** 53 - 1],
  ['9007199254740993', null],
  ['9223372036854775807', null],
  ['1.5', null],
  ['', null],
])('a header of %j is the whole number %s', (text, value) => {
  const reading = readingOf(listPets({}), { headers: { 'X-RateLimit-Limit': text } });
  expect(wholeHeader(reading, 'x-ratelimit-limit')).toBe(value);
});

test.each([
  [bearer('main'), true],
  [lowerCaseBearer, false],
])('$0.label surely shows the limit of the key: $1', (credential, shows) => {
  const probe = listPets({ credential });
  expect(isOfTheKey(readingOf(probe, {}), probe)).toBe(shows);
});
