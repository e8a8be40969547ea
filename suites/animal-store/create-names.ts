import fc from 'fast-check';
import {
  type ApiResponse,
  type CheckContext,
  core,
  createPet,
  defineCheck,
  listPets,
  smoke,
} from '../../src/check/index.ts';
import { excerpt } from '../../src/check/json.ts';
import { listedPets } from '../../src/check/pets.ts';
import { expecting, type Framing } from '../../src/check/requests.ts';
import { simplerTexts } from '../../src/check/schemas.ts';
import { riskyNameExamples } from '../inputs/harmful-name.ts';
import { unusualName, unusualNameExamples } from '../inputs/unusual-name.ts';
import { category, createOrdinary, expectsCreated, ordinaryPet } from './support/animals.ts';
import { withRequired, withStatus } from './support/new-pet.ts';
import { observeCreation } from './support/observed.ts';
import { coreNamed, coreWhere } from './support/tiers.ts';

interface NamedCase {
  readonly label: string;
  readonly name: string;
  /** Pieces are cut inside a character of several bytes. */
  readonly framing?: Framing;
}

/** The label of names that need no explanation. */
const generated = 'generated';

/** How many characters of a name are shown. */
const long = 60;

/** Proxies may reject larger bodies for their size. */
const longBody = 1_000;

/** Sends a name that may be rejected, but not changed. The oracle checks the name in the response. */
const createNamed = async (named: NamedCase, context: CheckContext): Promise<number> => {
  const { label, name } = named;
  const inFlight = context.run.state('names-in-flight', () => new Map<string, Promise<unknown>>());
  // The server decides which of two creations with one name comes first.
  while (inFlight.has(name)) await inFlight.get(name);
  const mayBeTaken = context.run.isTakenName(name);
  const sent = sendNamed(context, named);
  inFlight.set(name, Promise.allSettled([sent]));
  const response = await sent.finally(() => inFlight.delete(name));
  observeCreation(context, response, `name: ${label}`);
  const isRejectedAsTaken = response.status === 409 || (mayBeTaken && response.status >= 400);
  if (!isRejectedAsTaken || response.status >= 500) return response.status;
  return (await sendNamed(context, { ...named, name: freshly(name, context) })).status;
};

/** Names that are not ordinary may be rejected, and so may names that another animal has (CREATE-11). */
const sendNamed = (context: CheckContext, { label, name, framing }: NamedCase): Promise<ApiResponse> => {
  const sent = withRequired(context.run.document, {
    name,
    categoryId: category(context),
    ...statusFor(name, context.run.statuses),
  });
  const expects = expectsCreated(context, name);
  const { request, ...probe } = createPet(sent, {
    inputSpace: expects.length > 0 ? 'documented' : 'unspecified',
    expects,
    mayBeTaken: true,
    label: `the name ${JSON.stringify(excerpt(name, long))}${label === generated ? '' : ` (${label})`}`,
  });
  return context.send({ ...probe, request: framing === undefined ? request : { ...request, framing } });
};

/** The name with a unique part, away from white space at an end. */
const freshly = (name: string, context: CheckContext): string =>
  /\s$/.test(name) ? `${context.uniqueName()} ${name}` : `${name} ${context.uniqueName()}`;

/** Each status in turn, so that lists by status fit on a page. */
const statusFor = (name: string, statuses: readonly string[]): { readonly status?: string } =>
  withStatus(statuses[name.length % Math.max(1, statuses.length)]);

/** Everything that naive code corrupts, in one name, to save creations. The 64th byte is inside the cat emoji. */
const manyKinds: NamedCase = {
  label: 'many kinds of characters',
  name: `=1+1 Zo\u00eb  "Q" 'q' \u201cq\u201d <b>&amp;</b> %41+\\ \\n {{a}} $HOME \u{1f408} a\u200bb #{b} {0} $$ $& $0 \\1 <!-- x --> \u{1f44b}\u{1f3fd} \u041a\u043e\u0442\u0451\u043d\u043e\u043a \u0643\u0640\u0644\u0628 (c) :) **b** _i_ \ufb01n \u2013  a\u00a0b \ufeff \u202egnp \u00df\u0130\u0131 Z\u0335\u0321 \u{1f1e8}\u{1f1ed} 2024-02-29T12:00:00Z '; DROP TABLE a; ${'Long name. '.repeat(25)}\\`,
};

