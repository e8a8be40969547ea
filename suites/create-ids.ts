import type { Json, JsonObject } from '../src/json/json.ts';
import { stringifyJson } from '../src/json/stringify.ts';
import { idOf, petOf } from '../src/oracle/pet.ts';
import type { Expectation } from '../src/oracle/probe.ts';
import type { Reading } from '../src/oracle/reading.ts';
import type { CaseContext, Check } from '../src/run/check.ts';
import type { CreatedPet } from '../src/run/fixtures.ts';
import { createPetOf, getPet } from '../src/run/probes.ts';
import { createAnimal, createNamesake, isCategoryKnown, listAll, ordinaryPet } from './support/animals.ts';
import { retryUntil } from './support/eventually.ts';
import { withStatus } from './support/new-pet.ts';

/** The same animal once more, as two clients may send it, and one whose name differs in case alone. */
const twins: readonly ((pet: JsonObject) => JsonObject)[] = [
  (pet) => pet,
  (pet) =>
    typeof pet.name === 'string'
      ? { ...pet, name: pet.name.replace(/-[a-z]+-\d+$/, (end) => end.toUpperCase()) }
      : pet,
];

/** An animal of each status, in the categories that are known in turn, and its twin. */
const pairs = (context: CaseContext, twin: (pet: JsonObject) => JsonObject, from: number) => {
  const { categories, statuses } = context.fixtures;
  const known = categories.filter((each) => each.known);
  return Array.from({ length: 4 }, (_, index) => {
    const category = known[(from + index) % known.length];
    const members = category === undefined ? {} : { categoryId: category.id };
    const pet = ordinaryPet(context, { ...withStatus(statuses[index]), ...members });
    return [pet, twin(pet)];
  }).flat();
};

