import fc from 'fast-check';
import {
  anonymous,
  bearerAfterSpaces,
  type Credential,
  invalidKeys,
  keyChangedAt,
  lowerCaseBearer,
  malformedTokens,
  nearMissKeys,
  otherWrongSchemes,
  plausibleInvalidKeys,
  randomKey,
  wrongSchemes,
} from '../../src/check/credentials.ts';
import {
  type ApiResponse,
  type Check,
  type CheckContext,
  type CheckDefinition,
  core,
  createPet,
  defineCheck,
  type Expectation,
  type Header,
  listPets,
  smoke,
} from '../../src/check/index.ts';
import { expecting } from '../../src/check/requests.ts';
import { otherForms } from './auth-bypass.ts';
import { keyInWrongPlace } from './auth-placement.ts';
import { authPrecedence, rarelyAccepted } from './auth-precedence.ts';
import { listAll, ordinaryPet } from './support/animals.ts';
import { distributed, forEachOperation, plainProbe, testedOperations } from './support/operations.ts';
import {
  type RefusedCase,
  rejectedCredentials,
  rejectedWith401,
  unknownKey,
  wrongWith,
} from './support/refused.ts';
import { coreNamed, diagonal, everySecond } from './support/tiers.ts';

const using = (credentials: readonly Credential[]): readonly Pick<RefusedCase, 'credential'>[] =>
  credentials.map((credential) => ({ credential }));

/** AUTH-4 sends the rarely accepted ones. */
const oftenAccepted = (credentials: readonly Credential[]): readonly Credential[] =>
  credentials.filter((credential) => !rarelyAccepted.includes(credential));

/** A check that every operation rejects certain credentials with 401. */
const rejecting = (
  named: Pick<Check, 'id' | 'title' | 'requirement'>,
  because: string,
  cases: Pick<CheckDefinition<RefusedCase>, 'inputs' | 'arbitrary' | 'share'>,
  probeOf: typeof plainProbe = plainProbe,
): Check =>
  defineCheck<RefusedCase>({
    ...named,
    cost: { requests: 1, keyless: 1, readOnly: 0.75 },
    ...cases,
    run: async ({ operation, credential }, context) => {
      const expects = [rejectedWith401(named.requirement, because)];
      const { status } = await context.send(probeOf(context, operation, { credential, expects }));
      if (status === 401) rejectedCredentials(context)[operation].add(credential);
    },
  });

/** Headers that mark a request as internal, or as authenticated, behind a proxy. Any client can send them. */
const internalHeaders: readonly Header[] = [
  ['X-Forwarded-For', '127.0.0.1'],
  ['Forwarded', 'for=127.0.0.1;host=localhost'],
  ['X-Forwarded-Host', 'localhost'],
  ['X-Forwarded-User', 'admin'],
  ['X-Remote-User', 'admin'],
  ['X-Authenticated-User', 'admin'],
  ['X-User-Id', '1'],
  ['If-None-Match', '*'],
  ['X-Real-IP', '127.0.0.1'],
  ['X-Internal-Request', 'true'],
];

/** A list with parameters and internal headers: a server that compares whole URLs misses it. RATE-12 sends the plain list. */
const filteredProbe: typeof plainProbe = (context, operation, options) => {
  const [status] = context.run.statuses;
  if (operation !== 'listPets' || status === undefined) return plainProbe(context, operation, options);
  const probe = listPets({ limit: 1, status, ...options });
  const headers = [...probe.request.headers, ...internalHeaders];
  const label = `${probe.label} and internal headers (X-Forwarded-For: 127.0.0.1)`;
  return { ...probe, label, request: { ...probe.request, headers } };
};

const missingKey = rejecting(
  { id: 'auth-1-no-key', title: 'a request without a key is rejected', requirement: 'AUTH-1' },
  'the request has no API key',
  { inputs: (run) => forEachOperation(run, using([anonymous])).map(smoke) },
  filteredProbe,
);

