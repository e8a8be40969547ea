import { misplacedKeys, noCredential, randomKey } from '../../src/client/credentials.ts';
import type { Credential } from '../../src/client/exchange.ts';
import { memoised } from '../../src/memo/memo.ts';
import type { Expectation } from '../../src/oracle/probe.ts';
import type { Fixtures } from '../../src/run/fixtures.ts';
import type { OperationName } from './operations.ts';

export interface RefusedCase {
  readonly operation: OperationName;
  readonly credential: Credential;
}

export const aRandomKey = randomKey('xyzzy-0123456789-plugh');

/** A request that must be refused with 401. */
export const refused = (requirement: string, because: string): Expectation => ({
  requirement,
  statuses: [401],
  because,
});

/** Which credentials operations were seen to refuse, where nothing else is wrong. */
export const refusals = memoised((_run: Fixtures) => new Set<string>());
export const refusalOf = ({ operation, credential }: RefusedCase): string =>
  `${operation} with ${credential.label}`;

/** What is wrong with a credential that does not count. */
export const wrongWith = (credential: Credential): Expectation => {
  if (credential === noCredential) return refused('AUTH-1', 'it carries no API key');
  return misplacedKeys.includes(credential)
    ? refused('AUTH-3', 'the key counts only as a bearer token, so this is a missing key')
    : refused('AUTH-2', 'its API key is invalid');
};
