import {
  type ApiResponse,
  type CheckContext,
  core,
  defineCheck,
  type Json,
  type JsonObject,
  smoke,
} from '../../src/check/index.ts';
import { type CreatedPet, idOf, listedPets, replicaLagMs } from '../../src/check/pets.ts';
import { filteredAndPlainListsAgree } from './list-agreement.ts';
import { createAnimal, listAll } from './support/animals.ts';
import { isPet } from './support/available.ts';
import { eventually, isUndecided, mayWait, missingBreach } from './support/eventually.ts';
import { hasChangedFrom, hasStatusNow, isExpectedIn, isFresh, listBetween } from './support/status.ts';

/** A list that must contain an animal. */
interface Place {
  readonly status?: string;
  /** The other fields that the animal was created with. */
  readonly members?: JsonObject;
  readonly page?: 'default';
  /** The request, for people. */
  readonly request: string;
}

const wholeList: Place = { request: 'GET /pets' };
/** If there are few animals, the list without parameters is complete, too. */
const defaultPage: Place = { page: 'default', request: 'GET /pets without parameters' };
export const listOf = (status: string, members: JsonObject): Place => ({
  status,
  members,
  request: `GET /pets with status=${status}`,
});

/** Finds an animal in a list, as the list shows it. */
const findListed = async (context: CheckContext, { id, at }: CreatedPet, { status, page }: Place) => {
  const look = () => listAll(context, status, page);
  let list = await look();
  const find = () => list.pets.find((pet) => idOf(pet) === id);
  const isMissing = find() === undefined && list.whole && mayWait(context, 'LIST-8');
  if (isMissing && !(status !== undefined && (await hasChangedFrom(context, id, status))))
    await eventually(context, 'LIST-8', at, async () => {
      list = await look();
      return find() !== undefined || !list.whole ? list : null;
    });
  return { found: find(), list };
};

export const createdIsListed = defineCheck<JsonObject>({
  id: 'list-8-created-animal',
  title: 'a created animal is listed, with and without its status',
  requirement: 'LIST-8',
  phase: 'first',
  cost: { requests: 4, readOnly: 0, creates: 1 },
  inputs: ({ statuses }) => [
    ...statuses.map((status, index) => (index === statuses.length - 1 ? smoke({ status }) : { status })),
    core({}),
  ],
  run: async (members, context) => {
    const animal = await createAnimal(context, members);
    const own = context.run.statuses.find((status) => status === animal.pet.status);
    const filtered = own === undefined ? null : await checkListed(context, animal, listOf(own, members));
    const isKnown = filtered?.found !== undefined;
    const plain = await checkListed(context, animal, wholeList, isKnown);
    await checkListed(context, animal, defaultPage, isKnown);
    if (own !== undefined && filtered !== null)
      await filteredAndPlainListsAgree(context, own, filtered, plain);
  },
});

/** CREATE-11: the document does not say that one creation stores one animal. */
const observeCopies = (context: CheckContext, { id, pet }: CreatedPet, pets: readonly JsonObject[]): void => {
  const namesakes = (all: readonly JsonObject[]) => all.filter(({ name }) => name === pet.name).length;
  const isCopied = pets.some((other) => other.name === pet.name && idOf(other) !== id);
  if (isCopied && namesakes(context.run.created().map((created) => created.pet)) === 1)
    context.observe('animals that one creation stores', String(namesakes(pets)), 'CREATE-11');
};

