import { noCredential, randomKey } from '../src/client/credentials.ts';
import type { Header } from '../src/client/exchange.ts';
import { stringifyJson } from '../src/json/stringify.ts';
import type { Probe } from '../src/oracle/probe.ts';
import type { Reading } from '../src/oracle/reading.ts';
import { anyCase, type CaseContext, type Check } from '../src/run/check.ts';
import { createPet, listPets } from '../src/run/probes.ts';
import { ordinaryPet } from './support/animals.ts';

interface RefusedCreation {
  readonly label: string;
  readonly probe: (context: CaseContext) => Probe;
}

/** Creations that a server may refuse before it has read them. In one line, with no line break at its end: the next request joins it. */
const refusedCreations = (): readonly RefusedCreation[] => {
  const body = (context: CaseContext): string => stringifyJson(ordinaryPet(context));
  return [
    { label: 'without a key', probe: (context) => createPet(body(context), { credential: noCredential }) },
    {
      label: 'with an invalid key',
      probe: (context) => createPet(body(context), { credential: randomKey('xyzzy-0123456789-plugh') }),
    },
    {
      label: 'in XML',
      probe: () =>
        createPet('<pet name="Rex" categoryId="1"/>', {
          headers: [['Content-Type', 'application/xml']],
          space: 'open',
          label: 'Content-Type: application/xml',
        }),
    },
  ];
};

/** A request in which nothing is wrong. */
const plain = (): Probe => listPets({ limit: 1 });

const judgeNext = (context: CaseContext, refused: Reading, label: string, next: Reading): void =>
  context.breach({
    requirement: 'GEN-4',
    rule: 'body left unread',
    message: `GET /pets fails on the connection of a creation ${label} that was refused with ${refused.status}: the creation's body was left unread, and is taken for the beginning of the next request.`,
    expected: 'status 200, as on a connection of its own (or the connection closed with the refusal)',
    actual: `status ${next.status}`,
    exchange: next.exchange,
  });

const connectionStaysFit: Check<RefusedCreation> = {
  name: 'GEN-4 a refused creation leaves its connection fit for the next request',
  gives: ['GEN-4'],
  phase: 'main',
  cost: 2,
  readOnlyCost: 0,
  examples: refusedCreations,
  attempt: async ({ label, probe }, context) => {
    const line = context.freshName();
    const refused = await context.send(probe(context), { line });
    if (refused.status < 400) return context.end('the creation is not refused');
    const next = await context.send(plain(), { line });
    if (next.status === 200) return context.met('GEN-4');
    const twin = await context.send(plain());
    if (twin.status === 200) judgeNext(context, refused, label, next);
  },
};

/** The cookies that an answer sets, as a client that keeps them gives them back. */
const cookiesOf = (reading: Reading): readonly Header[] => {
  const pairs = reading.header('set-cookie').map((line) => line.split(';')[0] ?? '');
  return pairs.length === 0 ? [] : [['Cookie', pairs.join('; ')]];
};

const keyOfOneRequest: Check<null> = {
  name: 'AUTH-1 a key counts for its own request, and for none that follows it',
  gives: ['AUTH-1'],
  phase: 'main',
  cost: 2,
  keyless: 1,
  examples: () => [null],
  attempt: async (_, context) => {
    const line = context.freshName();
    const served = await context.send(plain(), { line });
    if (served.status !== 200) return context.end('the request with the key is not served');
    const cookies = cookiesOf(served);
    const because = `it carries no API key, and that of the request before it${cookies.length === 0 ? ' on its connection' : ', to which its cookie was given,'} is not its own`;
    const expects = [{ requirement: 'AUTH-1', statuses: [401], because }];
    const { request, ...probe } = listPets({ limit: 2, credential: noCredential, expects });
    const headers = [...request.headers, ...cookies];
    await context.send({ ...probe, request: { ...request, headers } }, { line });
  },
};

export const connections: readonly Check<unknown>[] = [anyCase(connectionStaysFit), anyCase(keyOfOneRequest)];
