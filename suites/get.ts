import type { Json, JsonObject } from '../src/json/json.ts';
import { stringifyJson } from '../src/json/stringify.ts';
import { memoised } from '../src/memo/memo.ts';
import { differingMember, howDiffers, idOf, petOf } from '../src/oracle/pet.ts';
import type { Reading } from '../src/oracle/reading.ts';
import { mostLagMs } from '../src/oracle/rules/own-animals.ts';
import { anyCase, type CaseContext, type Check } from '../src/run/check.ts';
import type { CreatedPet, Fixtures } from '../src/run/fixtures.ts';
import { deprecationHeaders, removed, stillWorks } from './get-deprecated.ts';
import { noInt64, unknownId } from './get-unknown.ts';
import { createAnimal, listAll } from './support/animals.ts';
import { earlyRemoval, getUntilServed, isPet, notServed, pick, whileOffered } from './support/served.ts';

/** GET-1: the animal is served, and is what it was. */
const judgeServed = (context: CaseContext, animal: CreatedPet, reading: Reading, whence: string): void => {
  const { id, pet } = animal;
  const served = petOf(reading);
  if (reading.status !== 200) {
    notServed(context, animal, reading, whence);
    if (reading.status === 410) earlyRemoval(context, reading);
    return;
  }
  if (served === null || !isPet(context, served)) return;
  if (!isPet(context, pet)) context.end(`the animal was not ${whence} as a Pet`);
  const member = differingMember(pet, served);
  if (member === undefined) {
    context.met('GET-1');
    return;
  }
  context.breach({
    requirement: 'GET-1',
    rule: `${member} differs as ${whence}`,
    message: `GET /pets/${id} does not give the animal as it was ${whence}: ${howDiffers(member, served)}.`,
    expected: stringifyJson(pick(pet)),
    actual: stringifyJson(pick(served)),
    exchange: reading.exchange,
  });
};

const createdIsServed: Check<JsonObject> = {
  name: 'GET-1 a created animal is served as it was created',
  gives: ['GET-1'],
  phase: 'main',
  cost: 2,
  readOnlyCost: 0,
  examples: ({ statuses }) => [...statuses.map((status) => ({ status })), {}],
  attempt: async (members, context) => {
    whileOffered(context);
    const animal = await createAnimal(context, members);
    judgeServed(context, animal, await getUntilServed(context, animal), 'created');
  },
};

const named =
  (tells: (name: string) => boolean) =>
  ({ name }: JsonObject): boolean =>
    typeof name === 'string' && tells(name);

/** Integers that no double has; far beyond int64 there are some that a double takes for infinite. */
const isSpoiltByDoubles = (value: Json | undefined): boolean =>
  typeof value === 'bigint' && !(Number.isFinite(Number(value)) && BigInt(Number(value)) === value);

