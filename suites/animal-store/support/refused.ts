import type { RunContext } from '../../../src/check/run-context.ts';
import { misplacedKeys, noCredential, randomKey } from '../../../src/http/credentials.ts';
import type { Credential } from '../../../src/http/exchange.ts';
import type { Expectation } from '../../../src/oracle/probe.ts';
import { memoized } from '../../../src/util/memoize.ts';
import type { OperationName } from './operations.ts';

export interface RefusedCase {
  readonly operation: OperationName;
  readonly credential: Credential;
}

export const aRandomKey = randomKey('xyzzy-0123456789-plugh');

/** A request that must get 401. */
export const rejectedWith401 = (requirement: string, because: string): Expectation => ({
  requirement,
  statuses: [401],
  because,
});

/** The credentials that each operation rejected in an otherwise valid request. */
export const rejectedCredentials = memoized(
  (_run: RunContext): Readonly<Record<OperationName, Set<Credential>>> => ({
    listPets: new Set(),
    createPet: new Set(),
    getPet: new Set(),
    listOrders: new Set(),
  }),
);

/** The expectation for a credential that must not be accepted. */
export const wrongWith = (credential: Credential): Expectation => {
  if (credential === noCredential) return rejectedWith401('AUTH-1', 'the request has no API key');
  return misplacedKeys.includes(credential)
    ? rejectedWith401('AUTH-3', 'only a bearer token counts as the key')
    : rejectedWith401('AUTH-2', 'the API key is invalid');
};
