import { anonymous, type Credential } from '../../src/check/credentials.ts';
import {
  type CheckContext,
  core,
  createPet,
  createPetWithBody,
  defineCheck,
  type Expectation,
  getPet,
  type Header,
  listPets,
  type Probe,
  smoke,
} from '../../src/check/index.ts';
import { ordinaryPet } from './support/animals.ts';
import { withStatus } from './support/new-pet.ts';
import { type OperationName, plainProbe } from './support/operations.ts';
import { rejectedCredentials, rejectedWith401, unknownKey, wrongWith } from './support/refused.ts';

/** A creation with a valid body and other headers. */
const creationWith = (label: string, headers: readonly Header[]) => ({
  operation: 'createPet' as const,
  probe: (options: Options) =>
    createPetWithBody('{"name":"conformance","categoryId":1}', {
      inputSpace: 'undocumented',
      label,
      headers,
      ...options,
    }),
});

const ofType = (type: string): Header => ['Content-Type', type];
const onlyImages: Header = ['Accept', 'image/png'];
const unknownCoding: Header = ['Content-Encoding', 'unknown'];

const withHeaders = (probe: Probe, headers: readonly Header[]): Probe => ({
  ...probe,
  request: { ...probe.request, headers: [...headers, ...withoutAccept(probe.request.headers)] },
});

const withoutAccept = (headers: readonly Header[]): readonly Header[] =>
  headers.filter(([name]) => name !== 'Accept');

/** What else can be wrong with a request. */
const faultyRequests = {
  'limit above its maximum, an unknown status, and Accept: image/png': {
    operation: 'listPets',
    probe: (options: Options) =>
      withHeaders(
        listPets({ limit: '101', status: { raw: 'unknown' }, inputSpace: 'undocumented', ...options }),
        [onlyImages],
      ),
  },
  'Accept: image/png': {
    operation: 'listPets',
    probe: (options: Options) =>
      withHeaders(listPets({ inputSpace: 'unspecified', ...options }), [onlyImages]),
  },
  'text/plain in an unknown coding': creationWith('Content-Type: text/plain and Content-Encoding: unknown', [
    ofType('text/plain'),
    unknownCoding,
  ]),
  'text/plain': creationWith('Content-Type: text/plain', [ofType('text/plain')]),
  'an unknown coding': creationWith('Content-Encoding: unknown', [ofType('application/json'), unknownCoding]),
  'no media type': creationWith('no Content-Type', []),
  'form without a name': {
    operation: 'createPet',
    probe: (options: Options) =>
      createPetWithBody('categoryId=x', {
        inputSpace: 'undocumented',
        label: 'a form without a name',
        headers: [ofType('application/x-www-form-urlencoded')],
        ...options,
      }),
  },
  'limit above its maximum': {
    operation: 'listPets',
    probe: (options: Options) => listPets({ limit: '101', inputSpace: 'undocumented', ...options }),
  },
  'unknown status': {
    operation: 'listPets',
    probe: (options: Options) =>
      listPets({ status: { raw: 'unknown' }, inputSpace: 'undocumented', ...options }),
  },
  'limit that is not a number': {
    operation: 'listPets',
    probe: (options: Options) => listPets({ limit: 'abc', inputSpace: 'undocumented', ...options }),
  },
  'limit 0': {
    operation: 'listPets',
    probe: (options: Options) => listPets({ limit: '0', inputSpace: 'undocumented', ...options }),
  },
  'unknown id': { operation: 'getPet', probe: (options: Options) => getPet('8999999999999999999', options) },
  'body without name and with invalid values': {
    operation: 'createPet',
    probe: (options: Options) =>
      createPet(
        { categoryId: 'x', status: 'x' },
        { inputSpace: 'undocumented', label: 'no name, invalid categoryId and status', ...options },
      ),
  },
  'body without name': {
    operation: 'createPet',
    probe: (options: Options) =>
      createPet({ categoryId: 1n }, { inputSpace: 'undocumented', label: 'no name', ...options }),
  },
  'body with an invalid value': {
    operation: 'createPet',
    probe: (options: Options) =>
      createPet(
        { name: 'conformance', categoryId: 'x' },
        { inputSpace: 'undocumented', label: 'invalid categoryId', ...options },
      ),
  },
  'body that is not an object': {
    operation: 'createPet',
    probe: (options: Options) =>
      createPetWithBody('[]', { inputSpace: 'undocumented', label: 'an array', ...options }),
  },
  'body that is malformed JSON': {
    operation: 'createPet',
    probe: (options: Options) =>
      createPetWithBody('{"name":', { inputSpace: 'undocumented', label: 'malformed JSON', ...options }),
  },
  'no body': {
    operation: 'createPet',
    probe: (options: Options) =>
      createPetWithBody('', { inputSpace: 'undocumented', label: 'an empty body', ...options }),
  },
  'petId that is not an int64': {
    operation: 'getPet',
    probe: (options: Options) => getPet('abc', { inputSpace: 'undocumented', ...options }),
  },
} as const;

