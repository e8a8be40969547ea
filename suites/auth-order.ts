import { noCredential } from '../src/client/credentials.ts';
import type { Credential } from '../src/client/exchange.ts';
import type { Expectation } from '../src/oracle/probe.ts';
import type { CaseContext, Check } from '../src/run/check.ts';
import { createPet, createPetOf, getPet, listPets } from '../src/run/probes.ts';
import { ordinaryPet } from './support/animals.ts';
import { withStatus } from './support/new-pet.ts';
import { type OperationName, plainProbe } from './support/operations.ts';
import { aRandomKey, refusalOf, refusals, refused, wrongWith } from './support/refused.ts';

/** What else can be wrong with a request. */
const faultyRequests = {
  'limit above its maximum, and an unknown status': {
    operation: 'listPets',
    probe: (options: Options) =>
      listPets({ limit: '101', status: { raw: 'unknown' }, space: 'outside', ...options }),
  },
  'limit above its maximum': {
    operation: 'listPets',
    probe: (options: Options) => listPets({ limit: '101', space: 'outside', ...options }),
  },
  'unknown status': {
    operation: 'listPets',
    probe: (options: Options) => listPets({ status: { raw: 'unknown' }, space: 'outside', ...options }),
  },
  'limit that is no number': {
    operation: 'listPets',
    probe: (options: Options) => listPets({ limit: 'abc', space: 'outside', ...options }),
  },
  'limit of 0': {
    operation: 'listPets',
    probe: (options: Options) => listPets({ limit: '0', space: 'outside', ...options }),
  },
  'unknown id': { operation: 'getPet', probe: (options: Options) => getPet('8999999999999999999', options) },
  'body without a name, and with invalid values': {
    operation: 'createPet',
    probe: (options: Options) =>
      createPetOf(
        { categoryId: 'x', status: 'x' },
        { space: 'outside', label: 'no name, and invalid values', ...options },
      ),
  },
  'body without a name': {
    operation: 'createPet',
    probe: (options: Options) =>
      createPetOf({ categoryId: 1n }, { space: 'outside', label: 'no name', ...options }),
  },
  'body with an invalid value': {
    operation: 'createPet',
    probe: (options: Options) =>
      createPetOf(
        { name: 'conformance', categoryId: 'x' },
        { space: 'outside', label: 'an invalid categoryId', ...options },
      ),
  },
  'body that is no object': {
    operation: 'createPet',
    probe: (options: Options) => createPet('[]', { space: 'outside', label: 'an array', ...options }),
  },
  'body that is no JSON': {
    operation: 'createPet',
    probe: (options: Options) =>
      createPet('{"name":', { space: 'outside', label: 'malformed JSON', ...options }),
  },
  'no body': {
    operation: 'createPet',
    probe: (options: Options) => createPet('', { space: 'outside', label: 'an empty body', ...options }),
  },
  'petId that is no int64': {
    operation: 'getPet',
    probe: (options: Options) => getPet('abc', { space: 'outside', ...options }),
  },
} as const;

/** Sent only where the two together are not refused for the key. */
const madeOf: Readonly<
  Partial<Record<keyof typeof faultyRequests, readonly (keyof typeof faultyRequests)[]>>
> = {
  'limit above its maximum, and an unknown status': ['limit above its maximum', 'unknown status'],
  'body without a name, and with invalid values': ['body without a name', 'body with an invalid value'],
};
const parts = Object.values(madeOf).flat();

/** Looked at alike whether a key is missing or invalid. */
const onlyKeyless: readonly (keyof typeof faultyRequests)[] = [
  'limit of 0',
  'no body',
  'petId that is no int64',
];

interface Options {
  readonly credential: Credential;
  readonly expects: readonly Expectation[];
}

interface FaultyCase {
  readonly fault: keyof typeof faultyRequests;
  readonly credential: Credential;
}

/** Nothing is wrong but the credential; a creation has every field that there is, unlike those that only look for the refusal. */
const completeProbe: typeof plainProbe = (context, operation, options) => {
  const status = context.fixtures.statuses.at(-1);
  return operation === 'createPet'
    ? createPetOf(ordinaryPet(context, withStatus(status)), options)
    : plainProbe(context, operation, options);
};

/** A refusal means something only where the operation refuses the credential by itself. */
const isRefused = async (context: CaseContext, operation: OperationName, credential: Credential) => {
  const seen = refusals(context.fixtures);
  const refusal = refusalOf({ operation, credential });
  if (seen.has(refusal)) return true;
  // What is not refused once, on a bad day, is asked for again.
  const expects = [wrongWith(credential)];
  const { status } = await context.send(completeProbe(context, operation, { credential, expects }));
  if (status === 401) seen.add(refusal);
  return status === 401;
};

export const authPrecedence: Check<FaultyCase> = {
  name: 'AUTH-4 a refused key is told first, whatever else is wrong',
  gives: ['AUTH-4', 'AUTH-1', 'AUTH-2'],
  phase: 'main',
  keyless: 1,
  readOnlyCost: 0.5,
  examples: (fixtures) => {
    const names = Object.keys(faultyRequests) as (keyof typeof faultyRequests)[];
    const possible = names
      .filter((name) => !parts.includes(name))
      .filter((name) => faultyRequests[name].operation !== 'getPet' || fixtures.removal() === 'before');
    return possible.flatMap((fault) =>
      (onlyKeyless.includes(fault) ? [noCredential] : [noCredential, aRandomKey]).map((credential) => ({
        fault,
        credential,
      })),
    );
  },
  smaller: ({ fault, credential }) => (madeOf[fault] ?? []).map((part) => ({ fault: part, credential })),
  attempt: async ({ fault, credential }, context) => {
    const { operation, probe } = faultyRequests[fault];
    if (!(await isRefused(context, operation, credential)))
      return context.end(`${operation} does not refuse the credential at all`);
    const first = refused('AUTH-4', 'a missing or invalid key is told first, whatever else is wrong');
    // A router may know no such path, and of no key.
    const mayLeadNowhere = fault === 'petId that is no int64';
    const orNowhere = {
      ...first,
      statuses: [401, 404],
      because: `${first.because}; 404 for a path that no route takes`,
    };
    const expects = [mayLeadNowhere ? orNowhere : first];
    await context.send(probe({ credential, expects }));
  },
};
