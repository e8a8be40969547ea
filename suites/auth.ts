import fc from 'fast-check';
import {
  deceptiveKeys,
  invalidKeys,
  lowerCaseBearer,
  misplacedKeys,
  nearMisses,
  noCredential,
  oddlyPlacedKeys,
  oddTokens,
  randomKey,
} from '../src/client/credentials.ts';
import type { Credential } from '../src/client/exchange.ts';
import { memoised } from '../src/memo/memo.ts';
import { anyCase, type CaseContext, type Check, type Expectation } from '../src/run/check.ts';
import type { Fixtures } from '../src/run/fixtures.ts';
import { createPet, createPetOf, getPet, listPets } from '../src/run/probes.ts';
import { keyElsewhere } from './auth-places.ts';
import { listAll, ordinaryPet } from './support/animals.ts';
import { withStatus } from './support/new-pet.ts';
import {
  acrossOperations,
  dealtOut,
  judgedOperations,
  type OperationName,
  plainProbe,
} from './support/operations.ts';

interface RefusedCase {
  readonly operation: OperationName;
  readonly credential: Credential;
}

const aRandomKey = randomKey('xyzzy-0123456789-plugh');

const refused = (requirement: string, because: string): Expectation => ({
  requirement,
  statuses: [401],
  because,
});

const as = (credentials: readonly Credential[]): readonly Pick<RefusedCase, 'credential'>[] =>
  credentials.map((credential) => ({ credential }));

/** Which credentials operations were seen to refuse, where nothing else is wrong. */
const refusals = memoised((_run: Fixtures) => new Set<string>());
const refusalOf = ({ operation, credential }: RefusedCase): string => `${operation} with ${credential.label}`;

/** A check that every operation refuses certain credentials with 401. */
const refusing = (
  requirement: string,
  title: string,
  because: string,
  cases: Pick<Check<RefusedCase>, 'examples' | 'arbitrary' | 'share'>,
  probeOf: typeof plainProbe = plainProbe,
): Check<RefusedCase> => ({
  name: `${requirement} ${title}`,
  gives: [requirement],
  phase: 'main',
  keyless: 1,
  ...cases,
  attempt: async ({ operation, credential }, context) => {
    const expects = [refused(requirement, because)];
    const { status } = await context.send(probeOf(context, operation, { credential, expects }));
    if (status === 401) refusals(context.fixtures).add(refusalOf({ operation, credential }));
  },
});

/** A list with parameters: who compares the whole URL overlooks those. The plain one is sent by RATE-12. */
const filteredProbe: typeof plainProbe = (context, operation, options) => {
  const [status] = context.fixtures.statuses;
  return operation === 'listPets' && status !== undefined
    ? listPets({ limit: 1, status, ...options })
    : plainProbe(context, operation, options);
};

export const missingKey = refusing(
  'AUTH-1',
  'a request without a key is refused',
  'it carries no API key',
  { examples: (fixtures) => acrossOperations(fixtures, as([noCredential])) },
  filteredProbe,
);

const token = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~+/'),
  minLength: 8,
  maxLength: 64,
});

export const invalidKey = refusing('AUTH-2', 'an invalid key is refused', 'its API key is invalid', {
  examples: (fixtures) => [
    ...acrossOperations(fixtures, as([...invalidKeys, aRandomKey])),
    ...dealtOut(fixtures, as([...nearMisses, ...deceptiveKeys])),
  ],
  arbitrary: (fixtures) =>
    fc.record({
      operation: fc.constantFrom(...judgedOperations(fixtures)),
      credential: token.map(randomKey),
    }),
  share: 0.12,
});

/** A gateway may refuse what is no token at all with 400, or take it for an attack. */
export const oddToken: Check<RefusedCase> = {
  name: 'AUTH-2 what is hardly a token is refused',
  gives: ['AUTH-2'],
  phase: 'main',
  keyless: 1,
  examples: (fixtures) => dealtOut(fixtures, as(oddTokens)),
  attempt: async ({ operation, credential }, context) => {
    const because = 'its API key is invalid';
    const expects: readonly Expectation[] = [{ requirement: 'AUTH-2', statuses: ['4xx'], because }];
    const probe = plainProbe(context, operation, { credential, expects });
    await context.send({ ...probe, space: 'outside' });
  },
};

export const misplacedKey = refusing(
  'AUTH-3',
  'a key that is no bearer token does not count',
  'the key counts only as a bearer token, so this is a missing key',
  {
    examples: (fixtures) => [
      ...acrossOperations(fixtures, as(misplacedKeys)),
      ...dealtOut(fixtures, as(oddlyPlacedKeys)),
    ],
    arbitrary: (fixtures) =>
      fc.record({
        operation: fc.constantFrom(...judgedOperations(fixtures)),
        credential: fc.constantFrom(...oddlyPlacedKeys),
      }),
    share: 0.08,
  },
);

