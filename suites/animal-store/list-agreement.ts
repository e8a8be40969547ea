import type { CheckContext, JsonObject, RunContext } from '../../src/check/index.ts';
import { differingMember, idOf } from '../../src/check/pets.ts';
import { listAll } from './support/animals.ts';
import { mayWait, missingBreach, untilKnown } from './support/eventually.ts';
import { isSteadySince } from './support/status.ts';

/** When lists first disagreed on each animal. A later disagreement on it does not wait for the lag again. */
const disagreedSince = ({ state }: Pick<RunContext, 'state'>) =>
  state('disagreed-since', () => new Map<string, number>());

const firstDisagreement = (context: CheckContext, pet: JsonObject): { readonly at: number } => {
  const since = disagreedSince(context.run);
  const key = `${idOf(pet)} ${pet.status}`;
  const first = context.run.statusesReturn() ? undefined : since.get(key);
  const at = first ?? context.now();
  since.set(key, at);
  return { at };
};

type Listed = Awaited<ReturnType<typeof listAll>>;

const includes = (pets: readonly JsonObject[], pet: JsonObject): boolean =>
  pets.some((other) => differingMember(pet, other) === undefined);

/** Animals that have the status, are unchanged before and after, and are missing from a complete list in between. */
const missingBetween = (
  status: string,
  before: readonly JsonObject[],
  { pets, whole }: Listed,
  after: readonly JsonObject[],
): readonly JsonObject[] => {
  if (!whole) return [];
  const ids = new Set(pets.map(idOf));
  return before.filter((pet) => pet.status === status && !ids.has(idOf(pet)) && includes(after, pet));
};

/** The run's own animals have checks of their own, and a stored animal of a rejected creation is another failure. */
const isOfOthers = ({ run }: CheckContext, pet: JsonObject): boolean =>
  !(typeof pet.name === 'string' && pet.name.startsWith(run.namePrefix)) && !run.wasRefused(pet);

/**
 * The list of a status and the plain list agree on animals that the run did not create. Other clients may add and remove animals
 * meanwhile, and lists may lag: a missing animal is looked for again, and the other list must show it before and after.
 */
export const filteredAndPlainListsAgree = async (
  context: CheckContext,
  status: string,
  filtered: Listed,
  plain: Listed,
): Promise<void> => {
  const suspects = [
    ...missingBetween(status, context.run.initialList, filtered, plain.pets),
    ...missingBetween(status, filtered.pets, plain, filtered.pets),
  ].filter((pet) => isOfOthers(context, pet));
  if (suspects.length === 0) return;
  const disagreements = suspects.map((pet) => firstDisagreement(context, pet));
  const latest = Math.max(...disagreements.map(({ at }) => at));
  if (mayWait(context, 'LIST-8')) await untilKnown(context, disagreements);
  const since = context.now();
  const before = await listAll(context);
  const ofStatus = await listAll(context, status);
  const after = await listAll(context);
  const ofStatusAfter = await listAll(context, status);
  if (!isSteadySince(context, since)) return;
  const suspected = (pet: JsonObject) => includes(suspects, pet);
  const places = [
    [ofStatus, missingBetween(status, before.pets, ofStatus, after.pets), 'filtered'],
    [after, missingBetween(status, ofStatus.pets, after, ofStatusAfter.pets), 'plain'],
  ] as const;
  for (const [list, all, place] of places) {
    const missing = all.filter(suspected).map(idOf);
    if (missing.length === 0) continue;
    return missingBreach(context, latest, {
      requirement: 'LIST-8',
      problem: { rule: 'lists-disagree', status, in: place, missing, count: list.pets.length },
      mustRecur: 'if statuses return',
      response: list.response,
    });
  }
};
