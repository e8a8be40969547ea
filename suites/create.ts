import fc from 'fast-check';
import { ordinaryName, ordinaryNameExamples } from '../src/generate/ordinary-name.ts';
import { riskyNameExamples } from '../src/generate/risky-name.ts';
import { unusualName, unusualNameExamples } from '../src/generate/unusual-name.ts';
import type { Json, JsonObject } from '../src/json/json.ts';
import { idOf, listedPets, petOf } from '../src/oracle/pet.ts';
import type { Reading } from '../src/oracle/reading.ts';
import { anyCase, type CaseContext, type Check } from '../src/run/check.ts';
import { createPetOf, getPet, listPets } from '../src/run/probes.ts';
import {
  category,
  createAnimal,
  createOrdinary,
  expectsCreated,
  isCategoryKnown,
  listAll,
  ordinaryPet,
  untilSeen,
} from './support/animals.ts';
import { withRequired } from './support/new-pet.ts';

/** What is put behind the recognisable start of an ordinary name, and which status goes with it. */
interface OrdinaryCase {
  readonly rest: string;
  /** The whole name, where its shortness is what is tried: it leaves no room for the recognisable start. */
  readonly whole?: string;
  readonly status?: string;
}

const withStatus = (status: string | undefined): JsonObject => (status === undefined ? {} : { status });

/** An ordinary name of at most 64 characters: the recognisable start, then the rest. */
const nameWith = (context: CaseContext, rest: string): string =>
  `${context.freshName()}-${rest}`.slice(0, 64).replace(/ $/, 'x');

export const validIsCreated: Check<OrdinaryCase> = {
  name: 'CREATE-1 a valid NewPet is created',
  gives: ['CREATE-1', 'CREATE-2', 'CREATE-3', 'CREATE-4'],
  phase: 'main',
  share: 0.4,
  examples: ({ statuses }) => [
    ...ordinaryNameExamples('').map((rest, index) => ({ rest, ...statusAt(statuses, index) })),
    { rest: 'y'.repeat(64) },
    ...['c', 'cx'].map((whole) => ({ rest: '', whole })),
  ],
  arbitrary: ({ statuses }) =>
    fc
      .record({ rest: ordinaryName('a'), status: fc.option(fc.constantFrom(...statuses), { nil: null }) })
      .map(({ rest, status }) => (status === null ? { rest } : { rest, status })),
  attempt: async ({ rest, whole, status }, context) => {
    await createOrdinary(context, {
      name: whole ?? nameWith(context, rest),
      categoryId: category(context),
      ...withStatus(status),
    });
  },
};

const statusAt = (statuses: readonly string[], index: number): { status?: string } => {
  const status = [...statuses, undefined][index % (statuses.length + 1)];
  return status === undefined ? {} : { status };
};

interface NamedCase {
  readonly label: string;
  readonly name: string;
}

/** From so many bytes on a proxy may refuse a body for its size. */
const longBody = 1_000;

/** Sends a name that may be refused, but not spoilt; what came back is judged by the oracle. */
const createNamed = async ({ label, name }: NamedCase, context: CaseContext): Promise<number> => {
  const sent = withRequired(context.fixtures.document, {
    name,
    categoryId: category(context),
    ...statusFor(name, context.fixtures.statuses),
  });
  const reading = await context.send(
    createPetOf(sent, {
      // Any string is a name; whether one that is not ordinary is taken is not shown: 201 and 400 are both documented.
      space: isCategoryKnown(context) && Buffer.byteLength(name) < longBody ? 'documented' : 'open',
      expects: expectsCreated(context, name),
      label: `the name ${JSON.stringify(name.slice(0, 60))} (${label})`,
    }),
  );
  context.observe(
    'CREATE-11',
    `name: ${label}`,
    reading.status === 201 ? 'accepted' : `answered with ${reading.status}`,
  );
  return reading.status;
};

/** Each status in its turn: the lists by status stay short enough to be seen whole. */
const statusFor = (name: string, statuses: readonly string[]): JsonObject =>
  withStatus(statuses[name.length % Math.max(1, statuses.length)]);

