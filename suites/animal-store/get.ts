import {
  type ApiResponse,
  type Check,
  type CheckContext,
  core,
  defineCheck,
  getPet,
  type JsonObject,
  type RunContext,
  smoke,
} from '../../src/check/index.ts';
import {
  type CreatedPet,
  differingMember,
  idOf,
  petOf,
  replicaLagMs,
  statusSubject,
} from '../../src/check/pets.ts';
import { inputOf, mapInputs } from '../../src/check/tiers.ts';
import { deprecationHeaders, removed, stillWorks } from './get-deprecation.ts';
import { noInt64, unknownId } from './get-unknown.ts';
import { createAnimal, listAll } from './support/animals.ts';
import {
  earlyRemoval,
  getEventually,
  getSettled,
  isPet,
  notFoundBreach,
  pick,
  skipIfRemoved,
} from './support/available.ts';
import { addFailure, mayWait, untilKnown } from './support/eventually.ts';
import { fragileAnimals } from './support/fragile-animals.ts';
import { isFresh, isSteadySince, listedAs } from './support/status.ts';
import { everyNth } from './support/tiers.ts';

/** GET-1: getPet returns the animal, unchanged. */
const judgeServed = (
  context: CheckContext,
  animal: CreatedPet,
  response: ApiResponse,
  origin: 'created' | 'listed',
): void => {
  const { id, pet } = animal;
  const served = petOf(response);
  if (response.status !== 200) {
    notFoundBreach(context, animal, response, origin);
    if (response.status === 410) earlyRemoval(context, response);
    return;
  }
  if (served === null || !isPet(context, served)) return;
  if (!isPet(context, pet)) context.skipCase({ code: 'precondition', detail: `not-${origin}-as-pet` });
  const member = differingMember(pet, served);
  if (member === undefined) {
    context.passed('GET-1');
    return;
  }
  context.breach({
    requirement: 'GET-1',
    problem: { rule: 'member-differs', in: `get as ${origin}`, member, id, was: pick(pet), is: pick(served) },
    // Other clients may change an animal right after its creation.
    ...(member === 'status' ? { mustRecur: origin === 'created' ? 'always' : 'if statuses return' } : {}),
    response,
  });
};

/** getPet returns another status than createPet did, and both are in the enumeration. */
const isChanged = (context: CheckContext, { pet }: CreatedPet, response: ApiResponse): boolean => {
  const served = response.status === 200 ? petOf(response) : null;
  return (
    served !== null &&
    isPet(context, served) &&
    served.status !== undefined &&
    differingMember(pet, served) === 'status'
  );
};

/**
 * GET-1, GET-7: right after its creation an animal has the status that createPet returned, or any if it returned none. Later, or once it
 * was listed, the status may change, in the list and in getPet alike.
 */
export const judgeCreated = async (
  context: CheckContext,
  animal: CreatedPet,
  response: ApiResponse,
  isRightAfter: boolean,
): Promise<void> => {
  const isOther = isChanged(context, animal, response);
  const isForgotten = isOther && isRightAfter && animal.pet.status !== undefined && isFresh(animal, response);
  const mayDiffer = response.status === 200 && (isOther || context.run.hasChanges());
  if (!mayDiffer || isForgotten) return judgeServed(context, animal, response, 'created');
  const served = petOf(response);
  const listed = await listedAs(context, animal.id, served?.status);
  if (listed === undefined)
    return context.inconclusive({ code: 'state-changed', detail: 'status-unlisted' }, 'GET-1');
  if (listed.status === served?.status) return context.passed('GET-1');
  differences(context.run).count += 1;
  if (differences(context.run).count > maxDifferences)
    return context.inconclusive({ code: 'state-changed', detail: 'repeatedly' }, 'GET-1');
  await judgeListed(context, animal.id, listed);
};

/** How often the list showed a created animal with another status than getPet. */
const differences = ({ state }: Pick<RunContext, 'state'>) =>
  state('different-statuses', () => ({ count: 0 }));

/** After this many, a failure has been confirmed, or the store changes too fast. */
const maxDifferences = 6;