/** A comparison may ignore one character. AUTH-4 changes those from the start, and `invalidKeys` the first, middle, and last. */
const changedTowardsTheEnd = Array.from({ length: 17 }, (_, index) => keyChangedAt(-2 - index));

/** Servers often refuse an address after three, five, or ten attempts. */
const attempts = 12;

const [changedInARow, changedAlone] = [
  changedTowardsTheEnd.slice(0, attempts),
  changedTowardsTheEnd.slice(attempts),
];

/** Most keys are not longer. For a shorter key, positions continue at its start. */
const mostKeyCharacters = 64;

const token = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~+/'),
  minLength: 8,
  maxLength: 64,
});

const invalidKey = rejecting(
  { id: 'auth-2-invalid-key', title: 'an invalid key is rejected', requirement: 'AUTH-2' },
  'the API key is invalid',
  {
    inputs: (run) => [
      ...everySecond(run, diagonal(run, forEachOperation(run, using(invalidKeys)))),
      // A server that accepts any key accepts those above, too.
      ...forEachOperation(run, using([unknownKey])),
      ...distributed(
        run,
        using([...oftenAccepted([...nearMissKeys, ...plausibleInvalidKeys]), ...changedAlone]),
      ),
    ],
    arbitrary: (run) =>
      fc.record({
        operation: fc.constantFrom(...testedOperations(run)),
        credential: fc.oneof(
          token.map(randomKey),
          fc.nat({ max: mostKeyCharacters - 1 }).map(keyChangedAt),
          fc.constantFrom(...invalidKeys),
        ),
      }),
    share: 0.04,
  },
);

/** The document has no lock-out: the key alone decides. */
const keyAfterInvalidKeys = defineCheck({
  id: 'list-1-after-invalid-keys',
  title: 'a valid key is accepted right after a series of invalid keys',
  requirement: 'LIST-1',
  covers: ['AUTH-2'],
  phase: 'last-exclusive',
  cost: { requests: attempts + 1, keyless: attempts },
  inputs: () => [null],
  run: async (_, context) => {
    const reads = context.run.isChosen('AUTH-2')
      ? testedOperations(context.run).filter((operation) => operation !== 'createPet')
      : ['listPets' as const];
    for (const [index, credential] of changedInARow.entries()) {
      const operation = reads[index % reads.length] ?? 'listPets';
      const expects = [rejectedWith401('AUTH-2', 'the API key is invalid')];
      await context.send(plainProbe(context, operation, { credential, expects }));
    }
    const because = `the key is valid, although ${attempts} requests with invalid keys came before`;
    await context.send(listPets({ limit: 1, expects: [expecting('LIST-1', [200], because)] }));
  },
});

/** A gateway may reject a malformed token with 400, or as an attack. */
const malformedToken = defineCheck<RefusedCase>({
  id: 'auth-2-malformed-tokens',
  title: 'malformed tokens are rejected',
  requirement: 'AUTH-2',
  cost: { requests: 1, keyless: 1, readOnly: 0.75 },
  inputs: (run) =>
    coreNamed(
      distributed(run, using(malformedTokens)),
      [
        'the key and letters beyond ASCII',
        'the key twice, each behind "Bearer"',
        'the token "%"',
        'the token ".*"',
      ],
      ({ credential }) => credential.label,
    ),
  run: async ({ operation, credential }, context) => {
    const because = 'the API key is invalid';
    const expects: readonly Expectation[] = [{ requirement: 'AUTH-2', statuses: ['4xx'], because }];
    const probe = plainProbe(context, operation, { credential, expects });
    await context.send({ ...probe, inputSpace: 'undocumented' });
  },
});

/** The last ones send the key as the user or as the password of Basic. An earlier one sends it as both. */
const [schemes, partsOfBasic] = [wrongSchemes.slice(0, 5), wrongSchemes.slice(5)];

