import { nullIfEnded } from '../../src/check/case-skipped.ts';
import { anonymous, randomKey } from '../../src/check/credentials.ts';
import {
  type ApiResponse,
  type Check,
  type CheckContext,
  core,
  createPet,
  createPetWithBody,
  defineCheck,
  type Header,
  type Inputs,
  listPets,
  type Probe,
} from '../../src/check/index.ts';
import { stringifyJson } from '../../src/check/json.ts';
import { ordinaryPet } from './support/animals.ts';
import { sendQueryOnce } from './support/query.ts';

interface RejectedCreation {
  readonly label: string;
  readonly nextLimit: number;
  readonly probe: (context: CheckContext) => Probe;
  /** A part of the body may be left unread although the creation is served. */
  readonly mayBeServed?: true;
}

/** Creations that a server may reject before it reads the body. Without a final line break, so that an unread body joins the next request. */
const rejectedCreations = (): Inputs<RejectedCreation> => {
  const body = (context: CheckContext): string => stringifyJson(ordinaryPet(context));
  return [
    core({
      label: 'without a key',
      nextLimit: 2,
      probe: (context) => createPetWithBody(body(context), { credential: anonymous }),
    }),
    {
      label: 'with an invalid key',
      nextLimit: 1,
      probe: (context) =>
        createPetWithBody(body(context), { credential: randomKey('xyzzy-0123456789-plugh') }),
    },
    core({
      label: 'with Content-Type: application/xml',
      nextLimit: 51,
      probe: () =>
        createPetWithBody('<pet name="Rex" categoryId="1"/>', {
          headers: [['Content-Type', 'application/xml']],
          inputSpace: 'unspecified',
          label: 'Content-Type: application/xml',
        }),
    }),
    core({
      label: 'in chunks',
      nextLimit: 25,
      mayBeServed: true,
      probe: (context) => {
        const label = 'the body in chunks (Transfer-Encoding: chunked)';
        const { request, ...probe } = createPet(ordinaryPet(context), { inputSpace: 'unspecified', label });
        return { ...probe, request: { ...request, framing: 'chunks' } };
      },
    }),
  ];
};

/** A request that the server may reject before it has read all of it. */
interface Rejected {
  readonly connectionId: string;
  readonly unread: 'head' | 'body';
  /** For people. */
  readonly request: string;
  /** Of the list that is requested next. */
  readonly limit: number;
}

const failNext = (
  context: CheckContext,
  { unread, request }: Rejected,
  rejected: ApiResponse,
  next: ApiResponse,
): void =>
  context.breach({
    requirement: 'GEN-4',
    problem: {
      rule: `${unread}-left-unread`,
      rejected: request,
      rejectedWith: rejected.status,
      wrongStatus: next.status,
    },
    response: next,
  });

/** The limit, or the nearest that the document allows. */
const limitWithin = ({ run: { page } }: CheckContext, { limit }: Rejected): number =>
  Math.max(page.minimum, Math.min(page.maximum, limit));

/** GEN-4: a request after a rejected one on its connection is served, as on a separate one. */
export const checkNext = async (
  context: CheckContext,
  rejected: Rejected,
  response: ApiResponse,
): Promise<void> => {
  const limit = limitWithin(context, rejected);
  const next = await context.send(listPets({ limit }), { connectionId: rejected.connectionId });
  if (next.status === 200) return context.passed();
  // A limit that is refused on any connection fails LIST-4.
  const twin = await (next.status < 500
    ? sendQueryOnce(context, { limit })
    : context.send(listPets({ limit })));
  if (twin.status === 200) failNext(context, rejected, response, next);
};

/** The same; without a response to the rejected request, its connection is closed, and any other must work. */
const checkNextOrOther = async (context: CheckContext, rejected: Rejected, response: ApiResponse | null) => {
  if (response !== null) return checkNext(context, rejected, response);
  const limit = limitWithin(context, rejected);
  if ((await context.send(listPets({ limit }))).status === 200) context.passed();
};

const connectionWorksAfterRejection = defineCheck<RejectedCreation>({
  id: 'gen-4-connection-after-rejection',
  title: 'the connection works after a rejected creation',
  requirement: 'GEN-4',
  cost: { requests: 2, readOnly: 0 },
  inputs: rejectedCreations,
  run: async ({ label, probe, nextLimit: limit, mayBeServed }, context) => {
    const connectionId = context.uniqueName();
    const rejected = await context.send(probe(context), { connectionId });
    if (rejected.status < 400 && !mayBeServed)
      return context.skipCase({
        code: 'precondition',
        detail: 'creation',
        status: rejected.status,
        expected: 'a 4xx',
      });
    const request = `POST /pets ${label}`;
    await checkNext(context, { connectionId, unread: 'body', request, limit }, rejected);
  },
});

