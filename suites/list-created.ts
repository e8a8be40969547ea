import type { JsonObject } from '../src/json/json.ts';
import { incomplete } from '../src/oracle/incomplete.ts';
import { differingMember, idOf, listedPets } from '../src/oracle/pet.ts';
import type { Reading } from '../src/oracle/reading.ts';
import { animals } from '../src/oracle/rule.ts';
import { mostLagMs } from '../src/oracle/rules/own-animals.ts';
import type { CaseContext, Check } from '../src/run/check.ts';
import type { CreatedPet } from '../src/run/fixtures.ts';
import { judgeAgreement } from './list-agreement.ts';
import { createAnimal, listAll } from './support/animals.ts';
import { untilSeen } from './support/looks.ts';
import { storeBeyond } from './support/many.ts';
import { type Query, queryOf, sendQuery } from './support/query.ts';

/** A list in which an animal has to be, and what it is a breach of where it is not. */
interface Place {
  readonly status?: string;
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
const listOf = (status: string): Place => ({
  status,
  rule: 'not listed by status',
  where: `the list of status ${status}`,
});

/** Looks for an animal in a list that is seen whole: found, missing, or not to be told. */
const findListed = async (context: CaseContext, { id, at }: CreatedPet, { status, page }: Place) => {
  const look = () => listAll(context, status, page);
  let list = await look();
  const isFound = () => list.pets.some((pet) => idOf(pet) === id);
  if (!isFound() && list.whole)
    await untilSeen(context, 'list', at, async () => {
      list = await look();
      return isFound() || !list.whole ? list : null;
    });
  return { found: isFound(), list };
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
    const filtered = own === undefined ? null : await judgeListed(context, animal, listOf(own));
    const plain = await judgeListed(context, animal, wholeList);
    await judgeListed(context, animal, defaultPage);
    if (own !== undefined && filtered !== null) await judgeAgreement(context, own, filtered, plain);
  },
};

/** Gives the list that it judged. */
const judgeListed = async (context: CaseContext, animal: CreatedPet, place: Place) => {
  const { found, list } = await findListed(context, animal, place);
  const { rule, where } = place;
  if (found) context.met('LIST-8');
  else if (list.whole)
    context.breach({
      requirement: 'LIST-8',
      rule,
      message: `The animal ${animal.id} was created and is missing from ${where}, although the page is not full.`,
      expected: `the animal with "id":${animal.id} in the list`,
      actual: `${animals(list.pets.length)}, without it`,
      exchange: list.reading.exchange,
    });
  else context.undecided('LIST-8', `${where} is longer than one page, and order is not shown`);
  return list;
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
    await storeBeyond(context, context.fixtures.page.maximum, 0);
    const count = await judgeShortPage(context, asked);
    if (count === null) return context.undecided('LIST-8', 'the page is full: it need not hold every animal');
    const { status, limit } = asked;
    if (status !== undefined && limit === context.fixtures.page.maximum && count > 0)
      await judgeJustReached(context, status, count);
  },
};

/** Judges a page that is not full, and gives its length; null: it is full, or none. */
const judgeShortPage = async (context: CaseContext, asked: Query): Promise<number | null> => {
  const most = asked.limit ?? context.fixtures.page.default;
  const wanted = context.fixtures
    .created()
    .filter(({ pet }) => asked.status === undefined || pet.status === asked.status);
  const newest = wanted.reduce((latest, { at }) => Math.max(latest, at), 0);
  let last: Reading | null = null;
  let missing: readonly bigint[] = [];
  await untilSeen(context, 'list', newest, async () => {
    const reading = await sendQuery(context, asked);
    const pets = listedPets(reading);
    last = null;
    if (reading.status !== 200 || pets === null || pets.length >= most) return reading;
    const ids = new Set(pets.map(idOf));
    last = reading;
    missing = wanted.map(({ id }) => id).filter((id) => !ids.has(id));
    return missing.length === 0 ? reading : null;
  });
  const reading = last as Reading | null;
  if (reading === null) return null;
  const count = listedPets(reading)?.length ?? 0;
  if (missing.length === 0) {
    if (wanted.length > 0) context.met('LIST-8');
    return count;
  }
  context.breach({
    requirement: 'LIST-8',
    rule: asked.status === undefined ? 'short page' : 'short page by status',
    ...incomplete(
      { wanted, listed: (listedPets(reading) ?? []).map(idOf), most, status: asked.status ?? null },
      context.fixtures,
    ),
    exchange: reading.exchange,
  });
  return count;
};

const isShort = (reading: Reading, most: number): boolean =>
  reading.status === 200 && (listedPets(reading)?.length ?? most) < most;

/**
 * Who reads one animal ahead, to see whether more follow, is off by one where the limit is just reached. Others may add and remove
 * theirs meanwhile, and lists may lag: only what is listed unchanged long enough before and after must be listed each time in between.
 */
const judgeJustReached = async (context: CaseContext, status: string, count: number): Promise<void> => {
  if (!isShort(await sendQuery(context, queryOf(count, status)), count)) return context.met('LIST-8');
  const { pets: before } = await listAll(context, status);
  if (before.length === 0) return;
  await context.clock.sleep(mostLagMs);
  const look = () => sendQuery(context, queryOf(before.length, status));
  const [first, reading] = [await look(), await look()];
  if (!isShort(first, before.length) || !isShort(reading, before.length)) return context.met('LIST-8');
  await context.clock.sleep(mostLagMs);
  const { pets: after } = await listAll(context, status);
  const listed = new Set([first, reading].flatMap((each) => listedPets(each) ?? []).map(idOf));
  const stays = (pet: JsonObject) => after.some((other) => differingMember(pet, other) === undefined);
  const missing = before.filter((pet) => !listed.has(idOf(pet)) && stays(pet)).map(idOf);
  if (missing.length === 0) return;
  context.breach({
    requirement: 'LIST-8',
    rule: 'limit just reached',
    message: `${before.length} animals are ${status}, and with limit=${before.length} not all of them are listed.`,
    expected: animals(before.length),
    actual: `${animals(listedPets(reading)?.length ?? 0)}, without ${missing.slice(0, 5).join(', ')}`,
    exchange: reading.exchange,
  });
};
