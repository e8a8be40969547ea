import type { JsonObject } from '../src/json/json.ts';
import { stringifyJson } from '../src/json/stringify.ts';
import { incomplete } from '../src/oracle/incomplete.ts';
import { isWhole } from '../src/oracle/paging.ts';
import { howDiffers, idOf, listedPets } from '../src/oracle/pet.ts';
import type { Reading } from '../src/oracle/reading.ts';
import { animals, type OwnAnimal } from '../src/oracle/rule.ts';
import { mostLagMs } from '../src/oracle/rules/own-animals.ts';
import type { CaseContext, Check } from '../src/run/check.ts';
import type { CreatedPet } from '../src/run/fixtures.ts';
import { filteredAndPlainListsAgree } from './list-agreement.ts';
import { createAnimal, listAll } from './support/animals.ts';
import { isPet } from './support/available.ts';
import { ensureMoreThan } from './support/ensure-store-size.ts';
import { eventually } from './support/eventually.ts';
import { withStatus } from './support/new-pet.ts';
import { askQuery, type Query, queryOf } from './support/query.ts';
import { hasChangedFrom, hasStatusNow, isFresh, judgeByStatus, leavingOut } from './support/status.ts';

/** A list in which an animal has to be, and what it is a breach of where it is not. */
interface Place {
  readonly status?: string;
  /** What the animal was created with, beside a name and a category. */
  readonly members?: JsonObject;
  readonly page?: 'default';
  readonly rule: string;
  readonly where: string;
}

const wholeList: Place = { rule: 'not listed', where: 'the list' };
/** Where there are few animals, the list without any parameter is whole as well. */
const defaultPage: Place = {
  page: 'default',
  rule: 'not listed by default',
  where: 'GET /pets without parameters',
};
const listOf = (status: string, members: JsonObject): Place => ({
  status,
  members,
  rule: 'not listed by status',
  where: `the list of status ${status}`,
});

/** Looks for an animal in a list: as it is shown there, if it is found. */
const findListed = async (context: CaseContext, { id, at }: CreatedPet, { status, page }: Place) => {
  const look = () => listAll(context, status, page);
  let list = await look();
  const find = () => list.pets.find((pet) => idOf(pet) === id);
  const isMissing = find() === undefined && list.whole;
  if (isMissing && !(status !== undefined && (await hasChangedFrom(context, id, status))))
    await eventually(context, 'list', at, async () => {
      list = await look();
      return find() !== undefined || !list.whole ? list : null;
    });
  return { found: find(), list };
};

export const createdIsListed: Check<JsonObject> = {
  name: 'LIST-8 a created animal is listed, under its status too',
  gives: ['LIST-8'],
  phase: 'whole-list',
  cost: 4,
  readOnlyCost: 0,
  examples: ({ statuses }) => [...statuses.map((status) => ({ status })), {}],
  attempt: async (members, context) => {
    const animal = await createAnimal(context, members);
    const own = context.fixtures.statuses.find((status) => status === animal.pet.status);
    const filtered = own === undefined ? null : await judgeListed(context, animal, listOf(own, members));
    const isKnown = filtered?.found !== undefined;
    const plain = await judgeListed(context, animal, wholeList, isKnown);
    await judgeListed(context, animal, defaultPage, isKnown);
    if (own !== undefined && filtered !== null)
      await filteredAndPlainListsAgree(context, own, filtered, plain);
  },
};

/** Gives the list that it judged. `isKnown`: another list has shown the animal as it was created. */
const judgeListed = async (context: CaseContext, animal: CreatedPet, place: Place, isKnown = false) => {
  const { found, list } = await findListed(context, animal, place);
  const { rule, where, status } = place;
  if (found !== undefined) await judgeStatus(context, animal, found, list.reading, isKnown);
  else if (!list.whole)
    context.undecided('LIST-8', `${where} is longer than one page, and order is not specified`);
  else if (status !== undefined && !(await hasStatusNow(context, animal.id, status))) {
    const { id } = await createAnimal(context, place.members);
    if (!(await judgeAtOnce(context, id, place)))
      context.undecided('LIST-8', 'the status of the animal changed before it was listed');
  } else
    context.breach({
      requirement: 'LIST-8',
      rule,
      message: `The animal ${animal.id} was created and is missing from ${where}, although the page is not full.`,
      expected: `the animal with "id":${animal.id} in the list`,
      actual: `${animals(list.pets.length)}, without it`,
      exchange: list.reading.exchange,
    });
  return { ...list, found };
};