const misplacedKey = rejecting(
  { id: 'auth-3-not-bearer', title: 'a key that is not a bearer token is ignored', requirement: 'AUTH-3' },
  'only a bearer token counts as the key',
  {
    inputs: (run) => [
      ...everySecond(run, diagonal(run, forEachOperation(run, using(schemes)))),
      ...distributed(run, using(partsOfBasic)),
      ...distributed(run, using(oftenAccepted(otherWrongSchemes))),
    ],
    arbitrary: (run) =>
      fc.record({
        operation: fc.constantFrom(...testedOperations(run)),
        credential: fc.constantFrom(...wrongSchemes, ...otherWrongSchemes),
      }),
    share: 0.04,
  },
);

/** Unlike in other checks, the creation has every field. One list shows what several creations stored. */
const rejectionStoresNothing = defineCheck<readonly Credential[]>({
  id: 'auth-5-stores-nothing',
  title: 'a creation that gets 401 stores nothing',
  requirement: 'AUTH-5',
  covers: ['AUTH-1', 'AUTH-2', 'AUTH-3'],
  phase: 'first',
  cost: { requests: 3, keyless: 2, readOnly: 0 },
  inputs: () => [core([anonymous]), [unknownKey, ...invalidKeys.slice(1, 2), ...wrongSchemes.slice(0, 1)]],
  shrink: (credentials) => (credentials.length > 1 ? credentials.map((one) => [one]) : []),
  run: async (credentials, context) => {
    const status = context.run.statuses.at(-1) ?? 'sold';
    const accepted: number[] = [];
    for (const credential of credentials) {
      const pet = ordinaryPet(context, { status });
      const response = await context.send(createPet(pet, { credential, expects: [wrongWith(credential)] }));
      if (response.status !== 401) accepted.push(response.status);
    }
    const [other] = accepted;
    if (other !== undefined && accepted.length === credentials.length)
      return context.skipCase({ code: 'precondition', detail: 'creation', status: other, expected: '401' });
    const { whole } = await listAll(context, status);
    if (whole) context.passed();
    else context.inconclusive({ code: 'list-too-long', detail: 'incomplete' });
  },
});

/** A header parser that does not know the scheme may call the request malformed. A 400 for another reason does not count. */
const isRejected = async ({ status }: ApiResponse, context: CheckContext): Promise<boolean> => {
  if (status === 401 || status === 403) return true;
  return (status === 400 || status === 422) && (await context.send(listPets({}))).status === 200;
};

const schemeNameCase = defineCheck({
  id: 'auth-6-scheme-case',
  title: 'the scheme name is case-insensitive',
  requirement: 'AUTH-6',
  inputs: () => [core(null)],
  run: async (_, context) => {
    const response = await context.send(
      listPets({
        credential: lowerCaseBearer,
        inputSpace: 'unspecified',
        label: 'Authorization: bearer <key>',
      }),
    );
    if (!(await isRejected(response, context))) return context.passed();
    context.breach({ problem: { rule: 'scheme-case-sensitive', wrongStatus: response.status }, response });
  },
});

/** Code that reads the key in two ways may find it only in one of them. Whether the server accepts it is not specified. */
const spacesBeforeKey = defineCheck({
  id: 'gen-4-spaces-before-key',
  title: 'two spaces before the key cause no server error',
  requirement: 'GEN-4',
  inputs: () => [core(null)],
  run: async (_, context) => {
    const label = 'Authorization: Bearer, two spaces, and the key';
    await context.send(listPets({ credential: bearerAfterSpaces, inputSpace: 'unspecified', label }));
  },
});

export const auth: readonly Check[] = [
  missingKey,
  invalidKey,
  keyInWrongPlace,
  otherForms,
  misplacedKey,
  malformedToken,
  authPrecedence,
  rejectionStoresNothing,
  schemeNameCase,
  spacesBeforeKey,
  keyAfterInvalidKeys,
];