/** Returns the list that it checked. `isKnown`: another list has shown the animal as created. */
const checkListed = async (context: CheckContext, animal: CreatedPet, place: Place, isKnown = false) => {
  const { found, list } = await findListed(context, animal, place);
  const { request, status } = place;
  observeCopies(context, animal, list.pets);
  if (found !== undefined) await judgeStatus(context, animal, found, list.response, isKnown);
  else if (!list.whole)
    context.inconclusive({ code: 'list-too-long', detail: 'order', list: request }, 'LIST-8');
  else if (isUndecided(context, 'LIST-8', animal.at, list.response)) return { ...list, found };
  else if (status !== undefined && !(await isExpectedIn(context, animal.id, status, animal.sentAt))) {
    // No list of the status is cached that was made before the creation.
    await context.sleep(replicaLagMs);
    const { id } = await createAnimal(context, place.members);
    if (!(await checkMissingBetween(context, id, place)))
      context.inconclusive({ code: 'state-changed', detail: 'status-before-list' }, 'LIST-8');
  } else
    missingBreach(context, animal.at, {
      requirement: 'LIST-8',
      problem: {
        rule: 'missing-from-list',
        in: 'list after creation',
        list: { status, page: place.page },
        id: animal.id,
        count: list.pets.length,
      },
      ...(status === undefined ? {} : { mustRecur: 'if statuses return' }),
      response: list.response,
    });
  return { ...list, found };
};

const isListedAs = async (context: CheckContext, id: bigint, status: Json): Promise<boolean> =>
  (await listAll(context)).pets.some((pet) => idOf(pet) === id && pet.status === status);

/**
 * LIST-8, if statuses change sooner than a list may lag: the list of a status omits an animal that another place, usually the plain list,
 * shows with that status right before and after. Returns whether it does.
 */
export const checkMissingBetween = async (
  context: CheckContext,
  id: bigint,
  { status = '' }: Place,
  isShown = isListedAs,
) => {
  const response = await listBetween(context, { status, limit: context.run.page.maximum }, id, isShown);
  if (response === null) return false;
  context.breach({
    requirement: 'LIST-8',
    problem: {
      rule: 'missing-from-list',
      in: 'list between',
      list: { status },
      shownBy: isShown === isListedAs ? 'listPets' : 'getPet',
      id,
      count: listedPets(response)?.length ?? 0,
    },
    mustRecur: 'always',
    response,
  });
  return true;
};

/**
 * LIST-8: right after its creation a listed animal has the status that createPet returned, or any if it returned none, unless it is shown
 * to have changed since.
 */
const judgeStatus = async (
  context: CheckContext,
  animal: CreatedPet,
  listed: JsonObject,
  response: ApiResponse,
  isKnown: boolean,
): Promise<void> => {
  const { id, pet } = animal;
  const { status } = pet;
  // A value that is not a Pet fails its schema.
  if (!isPet(context, listed)) return;
  if (status === undefined || listed.status === status || !isFresh(animal, response))
    return void context.passed('LIST-8');
  if (isKnown && !(await hasStatusNow(context, id, status))) return void context.passed('LIST-8');
  context.breach({
    requirement: 'LIST-8',
    problem: {
      rule: 'member-differs',
      in: 'list after creation',
      member: 'status',
      id,
      was: pet,
      is: listed,
    },
    mustRecur: 'always',
    response,
  });
};

/** A server that always omits the last animal looks like a lagging one while other animals are created. */
export const newestIsListed = defineCheck({
  id: 'list-8-newest-animal',
  title: 'the newest animal is listed before another is created',
  requirement: 'LIST-8',
  phase: 'exclusive',
  cost: { requests: 2, readOnly: 0, creates: 1 },
  inputs: () => [core(null)],
  run: async (_, context) => {
    await checkListed(context, await createAnimal(context), wholeList);
  },
});

/** If the oldest animals come first, only lists shorter than a page show the newest one. The lists of one status stay short for longer. */
export const newestOfStatusIsListed = defineCheck({
  id: 'list-8-newest-of-status',
  title: 'the newest animal of many is listed with its status',
  requirement: 'LIST-8',
  phase: 'look-back',
  cost: { requests: 2, readOnly: 0, creates: 1 },
  inputs: ({ statuses }) => statuses.slice(0, 1).map((status) => core(status)),
  run: async (status, context) => {
    await checkListed(context, await createAnimal(context, { status }), listOf(status, { status }));
  },
});