/** Names whose like stands among the others already: left to the generated cases, as every creation stays in the store. */
const leftToGeneration =
  /^(a shell|SQL|JSON within|a private|a nonchar|Cyrillic|Greek|Arabic|a flag|a line sep|the text (undefined|false|-1|NaN|\[|\{|1\.0)|the property (to|has)|256 |a letter beyond|a zero-width|an emoji of)/;

/** What naive code spoils, in one name: where it comes back, much is told by one creation. */
const manyKinds: NamedCase = {
  label: 'many kinds of characters',
  name: `Zo\u00eb  "Q" 'q' <b>&amp;</b> %41+\\ \u{1f408} {0} ${'Long name. '.repeat(26)}`.trim(),
};

const unusualNames = unusualName().map((name) => ({ label: 'generated', name }));

export const nameComesBack: Check<NamedCase> = {
  name: 'CREATE-2 whatever the name is, it comes back',
  gives: ['CREATE-1', 'CREATE-2'],
  phase: 'main',
  share: 0.2,
  examples: () => [manyKinds, ...unusualNameExamples.filter(({ label }) => !leftToGeneration.test(label))],
  arbitrary: () => unusualNames,
  attempt: async (named, context) => {
    await createNamed(named, context);
  },
};

/** Two creations in turn would never show what creations at the same time do. */
export const idsAreUnique: Check<number> = {
  name: 'CREATE-3 ids are unique, under concurrent creations too',
  gives: ['CREATE-3'],
  phase: 'main',
  cost: 9,
  examples: () => [0, 1],
  attempt: async (_, context) => {
    const together = Math.max(2, Math.min(8, context.fixtures.concurrency));
    const readings = await Promise.all(
      Array.from({ length: together }, (_each, index) =>
        createOrdinary(context, ordinaryPet(context, withStatus(context.fixtures.statuses[index % 4]))),
      ),
    );
    const made = readings.flatMap((reading) => {
      const pet = petOf(reading);
      const id = pet === null ? null : idOf(pet);
      return reading.status === 201 && id !== null ? [{ id, reading }] : [];
    });
    if (made.length < 2)
      return context.undecided('CREATE-3', 'fewer than two animals could be created at the same time');
    const twice = made.find(({ id }, index) => made.findIndex((other) => other.id === id) !== index);
    if (twice === undefined) return context.met('CREATE-3');
    context.breach({
      requirement: 'CREATE-3',
      rule: 'id taken',
      message: `Of ${made.length} creations at the same time, two were given the id ${twice.id}.`,
      expected: 'an id of its own for every animal',
      actual: made.map(({ id }) => id).join(', '),
      exchange: twice.reading.exchange,
    });
  },
};

export const statusMayBeOmitted: Check<null> = {
  name: 'CREATE-4 status may be omitted',
  gives: ['CREATE-4'],
  phase: 'main',
  examples: () => [null],
  attempt: async (_, context) => {
    await createOrdinary(context, ordinaryPet(context));
  },
};

/** The extremes of int64, and where doubles stop telling integers apart. */
const largeIntegers: readonly bigint[] = [
  2n ** 53n + 1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
  2n ** 53n + 3n,
  -(2n ** 53n) - 1n,
  2n ** 62n + 1n,
  1234567890123456789n,
  2n ** 60n + 7n,
];

export const integersAreExact: Check<bigint> = {
  name: 'CREATE-9 a categoryId above 2^53 is kept to the digit',
  gives: ['CREATE-9', 'LIST-8', 'GET-1'],
  phase: 'whole-list',
  cost: 4,
  share: 0.08,
  examples: () => largeIntegers,
  arbitrary: () =>
    fc.oneof(
      fc.bigInt({ min: 2n ** 53n + 1n, max: 2n ** 63n - 1n }),
      fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) - 1n }),
    ),
  attempt: async (categoryId, context) => {
    const status = context.fixtures.statuses[0] ?? 'available';
    const name = context.freshName();
    const created = await context.send(
      createPetOf(withRequired(context.fixtures.document, { name, categoryId, status }), {
        space: 'open',
        label: `categoryId ${categoryId}`,
      }),
    );
    context.observe(
      'CREATE-11',
      'a category that is not known',
      created.status === 201 ? 'accepted' : `answered with ${created.status}`,
    );
    const pet = petOf(created);
    if (created.status !== 201 || pet === null) {
      return context.undecided('CREATE-9', `the server does not take the category (${created.status})`);
    }
    // Where the 201 itself is wrong, the oracle has said so: what follows would say it again.
    if (idOf(pet) === null || pet.name !== name || pet.categoryId !== categoryId) return;
    await judgeDigitsListed(context, pet, status, categoryId);
    await judgeDigitsServed(context, pet, categoryId);
  },
};

