import { expect, test } from 'vitest';
import { parsedResponse } from '../../../test/support/build.ts';
import { listPets } from '../../check/requests.ts';
import { bearer, lowerCaseBearer } from '../../http/credentials.ts';
import { belongsToKey } from './limit-sample.ts';

test.each([
  [bearer('main'), true],
  [lowerCaseBearer, false],
])('$0.label -> belongs to the key: $1', (credential, shows) => {
  const probe = listPets({ credential });
  expect(belongsToKey(parsedResponse(probe, {}), probe)).toBe(shows);
});
