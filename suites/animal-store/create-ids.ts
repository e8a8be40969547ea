import {
  type ApiResponse,
  type CheckContext,
  core,
  createPet,
  defineCheck,
  type Expectation,
  getPet,
  type Json,
  type JsonObject,
  smoke,
} from '../../src/check/index.ts';
import { type CreatedPet, idOf, petOf } from '../../src/check/pets.ts';
import { expecting } from '../../src/check/requests.ts';
import {
  createAnimal,
  createdPet,
  createNamesake,
  isCategoryKnown,
  listAll,
  ordinaryPet,
} from './support/animals.ts';
import { eventually, isUndecided, missingBreach } from './support/eventually.ts';
import { withStatus } from './support/new-pet.ts';

/** The same animal again, as two clients may send it, and one whose name differs only in case. */
const twins: readonly ((pet: JsonObject) => JsonObject)[] = [
  (pet) => pet,
  (pet) =>
    typeof pet.name === 'string'
      ? { ...pet, name: pet.name.replace(/-[a-z]+-\d+$/, (end) => end.toUpperCase()) }
      : pet,
];

/** An animal of each status with its twin; the categories alternate. */
const pairs = (context: CheckContext, twin: (pet: JsonObject) => JsonObject, from: number) => {
  const { categories, statuses } = context.run;
  const known = categories.filter((each) => each.known);
  return Array.from({ length: 4 }, (_, index) => {
    const category = known[(from + index) % known.length];
    const members = category === undefined ? {} : { categoryId: category.id };
    const pet = ordinaryPet(context, { ...withStatus(statuses[index]), ...members });
    return [pet, twin(pet)];
  }).flat();
};

/** Concurrent creations find races that sequential ones cannot. */
export const idsAreUnique = defineCheck<number>({
  id: 'create-3-concurrent-creations',
  title: 'concurrent creations get unique ids',
  requirement: 'CREATE-3',
  cost: { requests: 8, readOnly: 0, creates: 8 },
  inputs: () => [core(0), 1],
  run: async (turn, context) => {
    const together = Math.max(2, Math.min(8, context.run.concurrency));
    const responses = await Promise.all(
      pairs(context, twins[turn] ?? ((pet) => pet), turn * 4)
        .slice(0, together)
        // Either of two animals with the same name may come first.
        .map((pet) => createNamesake(context, pet)),
    );
    const made = responses.flatMap((response) => {
      const pet = createdPet(response);
      return pet === null ? [] : [{ id: pet.id, response }];
    });
    if (made.length < 2) return context.inconclusive({ code: 'nothing-created', detail: 'concurrent' });
    const twice = made.find(({ id }, index) => made.findIndex((other) => other.id === id) !== index);
    if (twice === undefined) return context.passed();
    context.breach({
      problem: { rule: 'id-reused', by: 'batch', id: twice.id, ids: made.map(({ id }) => id) },
      response: twice.response,
    });
  },
});

interface IdCase {
  readonly label: string;
  readonly id: Json;
  /** The same id in other fields. */
  readonly besides?: JsonObject;
}

/** If the category may not exist, a rejection need not be caused by the id. */
const expectsServerAssignedId = (context: CheckContext): readonly Expectation[] =>
  isCategoryKnown(context)
    ? [expecting('CREATE-10', [201, 400], 'an id in the request must be rejected or ignored')]
    : [];

/** Sends a NewPet with an id. Returns the response if the server created an animal with another id. */
const createWithId = async (context: CheckContext, { label, id, besides = {} }: IdCase, pet: JsonObject) => {
  const response = await context.send(
    createPet(
      { ...pet, id, ...besides },
      { inputSpace: 'unspecified', label, expects: expectsServerAssignedId(context) },
    ),
  );
  if (response.status !== 201) return null;
  const given = petOf(response)?.id;
  if (String(given) !== String(id)) return response;
  context.breach({
    requirement: 'CREATE-10',
    problem: { rule: 'id-from-request', input: label, id: given },
    response,
  });
  return null;
};

export const freeIdIsNotChosen = defineCheck<IdCase>({
  id: 'create-10-id-in-request',
  title: 'an id in the request does not set the id',
  requirement: 'CREATE-10',
  phase: 'first',
  cost: { requests: 1, readOnly: 0, creates: 1 },
  inputs: () => [
    { label: 'unused id', id: 8_888_888_888_888_888_888n },
    smoke({ label: 'unused small id', id: 777_777_777n }),
    core({ label: 'unused id as string', id: '777777778' }),
  ],
  run: async (wanted, context) => {
    await createWithId(context, wanted, ordinaryPet(context, withStatus(context.run.statuses[0])));
  },
});

const existing = 'existing id';

/** Ways to send the id of an animal. Servers that reject unknown fields are tested with `id` alone. */
const idPlacements = {
  'as it is': (id: bigint): IdCase => ({ label: existing, id }),
  'in other forms': (id: bigint): IdCase => ({
    label: `${existing} as string, and as _id, ID, and petId`,
    id: id.toString(),
    besides: { _id: id, ID: id, petId: id },
  }),
};