/** The list repeats the digits, and holds the animal at all (LIST-8). */
const judgeDigitsListed = async (
  context: CaseContext,
  pet: JsonObject,
  status: string,
  categoryId: bigint,
): Promise<void> => {
  const since = context.clock.now();
  let all = await listAll(context, status);
  const isIt = (other: JsonObject) => other.id === pet.id && other.name === pet.name;
  const listed = await untilSeen(context, since, async () => {
    all = await listAll(context, status);
    return all.whole ? (all.pets.find(isIt) ?? null) : (all.pets.find(isIt) ?? {});
  });
  const { exchange } = all.reading;
  if (listed === null) {
    context.breach({
      requirement: 'LIST-8',
      rule: 'not listed by status',
      message: `An animal with the categoryId ${categoryId} was created and is missing from the list, although the page is not full.`,
      expected: `the animal with "id":${String(pet.id)} in the list`,
      actual: `${all.pets.length} animals, without it`,
      exchange,
    });
  } else if (isIt(listed) && typeof listed.categoryId === 'bigint' && listed.categoryId !== categoryId) {
    context.breach({
      requirement: 'CREATE-9',
      rule: 'categoryId differs in the list',
      message: 'The list does not repeat the categoryId that the animal was created with.',
      expected: `"categoryId":${categoryId}`,
      actual: `"categoryId":${String(listed.categoryId)}`,
      exchange,
    });
  }
};

/** GET-1: the animal is served with the digits that it was created with. */
const judgeDigitsServed = async (
  context: CaseContext,
  pet: JsonObject,
  categoryId: bigint,
): Promise<void> => {
  const id = idOf(pet);
  if (id === null || context.fixtures.removal() !== 'before') return;
  const reading = await context.send(getPet(id.toString()));
  const served = petOf(reading);
  if (
    reading.status !== 200 ||
    served === null ||
    served.name !== pet.name ||
    served.categoryId === categoryId
  )
    return;
  context.breach({
    requirement: 'GET-1',
    rule: 'categoryId differs as created',
    message: `GET /pets/${id} does not repeat the categoryId that the animal was created with.`,
    expected: `"categoryId":${categoryId}`,
    actual: `"categoryId":${String(served.categoryId)}`,
    exchange: reading.exchange,
  });
};

interface IdCase {
  readonly label: string;
  readonly id: (existing: bigint) => Json;
}