/** Limits at which servers often cut: the store has many animals by then. */
const nextLimits = {
  'malformed length': 50,
  'malformed chunk size': 20,
  'missing length': 22,
  'without Host': 21,
  'with a header of 20 kB': 19,
  'with a header of 70 kB': 99,
};

const unreadable = ['malformed length', 'malformed chunk size', 'missing length'] as const;

/** A creation in a malformed message. The document does not require a rejection: some parsers read it. */
const malformedCreation = (context: CheckContext, framing: (typeof unreadable)[number]): Probe => {
  const options = { inputSpace: 'undocumented', label: framing } as const;
  const { request, ...probe } =
    framing === 'missing length' ? createPetWithBody('', options) : createPet(ordinaryPet(context), options);
  return { ...probe, request: { ...request, framing } };
};

/** Most HTTP parsers refuse these before any code of the API runs, or close the connection. */
const serverWorksAfterMalformedMessage = defineCheck<(typeof unreadable)[number]>({
  id: 'gen-4-malformed-messages',
  title: 'the server works after a malformed message',
  requirement: 'GEN-4',
  phase: 'risky',
  cost: { requests: 2, readOnly: 0 },
  inputs: () => unreadable.map(core),
  run: async (framing, context) => {
    const connectionId = context.uniqueName();
    const response = await nullIfEnded(context.send(malformedCreation(context, framing), { connectionId }));
    const request = `POST /pets with a ${framing}`;
    const limit = nextLimits[framing];
    await checkNextOrOther(context, { connectionId, unread: 'body', request, limit }, response);
  },
});

/** What parsers have no room for, or cannot assign to a host. Whether it is served is not specified. */
const unusualHeads = {
  'without Host': { framing: 'no host' },
  'with a header of 20 kB': { headers: [['X-Padding', 'a'.repeat(20_000)]] },
  'with a header of 70 kB': { headers: [['X-Padding', 'a'.repeat(70_000)]] },
} as const satisfies Readonly<Record<string, Partial<Probe['request']>>>;

const serverWorksAfterUnusualHead = defineCheck<keyof typeof unusualHeads>({
  id: 'gen-4-unusual-heads',
  title: 'a request without Host, or with a large header, does not end the server',
  requirement: 'GEN-4',
  phase: 'risky',
  cost: 2,
  inputs: () => [core('without Host'), 'with a header of 20 kB', core('with a header of 70 kB')],
  run: async (label, context) => {
    const { request: valid, ...probe } = listPets({ limit: 3, inputSpace: 'unspecified', label });
    const connectionId = context.uniqueName();
    const unusual = { ...probe, request: { ...valid, ...unusualHeads[label] } };
    const response = await nullIfEnded(context.send(unusual, { connectionId }));
    const request = `GET /pets ${label}`;
    const limit = nextLimits[label];
    await checkNextOrOther(context, { connectionId, unread: 'head', request, limit }, response);
  },
});

/** The cookies of a response, as a client returns them. */
const cookiesOf = (response: ApiResponse): readonly Header[] => {
  const pairs = response.header('set-cookie').map((line) => line.split(';')[0] ?? '');
  return pairs.length === 0 ? [] : [['Cookie', pairs.join('; ')]];
};

const keyOfOneRequest = defineCheck({
  id: 'auth-1-own-request',
  title: 'a key is valid only for its own request',
  requirement: 'AUTH-1',
  // A creation between the requests may clear a cache.
  phase: 'exclusive',
  cost: { requests: 2, keyless: 1 },
  inputs: () => [core(null)],
  run: async (_, context) => {
    const connectionId = context.uniqueName();
    const served = await context.send(listPets({ limit: 1 }), { connectionId });
    if (served.status !== 200)
      return context.skipCase({ code: 'precondition', detail: 'list', status: served.status });
    const cookies = cookiesOf(served);
    const because = `the request has no API key, and the key of the previous request${cookies.length === 0 ? ' on the connection' : ', which set its cookie,'} is not its own`;
    const expects = [{ requirement: 'AUTH-1', statuses: [401], because }];
    // The same list again: a cache in front of the server may return it to anyone.
    const { request, ...probe } = listPets({ limit: 1, credential: anonymous, expects });
    const headers = [...request.headers, ...cookies];
    await context.send({ ...probe, request: { ...request, headers } }, { connectionId });
  },
});

export const connections: readonly Check[] = [
  connectionWorksAfterRejection,
  keyOfOneRequest,
  serverWorksAfterMalformedMessage,
  serverWorksAfterUnusualHead,
];