const createdIsServed = defineCheck<JsonObject>({
  id: 'get-1-created-animal',
  title: 'getPet returns a created animal unchanged',
  requirement: 'GET-1',
  cost: { requests: 2, readOnly: 0, creates: 1 },
  inputs: ({ statuses }) => [
    // A server that forgets the status may return the first one of all.
    ...statuses.map((status, index) =>
      index === statuses.length - 1 ? smoke({ status }) : index === 0 ? { status } : core({ status }),
    ),
    {},
  ],
  run: async (members, context) => {
    skipIfRemoved(context);
    const animal = await createAnimal(context, members);
    await judgeCreated(context, animal, await getEventually(context, animal), true);
  },
});

/** An animal by its place from the first, 0, to the last, 1; or one that naive code corrupts, by its number. */
type Picked = { readonly place: number } | { readonly fragile: number };

const spread = [0, 0.5, 1].map((place): Picked => ({ place }));

const pickAmong = <Item extends { readonly pet: JsonObject }>(items: readonly Item[], picked: Picked) => {
  const isWanted = 'fragile' in picked ? inputOf(fragileAnimals[picked.fragile]) : undefined;
  const found = items.find(({ pet }) => isWanted?.(pet) === true);
  return found ?? items[Math.floor(('place' in picked ? picked.place : 0.5) * (items.length - 1))];
};

const isSame = (a: JsonObject | null, b: JsonObject | null): boolean =>
  a === b || (a !== null && b !== null && differingMember(a, b) === undefined);

/** Only the status differs: any animal may get another status at any time. */
const mayHaveChanged = (a: JsonObject, b: JsonObject | null): boolean =>
  b !== null && differingMember(a, b) === 'status';

/** When getPet first differed from a list, for each difference that failed: it is not waited for again. */
const differsSince = ({ state }: Pick<RunContext, 'state'>) =>
  state('differs-since', () => new Map<string, number>());

/**
 * Other clients may change or remove animals between a list and getPet, any status may change (GET-7), and a list may lag. A different
 * animal is listed again later, and fails if neither response has changed.
 */
const judgeListed = async (context: CheckContext, id: bigint, listed: JsonObject): Promise<void> => {
  const own = context.run.created().find((each) => each.id === id);
  const since = differsSince(context.run);
  let pet = listed;
  for (let looks = 0; looks < 3; looks += 1) {
    const response = await context.send(getPet(id));
    const served = petOf(response);
    if (response.status === 200 && isSame(pet, served))
      return judgeServed(context, { id, pet, sentAt: 0, at: 0 }, response, 'listed');
    const kind = String(served === null ? response.status : differingMember(pet, served));
    const difference = `${id} ${pet.status} ${kind} ${served?.status}`;
    const mayChange = own === undefined || mayHaveChanged(pet, served);
    const before = context.run.statusesReturn() ? undefined : since.get(difference);
    const at = mayChange ? (before ?? context.now()) : own.at;
    const isFixed = !mayChange && served !== null;
    if (!isFixed && !mayWait(context, kind) && context.now() - at < replicaLagMs)
      return context.skipCase({ code: 'may-lag' });
    if (!isFixed) await untilKnown(context, [{ at }]);
    const lookedAt = context.now();
    const get = () => (isFixed ? response : context.send(getPet(id)));
    const isAsBefore = (other: ApiResponse) =>
      other.status === response.status && isSame(served, petOf(other));
    const later = await get();
    const again = await listedAs(context, id, pet.status);
    if (again === undefined) return context.skipCase({ code: 'state-changed', detail: 'unlisted' });
    const last = await get();
    const isSteady = !mayHaveChanged(pet, served) || isSteadySince(context, lookedAt);
    if (isSteady && isSame(pet, again) && isAsBefore(later) && isAsBefore(last)) {
      since.set(difference, at);
      addFailure(context, kind);
      return judgeServed(context, { id, pet, sentAt: 0, at }, last, 'listed');
    }
    pet = again;
  }
  context.skipCase({ code: 'state-changed', detail: 'repeatedly' });
};