/** Two creations in turn would never show what creations at the same time do. */
export const idsAreUnique: Check<number> = {
  name: 'CREATE-3 ids are unique, under concurrent creations too',
  gives: ['CREATE-3'],
  phase: 'main',
  cost: 9,
  examples: () => [0, 1],
  attempt: async (turn, context) => {
    const together = Math.max(2, Math.min(8, context.fixtures.concurrency));
    const readings = await Promise.all(
      pairs(context, twins[turn] ?? ((pet) => pet), turn * 4)
        .slice(0, together)
        // Of two animals with one name, either may come first.
        .map((pet) => createNamesake(context, pet)),
    );
    const made = readings.flatMap((reading) => {
      const pet = petOf(reading);
      const id = pet === null ? null : idOf(pet);
      return reading.status === 201 && id !== null ? [{ id, reading }] : [];
    });
    if (made.length < 2)
      return context.undecided(
        'CREATE-3',
        'of the animals created at the same time fewer than two came back with an id',
      );
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

interface IdCase {
  readonly label: string;
  readonly id: Json;
  /** The same under other names. */
  readonly besides?: JsonObject;
}

/** In a category of which nobody knows whether it exists, nothing has been created yet: the id is not to blame for what comes. */
const expectsAnIdOfItsOwn = (context: CaseContext): readonly Expectation[] =>
  isCategoryKnown(context)
    ? [{ requirement: 'CREATE-10', statuses: [201, 400], because: 'the id is to be refused or ignored' }]
    : [];

/** Sends a NewPet with an id; what the server made of it, where it created an animal with another. */
const createWithId = async (
  context: CaseContext,
  { label, id, besides = {} }: IdCase,
  pet: JsonObject,
): Promise<Reading | null> => {
  const reading = await context.send(
    createPetOf(
      { ...pet, id, ...besides },
      {
        space: 'open',
        label: `${label} in the body`,
        expects: expectsAnIdOfItsOwn(context),
      },
    ),
  );
  if (reading.status !== 201) return null;
  const given = petOf(reading)?.id;
  if (String(given) !== String(id)) return reading;
  context.breach({
    requirement: 'CREATE-10',
    rule: 'id chosen',
    message: `POST /pets with ${label} in the body creates an animal with that id, ${String(given)}: the request chose it.`,
    expected: 'an id assigned by the server, or 400',
    actual: `"id":${String(given)}`,
    exchange: reading.exchange,
  });
  return null;
};

export const freeIdIsNotChosen: Check<IdCase> = {
  name: 'CREATE-10 an id in the request does not choose the id',
  gives: ['CREATE-10'],
  phase: 'whole-list',
  examples: () => [
    { label: 'an id that is free', id: 8_888_888_888_888_888_888n },
    { label: 'a small id', id: 777_777_777n },
    { label: 'an id that is free, as a string', id: '777777778' },
  ],
  attempt: async (wanted, context) => {
    await createWithId(context, wanted, ordinaryPet(context, withStatus(context.fixtures.statuses[0])));
  },
};

const existing = 'the id of an existing animal';

/** The ways to name the id of an animal. Who refuses members that are none of a Pet's has to be asked with `id` alone. */
const namings = {
  'as it is': (id: bigint): IdCase => ({ label: existing, id }),
  'in other forms': (id: bigint): IdCase => ({
    label: `${existing}, as a string and as _id, ID and petId`,
    id: id.toString(),
    besides: { _id: id, ID: id, petId: id },
  }),
};

export const takenIdIsNotChosen: Check<keyof typeof namings> = {
  name: 'CREATE-10 the id of an animal in the request does the animal no harm',
  gives: ['CREATE-10'],
  phase: 'whole-list',
  cost: 4,
  examples: () => ['as it is', 'in other forms'],
  attempt: async (naming, context) => {
    const { statuses } = context.fixtures;
    const [status] = statuses;
    const animal = await createAnimal(context, withStatus(status));
    const { pets } = await listAll(context, status);
    const listed = pets.filter((pet) => idOf(pet) === animal.id);
    const before = listed.length === 0 ? await servedUnder(context, animal.id) : listed;
    const pet = ordinaryPet(context, { ...inLastCategory(context), ...withStatus(statuses.at(-1)) });
    if ((await createWithId(context, namings[naming](animal.id), pet)) === null) return;
    await judgeReplaced(context, animal, before, pet, await listAll(context, status));
  },
};

/** In another category than that of most animals, where another one is known. */
const inLastCategory = ({ fixtures }: CaseContext): JsonObject => {
  const last = fixtures.categories.at(-1);
  return last === undefined ? {} : { categoryId: last.id };
};

/** It is missing from the plain list as well, and is not served by its id, on no replica; a plain list that is not seen whole tells nothing. */
const isGone = async (context: CaseContext, { id, at }: CreatedPet): Promise<boolean> => {
  const stands = await retryUntil(context, at, async () => {
    const { pets, whole } = await listAll(context);
    if (pets.some((pet) => idOf(pet) === id)) return true;
    if (context.fixtures.removal() !== 'before') return whole ? null : true;
    // A server that cuts its lists short has not removed what they leave out.
    return (await context.send(getPet(id.toString()))).status === 404 ? null : true;
  });
  return stands === null;
};

/** A full page need not hold it. */
const servedUnder = async (context: CaseContext, id: bigint): Promise<readonly JsonObject[]> => {
  if (context.fixtures.removal() !== 'before') return [];
  const reading = await context.send(getPet(id.toString()));
  const pet = reading.status === 200 ? petOf(reading) : null;
  return pet === null ? [] : [pet];
};

/** Without the status, which may change by itself (GET-7). */
const membersOf = ({ name = null, categoryId = null }: JsonObject): readonly Json[] => [name, categoryId];
const shown = ({ id = null, name = null, categoryId = null, status = null }: JsonObject): string =>
  stringifyJson({ id, name, categoryId, status });

/** It differs from what it was, in what was sent. */
const tookOver = (is: JsonObject, was: JsonObject, sent: JsonObject): boolean =>
  membersOf(is).some(
    (member, index) => member !== membersOf(was)[index] && member === membersOf(sent)[index],
  );

/** The animal whose id was named in a request still stands, as it stood `before`, and is not what the request sent. */
const judgeReplaced = async (
  context: CaseContext,
  animal: CreatedPet,
  [was]: readonly JsonObject[],
  sent: JsonObject,
  after: { readonly pets: readonly JsonObject[]; readonly whole: boolean; readonly reading: Reading },
): Promise<void> => {
  const { id } = animal;
  // Whether it ever stood under that id is a matter of its own.
  if (was === undefined) return;
  const listed = after.pets.filter((pet) => idOf(pet) === id);
  const is = listed.length === 0 ? await servedUnder(context, id) : listed;
  const gone = is.length === 0 && after.whole && (await isGone(context, animal));
  const stands = is.some((pet) => membersOf(pet).every((member, index) => member === membersOf(was)[index]));
  const changed = stands ? undefined : is.find((pet) => tookOver(pet, was, sent));
  if (!gone && changed === undefined) return;
  context.breach({
    requirement: 'CREATE-10',
    rule: 'animal replaced',
    message: `A creation whose body named the id of an existing animal has ${gone ? 'removed' : 'changed'} that animal.`,
    expected: shown(was),
    actual: changed === undefined ? 'no animal with that id' : shown(changed),
    exchange: after.reading.exchange,
  });
};
