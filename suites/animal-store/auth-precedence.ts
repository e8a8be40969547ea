import {
  anonymous,
  type Credential,
  keyChangedAt,
  nearMissKeys,
  otherWrongSchemes,
  plausibleInvalidKeys,
} from '../../src/check/credentials.ts';
import {
  type CheckContext,
  core,
  createPet,
  createPetWithBody,
  defineCheck,
  type Expectation,
  getPet,
  type Header,
  type Inputs,
  listOrders,
  listPets,
  type Probe,
  smoke,
} from '../../src/check/index.ts';
import { inputOf, mapInputs } from '../../src/check/tiers.ts';
import { ordinaryPet } from './support/animals.ts';
import { withStatus } from './support/new-pet.ts';
import { type OperationName, plainProbe } from './support/operations.ts';
import { rejectedCredentials, rejectedWith401, wrongWith } from './support/refused.ts';

/** A part of a request that is wrong: of a query, its headers, its path, or its body. */
interface Defect {
  readonly label: string;
  readonly query?: string;
  readonly headers?: readonly Header[];
  readonly petId?: string;
  readonly body?: string | Uint8Array;
  /** A router may have no such path, and no access to the key. */
  readonly mayHaveNoRoute?: true;
  /** What is wrong, one by one, if there is more. */
  readonly parts?: readonly Defect[];
}

interface FaultyRequest {
  readonly operation: OperationName;
  /** Sent together, and one by one if the request does not get 401. */
  readonly defects: readonly Defect[];
}

interface FaultyCase extends FaultyRequest {
  readonly credential: Credential;
}

const query = (text: string): Defect => ({ label: text, query: text });
const header = (name: string, value: string): Defect => ({
  label: `${name}: ${value}`,
  headers: [[name, value]],
});
const body = (label: string, text: string | Uint8Array): Defect => ({ label, body: text });
const id = (petId: string): Defect => ({ label: `petId ${petId}`, petId });
const noRoute = (petId: string): Defect => ({ ...id(petId), mayHaveNoRoute: true });

const unknownParameter = query('unknown=1');
const onlyImages = header('Accept', 'image/png');
const noMediaType: Defect = { label: 'no Content-Type', headers: [] };
const form: readonly Defect[] = [
  header('Content-Type', 'application/x-www-form-urlencoded'),
  body('no name', 'categoryId=x'),
];

const valid = '"name":"conformance","categoryId":1';
const unknownParts = '"categoryId":1000000001,"id":1,"unknown":1';

/** The name is shorter than what a proxy may refuse for its size. */
const longAndMalformed: Defect = {
  ...body('a name of 90,000 characters, with no end', `{"categoryId":1,"name":"${'a'.repeat(90_000)}`),
  parts: [
    body('a name of 90,000 characters', `{"categoryId":1,"name":"${'a'.repeat(90_000)}"}`),
    body('malformed JSON', '{"name":'),
  ],
};
const unknownAndInvalid: Defect = {
  ...body('a number as name, an unknown category and field, and an id', `{"name":7,${unknownParts}}`),
  parts: [
    body('a number as name', '{"name":7,"categoryId":1}'),
    body('an unknown category and field, and an id', `{"name":"conformance",${unknownParts}}`),
  ],
};

const list = (...defects: readonly Defect[]): FaultyRequest => ({ operation: 'listPets', defects });
const get = (...defects: readonly Defect[]): FaultyRequest => ({ operation: 'getPet', defects });
const orders = (...defects: readonly Defect[]): FaultyRequest => ({ operation: 'listOrders', defects });
const create = (...defects: readonly Defect[]): FaultyRequest => ({ operation: 'createPet', defects });

/** Servers treat a missing key and an invalid one alike: one of both is enough. */
const withoutKey: Inputs<FaultyRequest> = [
  smoke(get(id('8999999999999999999'))),
  smoke(
    create(body('no name, invalid categoryId and status', '{"categoryId":"x","status":"x"}'), onlyImages),
  ),
  core(get(noRoute('abc'))),
  core(get(noRoute('9223372036854775808'), unknownParameter)),
  get(noRoute('-1')),
];
/** With credentials that few servers accept. A server that does sends another status than 401, too. */
const withRareCredential: readonly (FaultyRequest & { readonly credentialLabel: string })[] = [
  {
    ...list(query('limit=101'), query('status=unknown'), unknownParameter, onlyImages),
    credentialLabel: 'the key without its first character',
  },
  {
    ...create(header('Content-Type', 'text/plain'), header('Content-Encoding', 'unknown')),
    credentialLabel: 'the valid key right behind "Bearer", with no space',
  },
  { ...list(query('limit=-1'), query('status=')), credentialLabel: 'the key with a hyphen in its middle' },
  { ...create(...form), credentialLabel: 'the valid key under the scheme Bearers' },
  {
    ...list(query('limit=abc'), header('Accept', 'application/xml')),
    credentialLabel: 'an empty Authorization header',
  },
  { ...create(body('an array', '[]')), credentialLabel: 'the valid key under the scheme XBearer' },
  { ...create(body('an empty body', '')), credentialLabel: 'the key, then an equals sign' },
  { ...create(body('null', 'null')), credentialLabel: 'the key with two of its characters exchanged' },
  { ...orders(unknownParameter, onlyImages), credentialLabel: 'the valid key in the header X-API-Key' },
  { ...create(noMediaType), credentialLabel: 'an unsigned JWT' },
  { ...create(longAndMalformed), credentialLabel: 'the token "constructor"' },
  {
    ...create(unknownAndInvalid, unknownParameter),
    credentialLabel: 'the valid key under the scheme JWT',
  },
];