export const idIsNotChosen: Check<IdCase> = {
  name: 'CREATE-10 an id in the request does not choose the id',
  gives: ['CREATE-10'],
  phase: 'whole-list',
  cost: 4,
  examples: () => [
    { label: 'the id of an existing animal', id: (existing) => existing },
    { label: 'the id of an existing animal, as a string', id: (existing) => existing.toString() },
    { label: 'an id that is free', id: () => 8_888_888_888_888_888_888n },
    { label: 'a small id', id: () => 777_777_777n },
  ],
  attempt: async ({ label, id }, context) => {
    const status = context.fixtures.statuses[0];
    const animal = await createAnimal(context, withStatus(status));
    const wanted = id(animal.id);
    const before = await listAll(context, status);
    const body = { ...ordinaryPet(context, withStatus(status)), id: wanted };
    const reading = await context.send(
      createPetOf(body, {
        space: 'open',
        label: `${label} in the body`,
        expects: [
          { requirement: 'CREATE-10', statuses: [201, 400], because: 'the id is refused, or ignored' },
        ],
      }),
    );
    if (reading.status !== 201) return;
    const given = petOf(reading)?.id;
    if (String(given) === String(wanted)) {
      context.breach({
        requirement: 'CREATE-10',
        rule: 'id chosen',
        message: `The request chose the id: ${label} was taken over from the body.`,
        expected: 'an id assigned by the server, or 400',
        actual: `"id":${String(given)}`,
        exchange: reading.exchange,
      });
    } else if (String(wanted) === String(animal.id)) {
      await judgeReplaced(context, animal.id, before.pets, body, await listAll(context, status));
    }
  },
};

/** It is missing from the plain list as well, which is seen whole, and is not served by its id. */
const isGone = async (context: CaseContext, id: bigint): Promise<boolean> => {
  const { pets, whole } = await listAll(context);
  if (!whole || pets.some((pet) => idOf(pet) === id)) return false;
  // A server that cuts its lists short has not removed what they leave out.
  return (
    context.fixtures.removal() !== 'before' || (await context.send(getPet(id.toString()))).status === 404
  );
};

/** A full page need not hold it. */
const servedUnder = async (context: CaseContext, id: bigint): Promise<readonly JsonObject[]> => {
  if (context.fixtures.removal() !== 'before') return [];
  const reading = await context.send(getPet(id.toString()));
  const pet = reading.status === 200 ? petOf(reading) : null;
  return pet === null ? [] : [pet];
};

/** The animal whose id was named in a request still stands, and is not what the request sent. */
const judgeReplaced = async (
  context: CaseContext,
  id: bigint,
  before: readonly JsonObject[],
  sent: JsonObject,
  after: { readonly pets: readonly JsonObject[]; readonly whole: boolean; readonly reading: Reading },
): Promise<void> => {
  const was = before.filter((pet) => idOf(pet) === id);
  const listed = after.pets.filter((pet) => idOf(pet) === id);
  const is = listed.length === 0 ? await servedUnder(context, id) : listed;
  const gone = was.length > 0 && is.length === 0 && after.whole && (await isGone(context, id));
  const replaced = is.find((pet) => pet.name === sent.name);
  if (!gone && replaced === undefined) return;
  context.breach({
    requirement: 'CREATE-10',
    rule: 'animal replaced',
    message: `A creation whose body named the id of an existing animal has ${gone ? 'removed' : 'replaced'} that animal.`,
    expected: `"id":${id} with the name ${JSON.stringify(was[0]?.name ?? null)}`,
    actual: gone
      ? 'no animal with that id'
      : `"id":${id} with the name ${JSON.stringify(replaced?.name ?? null)}`,
    exchange: after.reading.exchange,
  });
};

/** Names that may break a naive store for everybody: the list must survive them. */
export const riskyNames: Check<NamedCase> = {
  name: 'CREATE-2 a name that is no well-formed text does no harm',
  gives: ['CREATE-2', 'LIST-1'],
  phase: 'risky',
  cost: 2,
  examples: () => riskyNameExamples,
  attempt: async (named, context) => {
    await createNamed(named, context);
    const reading = await context.send(
      listPets({
        limit: context.fixtures.page.maximum,
        expects: [
          { requirement: 'LIST-1', statuses: [200], because: 'the list can be read whatever names it holds' },
        ],
      }),
    );
    if (listedPets(reading) !== null) context.met('LIST-1');
  },
};

export const creations: readonly Check<unknown>[] = [
  anyCase(validIsCreated),
  anyCase(statusMayBeOmitted),
  anyCase(integersAreExact),
  anyCase(idIsNotChosen),
  anyCase(idsAreUnique),
  anyCase(nameComesBack),
  anyCase(riskyNames),
];
