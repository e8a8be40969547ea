import { nullIfEnded } from '../../src/check/case-ended.ts';
import { noCredential, randomKey } from '../../src/check/credentials.ts';
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

interface RejectedCreation {
  readonly label: string;
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
      probe: (context) => createPetWithBody(body(context), { credential: noCredential }),
    }),
    {
      label: 'with an invalid key',
      probe: (context) =>
        createPetWithBody(body(context), { credential: randomKey('xyzzy-0123456789-plugh') }),
    },
    {
      label: 'with Content-Type: application/xml',
      probe: () =>
        createPetWithBody('<pet name="Rex" categoryId="1"/>', {
          headers: [['Content-Type', 'application/xml']],
          inputSpace: 'unspecified',
          label: 'Content-Type: application/xml',
        }),
    },
    {
      label: 'in chunks',
      mayBeServed: true,
      probe: (context) => {
        const label = 'the body in chunks (Transfer-Encoding: chunked)';
        const { request, ...probe } = createPet(ordinaryPet(context), { inputSpace: 'unspecified', label });
        return { ...probe, request: { ...request, framing: 'chunks' } };
      },
    },
  ];
};

/** A valid request. */
const plain = (): Probe => listPets({ limit: 1 });

const failNext = (context: CheckContext, rejected: ApiResponse, label: string, next: ApiResponse): void =>
  context.breach({
    requirement: 'GEN-4',
    problem: {
      rule: 'body-left-unread',
      creation: label,
      rejectedWith: rejected.status,
      wrongStatus: next.status,
    },
    response: next,
  });

/** GEN-4: a request after a rejected creation on its connection is served, as on a separate one. */
const checkNext = async (
  context: CheckContext,
  connectionId: string,
  label: string,
  rejected: ApiResponse,
): Promise<void> => {
  const next = await context.send(plain(), { connectionId });
  if (next.status === 200) return context.passed();
  const twin = await context.send(plain());
  if (twin.status === 200) failNext(context, rejected, label, next);
};

const connectionWorksAfterRejection = defineCheck<RejectedCreation>({
  id: 'gen-4-connection-after-rejection',
  title: 'the connection works after a rejected creation',
  requirement: 'GEN-4',
  cost: { requests: 2, readOnly: 0 },
  inputs: rejectedCreations,
  run: async ({ label, probe, mayBeServed }, context) => {
    const connectionId = context.freshName();
    const rejected = await context.send(probe(context), { connectionId });
    if (rejected.status < 400 && !mayBeServed)
      return context.skipCase({
        code: 'precondition',
        detail: 'creation',
        status: rejected.status,
        expected: 'a 4xx',
      });
    await checkNext(context, connectionId, label, rejected);
  },
});

const unreadable = ['malformed length', 'malformed chunk size'] as const;

/** A creation in a message that no HTTP parser can read. */
const malformedCreation = (context: CheckContext, framing: (typeof unreadable)[number]): Probe => {
  const { request, ...probe } = createPet(ordinaryPet(context), {
    inputSpace: 'undocumented',
    label: framing,
    expects: [{ requirement: 'GEN-4', statuses: ['4xx'], because: 'the message is malformed' }],
  });
  return { ...probe, request: { ...request, framing } };
};

/** HTTP parsers refuse these before any code of the API runs, or close the connection. */
const serverWorksAfterMalformedMessage = defineCheck<(typeof unreadable)[number]>({
  id: 'gen-4-malformed-messages',
  title: 'a malformed message is refused, and the next request is served',
  requirement: 'GEN-4',
  phase: 'risky',
  cost: { requests: 2, readOnly: 0 },
  inputs: () => unreadable,
  run: async (framing, context) => {
    const connectionId = context.freshName();
    const rejected = await nullIfEnded(context.send(malformedCreation(context, framing), { connectionId }));
    if (rejected !== null) return checkNext(context, connectionId, `with a ${framing}`, rejected);
    if ((await context.send(plain())).status === 200) context.passed();
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
  inputs: () => ['without Host', 'with a header of 20 kB', core('with a header of 70 kB')],
  run: async (label, context) => {
    const { request, ...probe } = listPets({ limit: 3, inputSpace: 'unspecified', label });
    await nullIfEnded(context.send({ ...probe, request: { ...request, ...unusualHeads[label] } }));
    if ((await context.send(plain())).status === 200) context.passed();
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
  cost: { requests: 2, keyless: 1 },
  inputs: () => [core(null)],
  run: async (_, context) => {
    const connectionId = context.freshName();
    const served = await context.send(plain(), { connectionId });
    if (served.status !== 200)
      return context.skipCase({ code: 'precondition', detail: 'list', status: served.status });
    const cookies = cookiesOf(served);
    const because = `the request has no API key, and the key of the previous request${cookies.length === 0 ? ' on the connection' : ', which set its cookie,'} is not its own`;
    const expects = [{ requirement: 'AUTH-1', statuses: [401], because }];
    const { request, ...probe } = listPets({ limit: 2, credential: noCredential, expects });
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