const rareCases: readonly FaultyCase[] = withRareCredential.map(({ credentialLabel, ...faulty }) => {
  const credential = [...nearMissKeys, ...otherWrongSchemes, ...plausibleInvalidKeys].find(
    ({ label }) => label === credentialLabel,
  );
  if (credential === undefined) throw new Error(`No credential is labelled ${credentialLabel}.`);
  return { ...faulty, credential };
});

/** The checks of AUTH-2 and AUTH-3 send none of these. */
export const rarelyAccepted: readonly Credential[] = rareCases.map(({ credential }) => credential);

/** As many as a key has characters that other checks do not change. */
const withInvalidKey: Inputs<FaultyRequest> = [
  list(query('limit=0'), query('status=AVAILABLE'), header('Accept', 'text/html')),
  list(query('limit='), query('limit=1.5')),
  get(id('0'), onlyImages),
  core(
    create(
      header('Content-Type', 'application/json; charset=utf-16'),
      body('not UTF-8', Uint8Array.of(...Buffer.from(`{${valid},"x":"`), 0xff, 0x22, 0x7d)),
    ),
  ),
  core(create(header('Content-Type', 'multipart/form-data'), header('Content-Encoding', 'gzip'))),
  core(create(header('Content-Type', 'application/xml'), body('XML that does not end', '<pet'))),
];

const labelOf = (defects: readonly Defect[]): string => defects.map(({ label }) => label).join(', ');

const isAccept = ([name]: Header): boolean => name === 'Accept';

/** The request without its query, and with the usual headers. */
const bareProbe = (
  { operation, defects }: FaultyRequest,
  options: Pick<Probe, 'expects' | 'inputSpace' | 'label'> & Pick<FaultyCase, 'credential'>,
): Probe => {
  const petId = defects.find((defect) => defect.petId !== undefined)?.petId ?? '1';
  const text = defects.find((defect) => defect.body !== undefined)?.body ?? `{${valid}}`;
  const isTyped = defects.every(({ headers = [['Accept', '']] }) => headers.some(isAccept));
  switch (operation) {
    case 'listPets':
      return listPets(options);
    case 'getPet':
      return getPet(petId, options);
    case 'listOrders':
      return listOrders(options);
    case 'createPet':
      return createPetWithBody(text, isTyped ? options : { ...options, headers: [] });
  }
};

const probeOf = ({ credential, ...faulty }: FaultyCase, expects: readonly Expectation[]): Probe => {
  const { defects } = faulty;
  const options = { credential, expects, inputSpace: 'undocumented', label: labelOf(defects) } as const;
  // What a list has to show is not asked of one that must not come.
  const { request, listing: _, ...probe } = bareProbe(faulty, options);
  const headers = defects.flatMap((defect) => defect.headers ?? []);
  const others = request.headers.filter((each) => !(isAccept(each) && headers.some(isAccept)));
  const query = defects.flatMap((defect) => defect.query ?? []).join('&');
  return { ...probe, request: { ...request, query, headers: [...headers, ...others] } };
};

/** A valid request except for the credential. Unlike in other checks, a creation has every field. */
const completeProbe: typeof plainProbe = (context, operation, options) => {
  const status = context.run.statuses.at(-1);
  return operation === 'createPet'
    ? createPet(ordinaryPet(context, withStatus(status)), options)
    : plainProbe(context, operation, options);
};

/** The test is meaningful only if the operation rejects the credential without other errors. */
const isRejected = async (context: CheckContext, { operation, credential }: FaultyCase) => {
  const seen = rejectedCredentials(context.run)[operation];
  if (seen.has(credential)) return true;
  // A credential that was accepted is tested again: a server may fail for a while.
  const expects = [wrongWith(credential)];
  const { status } = await context.send(completeProbe(context, operation, { credential, expects }));
  if (status === 401) seen.add(credential);
  return status === 401;
};

const precedence = rejectedWith401('AUTH-4', 'the key must be checked before everything else');
const precedenceOfRoutes: Expectation = {
  ...precedence,
  statuses: [401, 404],
  because: `${precedence.because} (404 is allowed for a path without a route)`,
};

export const authPrecedence = defineCheck<FaultyCase>({
  id: 'auth-4-precedence',
  title: '401 takes precedence over other errors',
  requirement: 'AUTH-4',
  covers: ['AUTH-1', 'AUTH-2', 'AUTH-3'],
  cost: { requests: 1, keyless: 1, readOnly: 0.5 },
  inputs: (run) =>
    [
      ...mapInputs(withoutKey, (faulty): FaultyCase => ({ ...faulty, credential: anonymous })),
      ...rareCases.map(core),
      // Each changes another character: a comparison may ignore one.
      ...mapInputs(
        withInvalidKey,
        (faulty, index): FaultyCase => ({ ...faulty, credential: keyChangedAt(index + 1) }),
      ),
    ].filter((input) => inputOf(input).operation !== 'getPet' || run.removalState() === 'before'),
  shrink: ({ defects, ...faulty }) => {
    const parts = defects.flatMap((defect) => defect.parts ?? [defect]);
    return parts.length > 1 ? parts.map((part) => ({ ...faulty, defects: [part] })) : [];
  },
  run: async (faulty, context) => {
    const expected = faulty.defects.some(({ mayHaveNoRoute }) => mayHaveNoRoute)
      ? precedenceOfRoutes
      : precedence;
    const { status } = await context.send(probeOf(faulty, []));
    if (expected.statuses.includes(status)) return context.passed();
    if (!(await isRejected(context, faulty)))
      return context.skipCase({
        code: 'precondition',
        detail: 'credential-accepted',
        operation: faulty.operation,
      });
    await context.send(probeOf(faulty, [expected]));
  },
});