const isListedAs = async (context: CaseContext, id: bigint, status: string): Promise<boolean> =>
  (await listAll(context)).pets.some((pet) => idOf(pet) === id && pet.status === status);

/** Two looks in a row at a list that leaves the animal out: they do not come from one replica that lags. */
const leftOutTwice = async (context: CaseContext, asked: Query, id: bigint): Promise<Reading | null> =>
  (await leavingOut(context, asked, id)) === null ? null : leavingOut(context, asked, id);

/**
 * LIST-8, if statuses change sooner than a list may lag: the list of a status lacks an animal that the plain list shows with that status
 * right before and after. Tells whether it does.
 */
const judgeAtOnce = async (context: CaseContext, id: bigint, { status = '', rule, where }: Place) => {
  if (!(await isListedAs(context, id, status))) return false;
  const reading = await leftOutTwice(context, { status }, id);
  if (reading === null || !(await isListedAs(context, id, status))) return false;
  context.breach({
    requirement: 'LIST-8',
    rule,
    mustRecur: true,
    message: `The animal ${id} is ${status} in the list before and after, and is missing from ${where}, although the page is not full.`,
    expected: `the animal with "id":${id} in the list`,
    actual: `${animals(listedPets(reading)?.length ?? 0)}, without it`,
    exchange: reading.exchange,
  });
  return true;
};

/** LIST-8: right after its creation a listed animal has the status that createPet returned, unless it is shown to have changed since. */
const judgeStatus = async (
  context: CaseContext,
  animal: CreatedPet,
  listed: JsonObject,
  reading: Reading,
  isKnown: boolean,
): Promise<void> => {
  const { id, pet } = animal;
  const { status = null } = pet;
  // What is not a Pet fails its schema.
  if (!isPet(context, listed)) return;
  if (listed.status === pet.status || !isFresh(animal, reading)) return void context.met('LIST-8');
  if (isKnown && !(await hasStatusNow(context, id, status))) return void context.met('LIST-8');
  context.breach({
    requirement: 'LIST-8',
    rule: 'status differs as created',
    mustRecur: true,
    message: `A list sent right after the creation of the animal ${id} does not show it as it was created: ${howDiffers('status', listed)}.`,
    expected: stringifyJson(pet),
    actual: stringifyJson(listed),
    exchange: reading.exchange,
  });
};

/** What drops the last animal shows no more than that it is late, as long as others are created. */
export const newestIsListed: Check<null> = {
  name: 'LIST-8 the newest animal is listed while none follows it',
  gives: ['LIST-8'],
  phase: 'quiet',
  cost: 2,
  readOnlyCost: 0,
  examples: () => [null],
  attempt: async (_, context) => {
    await judgeListed(context, await createAnimal(context), wholeList);
  },
};

/** Limits that are asked for beside each status: a default may be taken for no limit at all. */
const besideStatus: readonly number[] = [20, 10, 1];

export const shortIsWhole: Check<Query> = {
  name: 'LIST-8 a page that is not full holds every animal it should',
  gives: ['LIST-8'],
  phase: 'late',
  cost: 1.25,
  looksBack: true,
  examples: (fixtures) =>
    [
      ...fixtures.statuses.flatMap((status, index) =>
        [undefined, besideStatus[index] ?? 1, fixtures.page.maximum].map((limit) => queryOf(limit, status)),
      ),
      ...[50, 99, fixtures.page.maximum].map((limit) => queryOf(limit, undefined)),
    ].filter(({ limit = 1 }) => limit <= fixtures.page.maximum),
  attempt: async (asked, context) => {
    await ensureMoreThan(context, context.fixtures.page.maximum, 0);
    const count = await judgeShortPage(context, asked);
    if (count === null) return context.undecided('LIST-8', 'the page is full: it need not hold every animal');
    const { status, limit } = asked;
    if (status === undefined || limit !== context.fixtures.page.maximum) return;
    if (count > 0) await judgeJustReached(context, status, count);
    if (context.fixtures.hasChanges() && !context.fixtures.readOnly) await judgeJustCreated(context, status);
  },
};

/** What should be on a page, as far as the run knows. */
const wantedFor = ({ fixtures }: CaseContext, { status }: Query): readonly (CreatedPet | OwnAnimal)[] => {
  const created = fixtures.created();
  if (status === undefined) return created;
  const ids = new Set(created.map(({ id }) => id));
  return fixtures.ofStatus(status).filter(({ id }) => ids.has(id));
};

