import fc from 'fast-check';
import type { JsonObject } from '../src/json/json.ts';
import { idOf, petOf } from '../src/oracle/pet.ts';
import type { Reading } from '../src/oracle/reading.ts';
import { animals } from '../src/oracle/rule.ts';
import type { CaseContext, Check } from '../src/run/check.ts';
import { createPetOf } from '../src/run/probes.ts';
import { listAll } from './support/animals.ts';
import { getEventually, notFoundBreach } from './support/available.ts';
import { eventually } from './support/eventually.ts';
import { withRequired, withStatus } from './support/new-pet.ts';
import { observeCreation } from './support/observed.ts';
import { hasStatusNow } from './support/status.ts';

/** The extremes of int64, and where doubles stop telling integers apart. */
const largeIntegers: readonly bigint[] = [
  2n ** 53n + 1n,
  2n ** 63n - 1n,
  -(2n ** 63n),
  2n ** 53n + 3n,
  -(2n ** 53n) - 1n,
  2n ** 62n + 1n,
  3074457345618258603n,
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
    const status = statusFor(categoryId, context.fixtures.statuses);
    const name = context.freshName();
    const created = await context.send(
      createPetOf(withRequired(context.fixtures.document, { name, categoryId, ...withStatus(status) }), {
        space: 'open',
        label: `categoryId ${categoryId}`,
      }),
    );
    observeCreation(context, created, 'a category that is not known');
    const pet = petOf(created);
    if (created.status !== 201 || pet === null) {
      return context.undecided('CREATE-9', untaken(created.status));
    }
    // Where the 201 itself is wrong, the oracle has said so: what follows would say it again.
    if (idOf(pet) === null || pet.name !== name || pet.categoryId !== categoryId) return;
    await judgeDigitsListed(context, pet, status, categoryId);
    await judgeDigitsServed(context, created, pet, categoryId);
  },
};

const untaken = (status: number): string =>
  status === 201 ? 'the 201 carries no Pet' : `the server does not take the category (${status})`;

/** With a status and without one the number may go ways of its own: each in its turn. */
const statusFor = (categoryId: bigint, statuses: readonly string[]): string | undefined => {
  const turn = largeIntegers.indexOf(categoryId) + 1;
  return [...statuses, undefined][turn % (statuses.length + 1)];
};

/** The list repeats the digits, and holds the animal at all (LIST-8). */
const judgeDigitsListed = async (
  context: CaseContext,
  pet: JsonObject,
  status: string | undefined,
  categoryId: bigint,
): Promise<void> => {
  const since = context.clock.now();
  const isIt = (other: JsonObject) => other.id === pet.id && other.name === pet.name;
  let all = await listAll(context, status);
  const look = () => all.pets.find(isIt) ?? (all.whole ? null : {});
  const listed =
    look() ??
    (await eventually(context, 'list', since, async () => {
      all = await listAll(context, status);
      return look();
    }));
  const { exchange } = all.reading;
  const id = idOf(pet);
  if (listed === null && status !== undefined && id !== null && !(await hasStatusNow(context, id, status)))
    return context.undecided('LIST-8', 'the status of the animal changed before it was listed');
  if (listed === null) {
    context.breach({
      requirement: 'LIST-8',
      rule: 'not listed by status',
      message: `The animal ${String(pet.id)}, with the categoryId ${categoryId}, was created and is missing from ${status === undefined ? 'the list' : `the list of status ${status}`}, although the page is not full.`,
      expected: `the animal with "id":${String(pet.id)} in the list`,
      actual: `${animals(all.pets.length)}, without it`,
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
  created: Reading,
  pet: JsonObject,
  categoryId: bigint,
): Promise<void> => {
  const id = idOf(pet);
  if (id === null || context.fixtures.removal() !== 'before') return;
  const animal = { id, pet, sentAt: created.exchange.startedAt, at: context.clock.now() };
  const reading = await getEventually(context, animal);
  if (reading.status === 404) return notFoundBreach(context, animal, reading, 'created');
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
