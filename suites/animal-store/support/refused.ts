import {
  anonymous,
  type Credential,
  otherWrongSchemes,
  randomKey,
  wrongSchemes,
} from '../../../src/check/credentials.ts';
import type { CheckContext, Expectation, RunContext } from '../../../src/check/index.ts';
import { expecting } from '../../../src/check/requests.ts';
import { type OperationName, plainProbe } from './operations.ts';

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

const needed = rejectedWith401('AUTH-1', 'the request has no API key');

/** Operations that reject a request without a key. If one accepts it, a key in another place, or another form of the request, shows nothing. */
const needsKey = ({ state }: Pick<RunContext, 'state'>) => state('needs-key', () => new Set<OperationName>());

/** Returns whether the operation rejects its plain request without a key. */
export const isRejectedWithout = async (
  operation: OperationName,
  context: CheckContext,
): Promise<boolean> => {
  const seen = needsKey(context.run);
  if (seen.has(operation)) return true;
  const probe = plainProbe(context, operation, { credential: anonymous, expects: [needed] });
  if ((await context.send(probe)).status !== 401) return false;
  seen.add(operation);
  return true;
};