/** Sent only if the combination does not get 401. */
const madeOf: Readonly<
  Partial<Record<keyof typeof faultyRequests, readonly (keyof typeof faultyRequests)[]>>
> = {
  'limit above its maximum, an unknown status, and Accept: image/png': [
    'limit above its maximum',
    'unknown status',
    'Accept: image/png',
  ],
  'text/plain in an unknown coding': ['text/plain', 'an unknown coding'],
  'body without name and with invalid values': ['body without name', 'body with an invalid value'],
};
const parts = Object.values(madeOf).flat();

/** Servers treat these in the same way with a missing and an invalid key. */
const onlyKeyless: readonly (keyof typeof faultyRequests)[] = [
  'limit 0',
  'no body',
  'petId that is not an int64',
  'text/plain in an unknown coding',
  'form without a name',
  'body that is not an object',
];

/** The same applies to these: one credential is enough. */
const onlyInvalid: readonly (keyof typeof faultyRequests)[] = ['no media type'];

const credentialsFor = (fault: keyof typeof faultyRequests): readonly Credential[] => {
  if (onlyInvalid.includes(fault)) return [unknownKey];
  return onlyKeyless.includes(fault) ? [anonymous] : [anonymous, unknownKey];
};
/** One for each operation whose input is read before the key by naive code. */
const inSmoke: readonly (keyof typeof faultyRequests)[] = [
  'unknown id',
  'body without name and with invalid values',
];

interface Options {
  readonly credential: Credential;
  readonly expects: readonly Expectation[];
}

interface FaultyCase {
  readonly fault: keyof typeof faultyRequests;
  readonly credential: Credential;
}

/** A valid request except for the credential. Unlike in other checks, a creation has every field. */
const completeProbe: typeof plainProbe = (context, operation, options) => {
  const status = context.run.statuses.at(-1);
  return operation === 'createPet'
    ? createPet(ordinaryPet(context, withStatus(status)), options)
    : plainProbe(context, operation, options);
};

/** The test is meaningful only if the operation rejects the credential without other errors. */
const isRejected = async (context: CheckContext, operation: OperationName, credential: Credential) => {
  const seen = rejectedCredentials(context.run)[operation];
  if (seen.has(credential)) return true;
  // A credential that was accepted is tested again: a server may fail for a while.
  const expects = [wrongWith(credential)];
  const { status } = await context.send(completeProbe(context, operation, { credential, expects }));
  if (status === 401) seen.add(credential);
  return status === 401;
};

export const authPrecedence = defineCheck<FaultyCase>({
  id: 'auth-4-precedence',
  title: '401 takes precedence over other errors',
  requirement: 'AUTH-4',
  covers: ['AUTH-1', 'AUTH-2'],
  cost: { requests: 1, keyless: 1, readOnly: 0.5 },
  inputs: (run) => {
    const names = Object.keys(faultyRequests) as (keyof typeof faultyRequests)[];
    const possible = names
      .filter((name) => !parts.includes(name))
      .filter((name) => faultyRequests[name].operation !== 'getPet' || run.removalState() === 'before');
    return possible.flatMap((fault) => {
      const [first = anonymous, ...others] = credentialsFor(fault);
      return [
        (inSmoke.includes(fault) ? smoke : core)({ fault, credential: first }),
        ...others.map((credential) => ({ fault, credential })),
      ];
    });
  },
  shrink: ({ fault, credential }) => (madeOf[fault] ?? []).map((part) => ({ fault: part, credential })),
  run: async ({ fault, credential }, context) => {
    const { operation, probe } = faultyRequests[fault];
    if (!(await isRejected(context, operation, credential)))
      return context.skipCase({ code: 'precondition', detail: 'credential-accepted', operation });
    const first = rejectedWith401('AUTH-4', 'the key must be checked before everything else');
    // A router may have no such path and no access to the key.
    const mayHaveNoRoute = fault === 'petId that is not an int64';
    const or404 = {
      ...first,
      statuses: [401, 404],
      because: `${first.because} (404 is allowed for a path without a route)`,
    };
    const expects = [mayHaveNoRoute ? or404 : first];
    await context.send(probe({ credential, expects }));
  },
});
