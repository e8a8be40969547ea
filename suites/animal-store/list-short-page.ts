import { type CheckContext, createPet, defineCheck, type JsonObject } from '../../src/check/index.ts';
import {
  type CreatedPet,
  idOf,
  isWhole,
  listedPets,
  missingFromPage,
  type OwnPet,
  petOf,
  replicaLagMs,
} from '../../src/check/pets.ts';
import { checkMissingBetween, listOf } from './list-created.ts';
import { createAnimal, listAll, ordinaryPet } from './support/animals.ts';
import { ensureMoreThan, onFullPages } from './support/ensure-store-size.ts';
import { mayWait, missingBreach, untilKnown } from './support/eventually.ts';
import { withStatus } from './support/new-pet.ts';
import { observeCreation } from './support/observed.ts';
import { type Query, queryOf, sendQueryOnce } from './support/query.ts';
import { askSettled, hasStatusNow, judgeByStatus, listBetween } from './support/status.ts';
import { everyNth } from './support/tiers.ts';

/** Limits sent with each status: a server may treat its default limit as no limit. */
const besideStatus: readonly number[] = [20, 10, 1];

export const shortIsWhole = defineCheck<Query>({
  id: 'list-8-short-page',
  title: 'a page that is not full contains every matching animal',
  requirement: 'LIST-8',
  phase: 'filled-store',
  cost: onFullPages(1.25),
  dependsOnEarlierCases: true,
  inputs: (run) =>
    everyNth(
      4,
      [
        ...run.statuses.flatMap((status, index) =>
          [undefined, besideStatus[index] ?? 1, run.page.maximum].map((limit) => queryOf(limit, status)),
        ),
        ...[50, 99, run.page.maximum].map((limit) => queryOf(limit, undefined)),
      ].filter(({ limit = 1 }) => limit <= run.page.maximum),
    ),
  run: async (query, context) => {
    await ensureMoreThan(context, context.run.page.maximum, 0);
    const count = await checkShortPage(context, query);
    if (count === null) return context.inconclusive({ code: 'list-too-long', detail: 'full-page' });
    const { status, limit } = query;
    if (status === undefined || limit !== context.run.page.maximum) return;
    if (count > 0) await checkLimitEqualsCount(context, status, count);
    if (context.run.hasChanges() && !context.run.readOnly) await checkJustCreated(context, status);
  },
});

/** The animals of the run that a page should contain. */
const wantedFor = ({ run }: CheckContext, { status }: Query): readonly (CreatedPet | OwnPet)[] => {
  const created = run.created();
  if (status === undefined) return created;
  const ids = new Set(created.map(({ id }) => id));
  return run.ownPetsOf(status).filter(({ id }) => ids.has(id));
};

/** Checks a page that is not full, and returns its length; null if it is full or not a list. With a status, only lag is checked here. */
const checkShortPage = async (context: CheckContext, query: Query): Promise<number | null> => {
  const most = query.limit ?? context.run.page.default;
  const wanted = wantedFor(context, query);
  const response = await askSettled(context, query);
  if (!isWhole(response, most)) return null;
  const listed = (listedPets(response) ?? []).map(idOf);
  const isComplete = wanted.every(({ id }) => listed.includes(id));
  if (isComplete && wanted.length > 0) context.passed('LIST-8');
  else if (query.status !== undefined) await judgeByStatus(context, query, response);
  else if (wanted.length > 0)
    missingBreach(context, Math.min(...wanted.filter(({ id }) => !listed.includes(id)).map(({ at }) => at)), {
      requirement: 'LIST-8',
      ...missingFromPage({ wanted, listed, most, status: null }, context.run),
      response,
    });
  return listed.length;
};

/**
 * A server that reads one animal ahead to see whether more follow may be off by one if the limit equals the count. Other clients may
 * add, change, and remove animals meanwhile, and lists may lag.
 */
