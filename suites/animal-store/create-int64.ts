import fc from 'fast-check';
import {
  type ApiResponse,
  type CheckContext,
  core,
  createPet,
  defineCheck,
  type Inputs,
  type JsonObject,
  type Reason,
  smoke,
} from '../../src/check/index.ts';
import { idOf, petOf } from '../../src/check/pets.ts';
import { inputOf } from '../../src/check/tiers.ts';
import { createdPet, listAll } from './support/animals.ts';
import { getEventually, notFoundBreach } from './support/available.ts';
import { eventually, isUndecided, missingBreach } from './support/eventually.ts';
import { withRequired, withStatus } from './support/new-pet.ts';
import { observeCreation } from './support/observed.ts';
import { hasChangedFrom, isExpectedIn, listBetween } from './support/status.ts';

/** The limits of int64, and integers that doubles cannot represent. */
const largeIntegers: Inputs<bigint> = [
  smoke(2n ** 53n + 1n),
  2n ** 63n - 1n,
  // Without a status.
  core(-(2n ** 63n) + 1n),
  2n ** 53n + 3n,
  -(2n ** 63n),
  2n ** 62n + 1n,
  3074457345618258603n,
  2n ** 60n + 7n,
];

export const integersAreExact = defineCheck<bigint>({
  id: 'create-9-large-category-id',
  title: 'a categoryId above 2^53 keeps full precision',
  requirement: 'CREATE-9',
  covers: ['LIST-8', 'GET-1'],
  phase: 'first',
  cost: { requests: 3, readOnly: 0, creates: 1 },
  share: 0.04,
  inputs: () => largeIntegers,
  arbitrary: () =>
    fc.oneof(
      fc.bigInt({ min: 2n ** 53n + 1n, max: 2n ** 63n - 1n }),
      fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) - 1n }),
    ),
  run: async (categoryId, context) => {
    const status = statusFor(categoryId, context.run.statuses);
    const name = context.uniqueName();
    const created = await context.send(
      createPet(withRequired(context.run.document, { name, categoryId, ...withStatus(status) }), {
        inputSpace: 'unspecified',
        label: `categoryId ${categoryId}`,
      }),
    );
    observeCreation(context, created, 'unknown category');
    const pet = petOf(created);
    if (created.status !== 201 || pet === null) {
      return context.inconclusive(whyNotCreated(created.status));
    }
    // If the 201 itself is wrong, the oracle has reported it already.
    if (idOf(pet) === null || pet.name !== name || pet.categoryId !== categoryId) return;
    await checkListedExactly(context, pet, status, categoryId);
    await checkReturnedExactly(context, created, categoryId);
  },
});

const whyNotCreated = (status: number): Reason =>
  status === 201
    ? { code: 'nothing-created', detail: 'no-pet' }
    : { code: 'nothing-created', detail: 'category', status };

/** Code paths may differ by status: each status in turn, and none. */
const statusFor = (categoryId: bigint, statuses: readonly string[]): string | undefined => {
  const turn = largeIntegers.map(inputOf).indexOf(categoryId) + 1;
  return [...statuses, undefined][turn % (statuses.length + 1)];
};

/** The list has the animal (LIST-8), with the exact categoryId (CREATE-9). */
const checkListedExactly = async (
  context: CheckContext,
  pet: JsonObject,
  status: string | undefined,
  categoryId: bigint,
): Promise<void> => {
  const since = context.now();
  const isIt = (other: JsonObject) => other.id === pet.id && other.name === pet.name;
  let all = await listAll(context, status);
  const look = () => all.pets.find(isIt) ?? (all.whole ? null : {});
  if (look() === null && isUndecided(context, 'LIST-8', since, all.response)) return;
  const id = idOf(pet);
  const again = async () => {
    all = await listAll(context, status);
    return look();
  };
  const isElsewhere = async () =>
    id !== null && status !== undefined && (await hasChangedFrom(context, id, status));
  const listed = look() ?? ((await isElsewhere()) ? null : await eventually(context, 'LIST-8', since, again));
  const isSteady =
    listed !== null ||
    status === undefined ||
    id === null ||
    (await isExpectedIn(context, id, status, since));
  const response = isSteady
    ? all.response
    : await listBetween(context, { status, limit: context.run.page.maximum }, id);
  if (response === null)
    return context.inconclusive({ code: 'state-changed', detail: 'status-before-list' }, 'LIST-8');
  if (listed === null) {
    missingBreach(context, since, {
      requirement: 'LIST-8',
      problem: {
        rule: 'missing-from-list',
        in: 'list of large integers',
        list: { status },
        id: pet.id,
        categoryId,
        count: all.pets.length,
      },
      ...(status === undefined ? {} : { mustRecur: 'if statuses return' }),
      response,
    });
  } else if (isIt(listed) && typeof listed.categoryId === 'bigint' && listed.categoryId !== categoryId) {
    context.breach({
      requirement: 'CREATE-9',
      problem: {
        rule: 'member-differs',
        in: 'categoryId',
        id: null,
        sent: categoryId,
        got: listed.categoryId,
      },
      response,
    });
  }
};

/** GET-1: getPet returns the exact categoryId of the creation. */
const checkReturnedExactly = async (context: CheckContext, created: ApiResponse, categoryId: bigint) => {
  const animal = createdPet(created);
  if (animal === null || context.run.removalState() !== 'before') return;
  const response = await getEventually(context, animal);
  if (response.status === 404) return notFoundBreach(context, animal, response, 'created');
  const served = petOf(response);
  if (
    response.status !== 200 ||
    served === null ||
    served.name !== animal.pet.name ||
    served.categoryId === categoryId
  )
    return;
  context.breach({
    requirement: 'GET-1',
    problem: {
      rule: 'member-differs',
      in: 'categoryId',
      id: animal.id,
      sent: categoryId,
      got: served.categoryId,
    },
    response,
  });
};
