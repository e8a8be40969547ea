import type { JsonObject } from '../src/json/json.ts';
import { differingMember, idOf } from '../src/oracle/pet.ts';
import { animals } from '../src/oracle/rule.ts';
import { mostLagMs } from '../src/oracle/rules/own-animals.ts';
import type { CaseContext } from '../src/run/check.ts';
import { listAll } from './support/animals.ts';

type Listed = Awaited<ReturnType<typeof listAll>>;

const holds = (pets: readonly JsonObject[], pet: JsonObject): boolean =>
  pets.some((other) => differingMember(pet, other) === undefined);

/** What has the status and stands unchanged before and after, and is missing from a list in between that is seen whole. */
const missingBetween = (
  status: string,
  before: readonly JsonObject[],
  { pets, whole }: Listed,
  after: readonly JsonObject[],
): readonly JsonObject[] => {
  if (!whole) return [];
  const ids = new Set(pets.map(idOf));
  return before.filter((pet) => pet.status === status && !ids.has(idOf(pet)) && holds(after, pet));
};

/** The run's own animals are looked for as such, and of those that were refused it is said that they are stored at all. */
const isOfOthers = ({ fixtures }: CaseContext, pet: JsonObject): boolean =>
  !(typeof pet.name === 'string' && pet.name.startsWith(fixtures.namePrefix)) && !fixtures.wasRefused(pet);

/**
 * The list of a status and the plain one agree on the animals that the run did not create as well. Others may add and remove theirs
 * meanwhile, and lists may lag: what is missing is looked for again, and must be listed by the other one before and after.
 */
export const filteredAndPlainListsAgree = async (
  context: CaseContext,
  status: string,
  filtered: Listed,
  plain: Listed,
): Promise<void> => {
  const suspects = [
    ...missingBetween(status, context.fixtures.listedAtStart, filtered, plain.pets),
    ...missingBetween(status, filtered.pets, plain, filtered.pets),
  ].filter((pet) => isOfOthers(context, pet));
  if (suspects.length === 0) return;
  await context.clock.sleep(mostLagMs);
  const before = await listAll(context);
  const ofStatus = await listAll(context, status);
  const after = await listAll(context);
  const ofStatusAfter = await listAll(context, status);
  const suspected = (pet: JsonObject) => holds(suspects, pet);
  const places = [
    [ofStatus, missingBetween(status, before.pets, ofStatus, after.pets), `the list of status ${status}`],
    [after, missingBetween(status, ofStatus.pets, after, ofStatusAfter.pets), 'the list'],
  ] as const;
  for (const [list, all, where] of places) {
    const missing = all.filter(suspected).map(idOf);
    if (missing.length === 0) continue;
    return context.breach({
      requirement: 'LIST-8',
      rule: 'lists disagree',
      message: `The animal ${missing[0]} is ${status}, and is missing from ${where}, although the page is not full: the list ${list === after ? `of status ${status}` : 'without status'} has it.`,
      expected: `the animal with "id":${missing[0]} in ${where}`,
      actual: `${animals(list.pets.length)}, without ${missing.slice(0, 5).join(', ')}`,
      exchange: list.reading.exchange,
    });
  }
};
