import type { Json, JsonObject } from '../src/json/json.ts';
import { stringifyJson } from '../src/json/stringify.ts';
import { memoised } from '../src/memo/memo.ts';
import { differingMember, howDiffers, idOf, petOf } from '../src/oracle/pet.ts';
import type { Reading } from '../src/oracle/reading.ts';
import { mostLagMs, statusSubject } from '../src/oracle/rules/own-animals.ts';
import { anyCase, type CaseContext, type Check } from '../src/run/check.ts';
import type { CreatedPet, Fixtures } from '../src/run/fixtures.ts';
import { deprecationHeaders, removed, stillWorks } from './get-deprecated.ts';
import { noInt64, unknownId } from './get-unknown.ts';
import { createAnimal, listAll } from './support/animals.ts';
import {
  earlyRemoval,
  getEventually,
  isPet,
  notFoundBreach,
  pick,
  skipIfRemoved,
} from './support/available.ts';
import { isFresh } from './support/status.ts';

/** GET-1: the animal is served, and is what it was. */
const judgeServed = (context: CaseContext, animal: CreatedPet, reading: Reading, whence: string): void => {
  const { id, pet } = animal;
  const served = petOf(reading);
  if (reading.status !== 200) {
    notFoundBreach(context, animal, reading, whence);
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
    // A list shows what is there; at its creation an animal may be changed by others at once.
    ...(member === 'status' && whence === 'created' ? { mustRecur: true } : {}),
    message: `GET /pets/${id} does not give the animal as it was ${whence}: ${howDiffers(member, served)}.`,
    expected: stringifyJson(pick(pet)),
    actual: stringifyJson(pick(served)),
    exchange: reading.exchange,
  });
};

/** The status that is served is another one than createPet returned, and both are of the enumeration. */
const isChanged = (context: CaseContext, { pet }: CreatedPet, reading: Reading): boolean => {
  const served = reading.status === 200 ? petOf(reading) : null;
  return (
    served !== null &&
    isPet(context, served) &&
    served.status !== undefined &&
    differingMember(pet, served) === 'status'
  );
};

/**
 * GET-1, GET-7: right after its creation an animal has the status that createPet returned. Later the status may change, in the list and
 * in getPet alike.
 */
const judgeCreated = async (context: CaseContext, animal: CreatedPet, reading: Reading): Promise<void> => {
  if (!isChanged(context, animal, reading) || isFresh(animal, reading))
    return judgeServed(context, animal, reading, 'created');
  const served = petOf(reading);
  const listed = await listedAs(context, animal.id, served?.status);
  if (listed === undefined)
    return context.undecided('GET-1', 'the status of the animal changed, and no list shows the animal');
  if (listed.status === served?.status) return context.met('GET-1');
  await judgeListed(context, animal.id, listed);
};

/** The animal in the list of its status, else in the plain list. */
const listedAs = async (
  context: CaseContext,
  id: bigint,
  status: Json | undefined,
): Promise<JsonObject | undefined> => {
  for (const asked of typeof status === 'string' ? [status, undefined] : [undefined]) {
    const found = (await listAll(context, asked)).pets.find((pet) => idOf(pet) === id);
    if (found !== undefined) return found;
  }
  return undefined;
};

const createdIsServed: Check<JsonObject> = {
  name: 'GET-1 a created animal is served as it was created',
  gives: ['GET-1'],
  phase: 'main',
  cost: 2,
  readOnlyCost: 0,
  examples: ({ statuses }) => [...statuses.map((status) => ({ status })), {}],
  attempt: async (members, context) => {
    skipIfRemoved(context);
    const animal = await createAnimal(context, members);
    await judgeCreated(context, animal, await getEventually(context, animal));
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

/** Only the status differs: any animal may get another one at any time. */
const mayHaveChanged = (a: JsonObject, b: JsonObject | null): boolean =>
  b !== null && differingMember(a, b) === 'status';

/**
 * Others may change or remove their animals between a list and what getPet says then, any status may change (GET-7), and a list may lag:
 * what differs is listed again later, and judged if neither response has changed.
 */
const judgeListed = async (context: CaseContext, id: bigint, listed: JsonObject): Promise<void> => {
  const isOwn = context.fixtures.created().some((own) => own.id === id);
  let pet = listed;
  for (let looks = 0; looks < 3; looks += 1) {
    const animal = { id, pet, sentAt: 0, at: context.clock.now() };
    const reading = await getEventually(context, animal);
    const served = petOf(reading);
    if (reading.status === 200 && isSame(pet, served)) return judgeServed(context, animal, reading, 'listed');
    const isFixed = isOwn && !mayHaveChanged(pet, served);
    const isAsBefore = (other: Reading) => other.status === reading.status && isSame(served, petOf(other));
    if (!isFixed) await context.clock.sleep(mostLagMs);
    const later = isFixed ? reading : await getEventually(context, animal);
    const again = await listedAs(context, id, pet.status);
    if (again === undefined) return context.end('the animal is listed no longer');
    const last = isFixed ? reading : await getEventually(context, animal);
    if (isSame(pet, again) && isAsBefore(later) && isAsBefore(last))
      return judgeServed(context, animal, last, 'listed');
    pet = again;
  }
  context.end('the animal is changed again and again');
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
    skipIfRemoved(context);
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
    skipIfRemoved(context);
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
  gives: ['GET-1', 'GET-7'],
  phase: 'late',
  readOnlyCost: 0,
  looksBack: true,
  examples: () => Array.from({ length: 20 }, (_, index) => index),
  attempt: async (index, context) => {
    skipIfRemoved(context);
    const animal = pickAmong(context.fixtures.created(), index, 20);
    if (animal === undefined) return context.end('the run knows of no animal that it created');
    const reading = await getEventually(context, animal);
    if (petOf(reading)?.status === animal.pet.status) context.observe('GET-7', statusSubject, 'unchanged');
    await judgeCreated(context, animal, reading);
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