/** The most important characters, for a store that rejects such a long name. */
const fewKinds: NamedCase = {
  label: 'some kinds of characters',
  name: `Zo\u00eb "Q" 'q' <b>&amp; %41+\\n {{a}} $& \u{1f408} \u041a\u043e\u0442 \ufb01n  b`,
};

/** Networks split bodies anywhere. A server that decodes each packet separately loses the character. */
const cutInside: NamedCase = {
  label: 'accented letter split between packets',
  name: 'Zo\u00eb',
  framing: 'pieces',
};

const withoutLabel = (name: string): NamedCase => ({
  label: name.length > long ? `${name.length} characters` : generated,
  name,
});

/** Names that guesses of a type take for something else. Each needs an animal of its own. */
const ofOtherTypes: readonly string[] = [
  ...['', 'null', 'true', '0', '007', '12345', '0x1F', 'NaN', '[]', '__proto__'],
];

export const nameComesBack = defineCheck<NamedCase>({
  id: 'create-2-unusual-name',
  title: 'an unusual name comes back unchanged',
  requirement: 'CREATE-2',
  covers: ['CREATE-1'],
  cost: { requests: 1, readOnly: 0, creates: 1 },
  share: 0.08,
  inputs: () => [
    smoke(manyKinds),
    core(cutInside),
    ...coreWhere(
      unusualNameExamples.filter(({ name, rarely }) => name !== cutInside.name && rarely !== true),
      ({ name }) => ofOtherTypes.includes(name) || name.includes('\b'),
    ),
  ],
  arbitrary: () => fc.noShrink(unusualName()).map((name) => ({ label: generated, name })),
  // Shrinks to the characters that cause the failure.
  shrink: function* ({ framing, ...named }) {
    if (framing) yield named;
    for (const name of simplerTexts(named.name))
      yield { ...withoutLabel(name), ...(framing === undefined ? {} : { framing }) };
  },
  run: async (named, context) => {
    const status = await createNamed(named, context);
    if (named === manyKinds && status === 400) await createNamed(fewKinds, context);
  },
});

/** Names that may break a fragile store for all clients: the list must survive them. */
export const riskyNames = defineCheck<NamedCase>({
  id: 'create-2-malformed-name',
  title: 'a malformed name does not break the list',
  requirement: 'CREATE-2',
  covers: ['LIST-1'],
  phase: 'risky',
  cost: { requests: 2, readOnly: 0, creates: 1 },
  inputs: () =>
    coreNamed(riskyNameExamples, ['a lone high surrogate', 'NUL', '70,000 characters'], ({ label }) => label),
  run: async (named, context) => {
    const status = await createNamed(named, context);
    const [limit, because] = [
      context.run.page.maximum,
      'the list must be readable, whatever names it contains',
    ];
    const expects = [expecting('LIST-1', [200], because)];
    // The oldest animals may fill the first page of all, and not the page of one status.
    const ofStatus = await context.send(
      listPets({ limit, ...statusFor(named.name, context.run.statuses), expects }),
    );
    const response =
      named === riskyNameExamples.at(-1) ? await context.send(listPets({ limit, expects })) : ofStatus;
    if (listedPets(ofStatus) !== null && listedPets(response) !== null) context.passed('LIST-1');
    // Many stores list the newest first, and the limit checks repeat lists of one animal.
    if (status === 201 && named.name.length > longBody && context.run.keys.rateLimit)
      await createOrdinary(context, ordinaryPet(context));
  },
});
