import {
  anonymous,
  type Credential,
  otherWrongSchemes,
  randomKey,
  wrongSchemes,
} from '../../../src/check/credentials.ts';
import type { Expectation, RunContext } from '../../../src/check/index.ts';
import { expecting } from '../../../src/check/requests.ts';
import type { OperationName } from './operations.ts';

export interface RefusedCase {
  readonly operation: OperationName;
  readonly credential: Credential;
}

export const unknownKey = randomKey('xyzzy-0123456789-plugh');

/** A request that must get 401. */
export const rejectedWith401 = (requirement: string, because: string): Expectation =>
  expecting(requirement, [401], because);

/** The credentials that each operation rejected in an otherwise valid request. */
export const rejectedCredentials = ({
  state,
}: Pick<RunContext, 'state'>): Readonly<Record<OperationName, Set<Credential>>> =>
  state('rejected-credentials', () => ({
    listPets: new Set(),
    createPet: new Set(),
    getPet: new Set(),
    listOrders: new Set(),
  }));

/** The expectation for a credential that must not be accepted. */
export const wrongWith = (credential: Credential): Expectation => {
  if (credential === anonymous) return rejectedWith401('AUTH-1', 'the request has no API key');
  return [...wrongSchemes, ...otherWrongSchemes].includes(credential)
    ? rejectedWith401('AUTH-3', 'only a bearer token counts as the key')
    : rejectedWith401('AUTH-2', 'the API key is invalid');
};