/** GET-1: getPet returns an animal as listed. Ends the case if there is no animal. */
const checkListed = (
  context: CheckContext,
  pet: JsonObject | undefined,
  detail: 'none-listed' | 'none-of-others',
): Promise<void> => {
  const id = pet === undefined ? null : idOf(pet);
  if (pet === undefined || id === null) return context.skipCase({ code: 'no-animal', detail });
  if (!isPet(context, pet)) context.skipCase({ code: 'unreadable-response', detail: 'listed-pet' });
  return judgeListed(context, id, pet);
};

/** The list that cases pick from: read once a run, and again if getPet differs from it. */
const lists = ({ state }: Pick<RunContext, 'state'>): { pets?: readonly JsonObject[] } =>
  state('listed-animals', () => ({}));

const listedIsServed = defineCheck<Picked>({
  id: 'get-1-listed-animal',
  title: 'getPet returns a listed animal as listed',
  requirement: 'GET-1',
  phase: 'filled-store',
  // Most fragile animals are tested among the created ones.
  inputs: () => [core({ place: 0 }), core({ fragile: 0 }), { fragile: 1 }, { fragile: 3 }, { place: 0.8 }],
  run: async (picked, context) => {
    skipIfRemoved(context);
    const shown = lists(context.run);
    shown.pets ??= (await listAll(context)).pets;
    const animals = shown.pets.map((pet) => ({ pet }));
    await checkListed(context, pickAmong(animals, picked)?.pet, 'none-listed');
  },
});

/** While the list is short: animals that other clients created long ago are on the first page. */
const othersAreServed = defineCheck<'first' | 'last'>({
  id: 'get-1-animal-of-others',
  title: 'getPet returns an animal of other clients as listed',
  requirement: 'GET-1',
  phase: 'first',
  inputs: ({ initialList }) => (initialList.length === 0 ? [] : [core('first'), core('last')]),
  run: async (which, context) => {
    skipIfRemoved(context);
    await checkListed(context, context.run.initialList.at(which === 'first' ? 0 : -1), 'none-of-others');
  },
});

/** GET-1: an animal that a list shows with another status than createPet returned has that status in getPet, too. */
const checkChanged = async (context: CheckContext): Promise<void> => {
  const statuses = new Map(context.run.created().map(({ id, pet }) => [id, pet.status]));
  const { pets } = await listAll(context);
  for (const pet of pets) {
    const id = idOf(pet);
    const status = id === null ? undefined : statuses.get(id);
    if (id !== null && status !== undefined && status !== pet.status && isPet(context, pet))
      return judgeListed(context, id, pet);
  }
};

/** Gets animals of the run again after many later creations: first, last, some between, and one that seems to have changed. */
const createdStays = defineCheck<Picked | 'changed'>({
  id: 'get-1-never-changes',
  title: 'a created animal never changes',
  requirement: 'GET-1',
  covers: ['GET-7'],
  phase: 'look-back',
  cost: { requests: 1, readOnly: 0 },
  dependsOnEarlierCases: true,
  // A name that another type would take is requested by its id here alone.
  inputs: () => [
    ...everyNth(6, spread),
    ...mapInputs(fragileAnimals, (_, each): Picked => ({ fragile: each })),
    // Last: no animal is created any more, so that each keeps its place in the list.
    'changed' as const,
  ],
  run: async (picked, context) => {
    skipIfRemoved(context);
    const animal = pickAmong(context.run.created(), picked === 'changed' ? { place: 1 } : picked);
    if (animal === undefined) return context.skipCase({ code: 'no-animal', detail: 'none-created' });
    if (picked === 'changed') return checkChanged(context);
    const response = await getSettled(context, animal);
    if (petOf(response)?.status === animal.pet.status) context.observe(statusSubject, 'unchanged', 'GET-7');
    await judgeCreated(context, animal, response, false);
  },
});

export const gets: readonly Check[] = [
  createdIsServed,
  stillWorks,
  removed,
  unknownId,
  noInt64,
  deprecationHeaders,
  othersAreServed,
  listedIsServed,
  createdStays,
];