/** Animals that naive code spoils, each in a way of its own. */
const telling: readonly ((pet: JsonObject) => boolean)[] = [
  ({ categoryId }) => isSpoiltByDoubles(categoryId),
  named((name) => name.length > 64),
  named((name) => /[<>&]/.test(name)),
  named((name) => !/^[\x20-\x7e]*$/.test(name)),
  ({ status }) => status === undefined,
  named((name) => /["'\\]/.test(name)),
  named((name) => / {2}|^ | $/.test(name)),
  named((name) => name.length > 40),
  named((name) => name === ''),
  named((name) => name === 'null' || name === 'true'),
  named((name) => /\p{Cc}/u.test(name.replaceAll(/[\t\n]/g, ''))),
  named((name) => /[\t\n]/.test(name)),
  named((name) => /^\d+$/.test(name)),
];

/** Every other pick is one that tells something; the others stand from the first to the last. */
const pickAmong = <Item extends { readonly pet: JsonObject }>(
  items: readonly Item[],
  index: number,
  of: number,
): Item | undefined => {
  const tells = index % 2 === 1 ? telling[(index - 1) / 2] : undefined;
  const found = items.find(({ pet }) => tells?.(pet) === true);
  return found ?? items[Math.min(items.length - 1, Math.floor((index * items.length) / (of - 1)))];
};

const isSame = (a: JsonObject | null, b: JsonObject | null): boolean =>
  a === b || (a !== null && b !== null && differingMember(a, b) === undefined);

/**
 * Others may change or remove their animals between a list and what getPet says then, and a list may lag: what differs is listed again
 * later, and judged where neither answer has changed.
 */
const judgeListed = async (context: CaseContext, id: bigint, listed: JsonObject): Promise<void> => {
  const isOwn = context.fixtures.created().some((own) => own.id === id);
  let pet = listed;
  for (let looks = 0; looks < 3; looks += 1) {
    const animal = { id, pet, at: context.clock.now() };
    const reading = await getUntilServed(context, animal);
    const served = petOf(reading);
    const agrees = reading.status === 200 && isSame(pet, served);
    if (agrees) return judgeServed(context, animal, reading, 'listed');
    if (!isOwn) await context.clock.sleep(mostLagMs);
    const again = (await listAll(context)).pets.find((other) => idOf(other) === id);
    if (again === undefined) return context.end('the animal is listed no longer');
    const last = isOwn ? reading : await getUntilServed(context, animal);
    const isSettled = isSame(pet, again) && last.status === reading.status && isSame(served, petOf(last));
    if (isSettled) return judgeServed(context, animal, last, 'listed');
    pet = again;
  }
  context.end('the animal is changed by others again and again');
};

/** The list that cases pick from: read once a run, and again where an animal is not served as it is listed. */
const lists = memoised((_run: Fixtures): { pets?: readonly JsonObject[] } => ({}));

const listedIsServed: Check<number> = {
  name: 'GET-1 a listed animal is served as it is listed',
  gives: ['GET-1'],
  phase: 'late',
  // The others stand for those that lie between; most of what tells something is looked for among the created ones.
  examples: () => [0, 1, 21, 23, 25, 6],
  attempt: async (index, context) => {
    whileOffered(context);
    const shown = lists(context.fixtures);
    shown.pets ??= (await listAll(context)).pets;
    const pet = pickAmong(
      shown.pets.map((each) => ({ pet: each })),
      index,
      8,
    )?.pet;
    const id = pet === undefined ? null : idOf(pet);
    if (pet === undefined || id === null) return context.end('no animal is listed');
    if (!isPet(context, pet)) context.end('the list does not show the animal as a Pet');
    await judgeListed(context, id, pet);
  },
};

/** While the list is short: what others created long ago stands on the first page. */
const othersAreServed: Check<'first' | 'last'> = {
  name: 'GET-1 an animal of others is served as it is listed',
  gives: ['GET-1'],
  phase: 'whole-list',
  examples: ({ listedAtStart }) => (listedAtStart.length === 0 ? [] : ['first', 'last']),
  attempt: async (which, context) => {
    whileOffered(context);
    const pet = context.fixtures.listedAtStart.at(which === 'first' ? 0 : -1);
    const id = pet === undefined ? null : idOf(pet);
    if (pet === undefined || id === null) return context.end('no animal of others is listed');
    if (!isPet(context, pet)) context.end('the list does not show the animal as a Pet');
    await judgeListed(context, id, pet);
  },
};

/** Looks again at what the run created, once much else was created since: first, last, and some between. */
const createdStays: Check<number> = {
  name: 'GET-1 a created animal stays as it was',
  gives: ['GET-1'],
  phase: 'late',
  readOnlyCost: 0,
  looksBack: true,
  examples: () => Array.from({ length: 20 }, (_, index) => index),
  attempt: async (index, context) => {
    whileOffered(context);
    const animal = pickAmong(context.fixtures.created(), index, 20);
    if (animal === undefined) return context.end('the run knows of no animal that it created');
    judgeServed(context, animal, await getUntilServed(context, animal), 'created');
  },
};

export const gets: readonly Check<unknown>[] = [
  anyCase(createdIsServed),
  anyCase(stillWorks),
  anyCase(removed),
  anyCase(unknownId),
  anyCase(noInt64),
  anyCase(deprecationHeaders),
  anyCase(othersAreServed),
  anyCase(listedIsServed),
  anyCase(createdStays),
];