const checkLimitEqualsCount = async (context: CheckContext, status: string, count: number): Promise<void> => {
  const first = await sendQueryOnce(context, queryOf(count, status));
  if (listedPets(first)?.length === count) return context.passed('LIST-8');
  if (!isWhole(first, count)) return;
  const { run } = context;
  if (run.hasChanges()) await context.sleep(replicaLagMs);
  else await untilKnown(context, run.created());
  await checkLast(context, status, (await listAll(context, status)).pets);
};

/** A name that no other animal has, unless white space at its ends does not count. */
const blankName = ({ state }: CheckContext): string => {
  const given = state('blank-names', () => ({ count: 0 }));
  given.count += 1;
  return ' '.repeat(given.count + 2);
};

/** Creates animals with values that naive code treats as absent, or cuts. Returns the ids of the accepted ones. */
const createUnusual = async (context: CheckContext, status: string): Promise<readonly bigint[]> => {
  const made: bigint[] = [];
  const unusual: readonly (readonly [string, JsonObject])[] = [
    ['unknown category', { categoryId: 0n }],
    ['name: only spaces', { name: blankName(context) }],
    ['name of 64 characters', { name: context.uniqueName().padEnd(64, 'x') }],
  ];
  for (const [label, members] of unusual) {
    const pet = ordinaryPet(context, { ...members, status });
    const response = await context.send(
      createPet(pet, { inputSpace: 'unspecified', mayBeTaken: true, label }),
    );
    observeCreation(context, response, label);
    const id = response.status === 201 ? idOf(petOf(response) ?? {}) : null;
    if (id !== null) made.push(id);
  }
  return made;
};

/** In a store that changes statuses without a request, only newly created animals surely have the status. */
const checkJustCreated = async (context: CheckContext, status: string): Promise<void> => {
  const other = context.run.statuses.find((each) => each !== status);
  if (!mayWait(context, 'LIST-8')) return context.inconclusive({ code: 'may-lag' }, 'LIST-8');
  // After that, animals created before this check have changed, and no list is cached that was made before it.
  await context.sleep(replicaLagMs);
  const made = await Promise.all([1, 2].map(() => createAnimal(context, { status })));
  const unusual = await createUnusual(context, status);
  const last = await createAnimal(context, { status });
  await createAnimal(context, withStatus(other));
  const shown = listedPets(await sendQueryOnce(context, queryOf(1, status)))?.map(idOf) ?? [];
  const { pets, whole } = await listAll(context, status);
  if (!whole) return;
  const ids = new Set(pets.map(idOf));
  // Lag explains a missing animal neither between others, nor after it was listed, nor again and again.
  const between = [...made, last].every(({ id }) => ids.has(id)) ? unusual : [];
  const omitted = [...shown, ...between].find((id) => id !== null && !ids.has(id)) ?? undefined;
  const isOmitted =
    omitted !== undefined && (await checkMissingBetween(context, omitted, listOf(status, {}), hasStatusNow));
  if (isOmitted) return;
  const missing = made.find(({ id }) => !ids.has(id));
  if (missing !== undefined && (await checkMissingBetween(context, missing.id, listOf(status, {})))) return;
  await checkLast(context, status, pets);
};

/** LIST-8: a list whose limit is the number of animals with the status contains the last one, too. */
const checkLast = async (context: CheckContext, status: string, pets: readonly JsonObject[]) => {
  if (pets.length === 0) return;
  const query = queryOf(pets.length, status);
  const ids = new Set((listedPets(await sendQueryOnce(context, query)) ?? []).map(idOf));
  const [missing] = pets.map(idOf).filter((id) => id !== null && !ids.has(id));
  if (missing === undefined || missing === null) return;
  const response = await listBetween(context, query, missing);
  if (response === null) return;
  context.breach({
    requirement: 'LIST-8',
    problem: {
      rule: 'missing-from-list',
      in: 'list of exact limit',
      list: { status },
      id: missing,
      wanted: pets.length,
      count: listedPets(response)?.length ?? 0,
    },
    ...(context.run.hasChanges() ? { mustRecur: 'always' } : {}),
    response,
  });
};