export const takenIdIsNotChosen = defineCheck<keyof typeof idPlacements>({
  id: 'create-10-existing-id-in-request',
  title: 'an existing id in the request does not replace the animal',
  requirement: 'CREATE-10',
  phase: 'first',
  cost: { requests: 4, readOnly: 0, creates: 2 },
  inputs: () => [core('as it is'), 'in other forms'],
  run: async (placement, context) => {
    const { statuses } = context.run;
    const [status] = statuses;
    // An older animal shows whether a status changes without a request.
    if (!context.run.created().some(({ pet }) => pet.status === status))
      await createAnimal(context, withStatus(status));
    const animal = await createAnimal(context, withStatus(status));
    const { pets } = await listAll(context, status);
    const listed = pets.filter((pet) => idOf(pet) === animal.id);
    const before = listed.length === 0 ? await servedUnder(context, animal.id) : listed;
    const pet = ordinaryPet(context, { ...inLastCategory(context), ...withStatus(statuses.at(-1)) });
    if ((await createWithId(context, idPlacements[placement](animal.id), pet)) === null) return;
    const others = olderThan(animal, pets, context);
    await checkNotReplaced(context, { animal, before, others, sent: pet }, await listAll(context, status));
  },
});

/** A category that most animals do not have, if one is known. */
const inLastCategory = ({ run }: CheckContext): JsonObject => {
  const last = run.categories.at(-1);
  return last === undefined ? {} : { categoryId: last.id };
};

/**
 * Looks until no replica may lack the animal. Returns the last list if the animal is missing from the complete plain list and by its id,
 * else null. An incomplete list shows nothing.
 */
const listWithout = async (context: CheckContext, { id, at }: CreatedPet): Promise<ApiResponse | null> => {
  const lists: ApiResponse[] = [];
  const found = await eventually(context, 'CREATE-10', at, async () => {
    const { pets, whole, response } = await listAll(context);
    lists.push(response);
    if (pets.some((pet) => idOf(pet) === id)) return true;
    if (context.run.removalState() !== 'before') return whole ? null : true;
    // A server that truncates lists has not removed the omitted animals.
    return (await context.send(getPet(id))).status === 404 ? null : true;
  });
  return found === null ? (lists.at(-1) ?? null) : null;
};

/** A full page may omit the animal. */
const servedUnder = async (context: CheckContext, id: bigint): Promise<readonly JsonObject[]> => {
  if (context.run.removalState() !== 'before') return [];
  const response = await context.send(getPet(id));
  const pet = response.status === 200 ? petOf(response) : null;
  return pet === null ? [] : [pet];
};

/** The members without the status, which may change without a request (GET-7). */
const membersOf = ({ name = null, categoryId = null }: JsonObject): readonly Json[] => [name, categoryId];

/** An animal whose id a request contained. */
interface Named {
  readonly animal: CreatedPet;
  /** The animal before the request; empty if it was not seen. */
  readonly before: readonly JsonObject[];
  /** Animals that were created before it and listed with its status. */
  readonly others: readonly bigint[];
  readonly sent: JsonObject;
}

/** The animals of a list that the run created before this one. */
const olderThan = (animal: CreatedPet, pets: readonly JsonObject[], { run }: CheckContext) => {
  const older = run.created().filter(({ id, at }) => id !== animal.id && at < animal.at);
  return older.map(({ id }) => id).filter((id) => pets.some((pet) => idOf(pet) === id));
};

/**
 * The status changed to the one in the request. It may also change without a request (GET-7). But then older animals with that status
 * would change too, at least in one of the repeats.
 */
const adoptedStatus = (
  { before: [was], others, sent }: Named,
  is: readonly JsonObject[],
  after: readonly JsonObject[],
): JsonObject | undefined =>
  others.length > 0 && others.every((id) => after.some((pet) => idOf(pet) === id))
    ? is.find(({ status }) => status === sent.status && status !== was?.status)
    : undefined;

/** A field changed to the value in the request. */
const adopted = (is: JsonObject, was: JsonObject, sent: JsonObject): boolean =>
  membersOf(is).some(
    (member, index) => member !== membersOf(was)[index] && member === membersOf(sent)[index],
  );

/** The animal whose id a request contained still exists unchanged, and did not take over the values of the request. */
const checkNotReplaced = async (
  context: CheckContext,
  named: Named,
  after: { readonly pets: readonly JsonObject[]; readonly whole: boolean; readonly response: ApiResponse },
): Promise<void> => {
  const { animal, sent } = named;
  const { id } = animal;
  const [was] = named.before;
  // Another check tests whether it ever had that id.
  if (was === undefined) return;
  const listed = after.pets.filter((pet) => idOf(pet) === id);
  const is = listed.length === 0 ? await servedUnder(context, id) : listed;
  const isMissing = is.length === 0 && after.whole;
  if (isMissing && isUndecided(context, 'CREATE-10', animal.at, after.response)) return;
  const without = isMissing ? await listWithout(context, animal) : null;
  const isUnchanged = is.some((pet) =>
    membersOf(pet).every((member, index) => member === membersOf(was)[index]),
  );
  const changed = isUnchanged ? undefined : is.find((pet) => adopted(pet, was, sent));
  const updated = adoptedStatus(named, is, after.pets);
  const now = changed ?? updated;
  if (without === null && now === undefined) return;
  missingBreach(context, without === null ? Number.NEGATIVE_INFINITY : animal.at, {
    requirement: 'CREATE-10',
    problem: { rule: 'animal-replaced', id, isGone: without !== null, was, is: now ?? null },
    response: without ?? after.response,
    ...(changed === undefined && updated !== undefined ? { mustRecur: 'always' } : {}),
  });
};