/** What else can be wrong with a request. */
const faultyRequests = {
  'limit above its maximum, and an unknown status': {
    operation: 'listPets',
    probe: (options: Options) =>
      listPets({ limit: '101', status: { raw: 'unknown' }, space: 'outside', ...options }),
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

/** What is wrong with a credential that does not count. */
const wrongWith = (credential: Credential): Expectation => {
  if (credential === noCredential) return refused('AUTH-1', 'it carries no API key');
  return misplacedKeys.includes(credential)
    ? refused('AUTH-3', 'the key counts only as a bearer token, so this is a missing key')
    : refused('AUTH-2', 'its API key is invalid');
};

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

export const keyComesFirst: Check<FaultyCase> = {
  name: 'AUTH-4 a refused key is told first, whatever else is wrong',
  gives: ['AUTH-4', 'AUTH-1', 'AUTH-2'],
  phase: 'main',
  keyless: 1,
  examples: (fixtures) => {
    const names = Object.keys(faultyRequests) as (keyof typeof faultyRequests)[];
    const possible = names
      .filter((name) => !fixtures.readOnly || !name.includes('body'))
      .filter((name) => faultyRequests[name].operation !== 'getPet' || fixtures.removal() === 'before');
    return possible.flatMap((fault) =>
      (onlyKeyless.includes(fault) ? [noCredential] : [noCredential, aRandomKey]).map((credential) => ({
        fault,
        credential,
      })),
    );
  },
  attempt: async ({ fault, credential }, context) => {
    const { operation, probe } = faultyRequests[fault];
    if (!(await isRefused(context, operation, credential)))
      return context.end(`${operation} does not refuse the credential at all`);
    const first = refused('AUTH-4', 'a missing or invalid key is answered with 401 whatever else is wrong');
    // A router may know no such path, and of no key.
    const mayLeadNowhere = fault === 'petId that is no int64';
    const expects = [mayLeadNowhere ? { ...first, statuses: [...first.statuses, 404] } : first];
    await context.send(probe({ credential, expects }));
  },
};

/** The creation has every field that there is, unlike those that only look for the refusal. */
export const refusalHasNoEffect: Check<Credential> = {
  name: 'AUTH-5 a creation that is refused for its key stores nothing',
  gives: ['AUTH-5', 'AUTH-1', 'AUTH-2', 'AUTH-3'],
  phase: 'whole-list',
  cost: 2,
  keyless: 1,
  readOnlyCost: 0,
  examples: () => [noCredential, aRandomKey, ...invalidKeys.slice(1, 2), ...misplacedKeys.slice(0, 1)],
  attempt: async (credential, context) => {
    const status = context.fixtures.statuses.at(-1) ?? 'sold';
    const pet = ordinaryPet(context, { status });
    const reading = await context.send(createPetOf(pet, { credential, expects: [wrongWith(credential)] }));
    if (reading.status !== 401)
      return context.end(`the creation was answered with ${reading.status}, not refused with 401`);
    const { whole } = await listAll(context, status);
    if (whole) context.met('AUTH-5');
    else context.undecided('AUTH-5', 'the list is longer than one page, so it cannot be seen whole');
  },
};

export const schemeNameCase: Check<null> = {
  name: 'AUTH-6 the scheme name is case-insensitive',
  gives: ['AUTH-6'],
  phase: 'main',
  examples: () => [null],
  attempt: async (_, context) => {
    const reading = await context.send(
      listPets({ credential: lowerCaseBearer, space: 'open', label: 'the scheme name in lower case' }),
    );
    if (reading.status !== 401 && reading.status !== 403) return context.met('AUTH-6');
    context.breach({
      requirement: 'AUTH-6',
      rule: 'scheme name case',
      message:
        'A valid key is refused under the scheme name "bearer": scheme names are case-insensitive (RFC 9110, 11.1).',
      expected: 'the same answer as under "Bearer"',
      actual: `status ${reading.status}`,
      exchange: reading.exchange,
    });
  },
};

export const auth: readonly Check<unknown>[] = [
  anyCase(missingKey),
  anyCase(invalidKey),
  anyCase(keyElsewhere),
  anyCase(misplacedKey),
  anyCase(oddToken),
  anyCase(keyComesFirst),
  anyCase(refusalHasNoEffect),
  anyCase(schemeNameCase),
];
