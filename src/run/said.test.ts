import { expect, test } from 'vitest';
import { readingOf } from '../../test/support/judging.ts';
import { bearer, lowerCaseBearer } from '../client/credentials.ts';
import { listPets } from './probes.ts';
import { isOfTheKey } from './said.ts';

test.each([
  [bearer('main'), true],
  [lowerCaseBearer, false],
])('$0.label surely shows the limit of the key: $1', (credential, shows) => {
  const probe = listPets({ credential });
  expect(isOfTheKey(readingOf(probe, {}), probe)).toBe(shows);
});