/** Judges a page that is not full, and gives its length; null: it is full, or none. Of a status, only what lists lag behind is looked for here. */
const judgeShortPage = async (context: CaseContext, asked: Query): Promise<number | null> => {
  const most = asked.limit ?? context.fixtures.page.default;
  const wanted = wantedFor(context, asked);
  const newest = wanted.reduce((latest, { at }) => Math.max(latest, at), 0);
  let reading = await askQuery(context, asked);
  const missing = () => {
    const ids = new Set((listedPets(reading) ?? []).map(idOf));
    return wanted.filter(({ id }) => !ids.has(id));
  };
  const isDone = () => !isWhole(reading, most) || missing().length === 0;
  if (!isDone())
    await eventually(context, 'list', newest, async () => {
      reading = await askQuery(context, asked);
      return isDone() ? reading : null;
    });
  if (!isWhole(reading, most)) return null;
  const listed = (listedPets(reading) ?? []).map(idOf);
  if (missing().length === 0 && wanted.length > 0) context.met('LIST-8');
  else if (asked.status !== undefined) await judgeByStatus(context, asked, reading);
  else if (wanted.length > 0)
    context.breach({
      requirement: 'LIST-8',
      rule: 'missing-from-list',
      variant: 'short page',
      ...incomplete({ wanted, listed, most, status: null }, context.fixtures),
      exchange: reading.exchange,
    });
  return listed.length;
};

/** Right before and after a list that leaves out an animal of a status, the animal has it. */
const isLeftOut = async (context: CaseContext, asked: Query, id: bigint): Promise<Reading | null> => {
  const { status = '' } = asked;
  if (!(await hasStatusNow(context, id, status))) return null;
  const reading = await leftOutTwice(context, asked, id);
  return reading !== null && (await hasStatusNow(context, id, status)) ? reading : null;
};

/**
 * Who reads one animal ahead, to see whether more follow, is off by one where the limit is just reached. Others may add, change and
 * remove theirs meanwhile, and lists may lag.
 */
const judgeJustReached = async (context: CaseContext, status: string, count: number): Promise<void> => {
  const first = await askQuery(context, queryOf(count, status));
  if (listedPets(first)?.length === count) return context.met('LIST-8');
  if (!isWhole(first, count)) return;
  await context.clock.sleep(mostLagMs);
  await judgeLast(context, status, (await listAll(context, status)).pets);
};

/** In a store that changes animals by itself, few may have the status for long: just created ones have it. */
const judgeJustCreated = async (context: CaseContext, status: string): Promise<void> => {
  const other = context.fixtures.statuses.find((each) => each !== status);
  // By then, those that were created for this before are changed.
  await context.clock.sleep(mostLagMs);
  const made = await Promise.all([1, 2, 3].map(() => createAnimal(context, { status })));
  await createAnimal(context, withStatus(other));
  const { pets, whole } = await listAll(context, status);
  if (!whole) return;
  const missing = made.find(({ id }) => !pets.some((pet) => idOf(pet) === id));
  if (missing !== undefined && (await judgeAtOnce(context, missing.id, listOf(status, {})))) return;
  await judgeLast(context, status, pets);
};

/** LIST-8: a list whose limit is the number of these animals, which all have the status, has the last one, too. */
const judgeLast = async (
  context: CaseContext,
  status: string,
  pets: readonly JsonObject[],
): Promise<void> => {
  if (pets.length === 0) return;
  const asked = queryOf(pets.length, status);
  const ids = new Set((listedPets(await askQuery(context, asked)) ?? []).map(idOf));
  const [missing] = pets.map(idOf).filter((id) => id !== null && !ids.has(id));
  if (missing === undefined || missing === null) return;
  const reading = await isLeftOut(context, asked, missing);
  if (reading === null) return;
  context.breach({
    requirement: 'LIST-8',
    rule: 'limit just reached',
    ...(context.fixtures.hasChanges() ? { mustRecur: true } : {}),
    message: `${pets.length} animals are ${status}, and with limit=${pets.length} not all of them are listed.`,
    expected: animals(pets.length),
    actual: `${animals(listedPets(reading)?.length ?? 0)}, without ${missing}`,
    exchange: reading.exchange,
  });
};
