import {
  type ApiResponse,
  type CheckContext,
  getPet,
  type Json,
  type JsonObject,
  listPets,
  type RunContext,
} from '../../../src/check/index.ts';
import {
  type CreatedPet,
  idOf,
  isWhole,
  listedPets,
  missingFromPage,
  type OwnPet,
  petOf,
  replicaLagMs,
} from '../../../src/check/pets.ts';
import { mayWait, missingBreach, untilKnown } from './eventually.ts';
import { type Query, queryOf, sendQueryOnce } from './query.ts';

/** For this many milliseconds after its creation an animal has the status that createPet returned (GET-1). */
const freshMs = 250;

/** The response came right after the creation: later the status may change (GET-7). */
export const isFresh = ({ sentAt }: CreatedPet, { exchange }: ApiResponse): boolean =>
  exchange.startedAt + exchange.durationMs - sentAt <= freshMs;

const shownIn = (pets: readonly JsonObject[] | null, id: bigint): JsonObject | undefined =>
  pets?.find((pet) => idOf(pet) === id);

/** The animal as getPet returns it now, or the list if getPet is removed; null if it is missing. */
const shownNow = async (context: CheckContext, id: bigint): Promise<JsonObject | null> => {
  const isOffered = context.run.removalState() === 'before';
  const response = await context.send(isOffered ? getPet(id) : listPets({ limit: context.run.page.maximum }));
  if (response.status !== 200) return null;
  return (isOffered ? petOf(response) : shownIn(listedPets(response), id)) ?? null;
};

/** Returns whether the animal has the status now. Transitions are not specified (GET-7), so it may change with the next request. */
export const hasStatusNow = async (context: CheckContext, id: bigint, status: Json): Promise<boolean> =>
  (await shownNow(context, id))?.status === status;

/** An animal is not expected to change its status and change it back within this time, in milliseconds. */
const steadyMs = 500;

/** Returns whether an animal that has the status now, and had it at a time before, had it in between. */
export const isSteadySince = ({ run, now }: Pick<CheckContext, 'run' | 'now'>, since: number): boolean =>
  !run.statusesReturn() || now() - since <= steadyMs;

/** Returns whether the animal, which had the status at a time before, has had it ever since. */
const hasHadStatus = async (
  context: CheckContext,
  id: bigint,
  status: Json,
  since: number,
): Promise<boolean> => (await hasStatusNow(context, id, status)) && isSteadySince(context, since);

/** Returns whether the animal is in no list of a status, each complete, and not found by its id: it cannot have another status. */
const isNowhere = async (context: CheckContext, id: bigint): Promise<boolean> => {
  const { page, statuses } = context.run;
  if ((await shownNow(context, id)) !== null) return false;
  for (const status of statuses)
    if ((await listWithout(context, queryOf(page.maximum, status), id)) === null) return false;
  return true;
};

/** Returns whether a list of the status should contain the animal, which had the status at a time before. */
export const isExpectedIn = async (
  context: CheckContext,
  id: bigint,
  status: Json,
  since: number,
): Promise<boolean> => (await hasHadStatus(context, id, status, since)) || isNowhere(context, id);

/** Returns whether the animal has another status now. */
export const hasChangedFrom = async (context: CheckContext, id: bigint, status: Json): Promise<boolean> => {
  const shown = await shownNow(context, id);
  return shown !== null && shown.status !== status;
};

/** A list by status, and the missing animals that last had that status. */
interface Page {
  readonly response: ApiResponse;
  readonly missing: readonly OwnPet[];
}

/** Any animal may have got the status meanwhile: picks one of them, another one each time. */
const anyOf = (run: RunContext, animals: readonly OwnPet[]): readonly OwnPet[] => {
  const turn = run.state('animal-by-turns', () => ({ next: 0 }));
  turn.next += 1;
  return animals.slice(turn.next % Math.max(1, animals.length)).slice(0, 1);
};

const pageOf = ({ run }: CheckContext, { limit, status = '' }: Query, response: ApiResponse): Page => {
  const listed = listedPets(response) ?? [];
  const ids = new Set(listed.map(idOf));
  const isKnown = ({ at }: OwnPet): boolean => response.exchange.startedAt - at > replicaLagMs;
  const isMissing = (animal: OwnPet): boolean => isKnown(animal) && !ids.has(animal.id);
  if (!isWhole(response, limit ?? run.page.default)) return { response, missing: [] };
  const missing = run.ownPetsOf(status).filter(isMissing);
  const isInDoubt = missing.length === 0 && run.hasChanges();
  return { response, missing: isInDoubt ? anyOf(run, run.ownPets().filter(isMissing)) : missing };
};

/** The animal in the list of this status, else in the plain list, else in the list of another status. */
export const listedAs = async (
  context: CheckContext,
  id: bigint,
  status: Json | undefined,
): Promise<JsonObject | undefined> => {
  const { page, statuses } = context.run;
  const places = [...statuses.filter((each) => each === status), undefined, ...statuses];
  for (const place of new Set(places)) {
    const response = await sendQueryOnce(context, queryOf(page.maximum, place));
    const found = shownIn(listedPets(response), id);
    if (found !== undefined) return found;
  }
  return undefined;
};

/** Lists again. Returns the response if the list is complete and omits the animal. */
const listWithout = async (context: CheckContext, query: Query, id: bigint): Promise<ApiResponse | null> => {
  const response = await sendQueryOnce(context, query);
  const ids = (listedPets(response) ?? []).map(idOf);
  return isWhole(response, query.limit ?? context.run.page.default) && !ids.includes(id) ? response : null;
};

/** Lists twice in a row without the animal: one lagging replica does not explain that. */
const omittedTwice = async (context: CheckContext, query: Query, id: bigint): Promise<ApiResponse | null> =>
  (await listWithout(context, query, id)) === null ? null : listWithout(context, query, id);

/**
 * Returns a complete list by status that omits the animal, which has the status before and after; null: there is none. `isShown`: somewhere
 * else it is shown with the status.
 */
export const listBetween = async (
  context: CheckContext,
  query: Query,
  id: bigint,
  isShown = hasStatusNow,
): Promise<ApiResponse | null> => {
  const { status = '' } = query;
  const since = context.now();
  if (!(await isShown(context, id, status))) return null;
  const response = await omittedTwice(context, query, id);
  if (response === null || !(await isShown(context, id, status)) || !isSteadySince(context, since))
    return null;
  // If the other lists agree on another status, getPet is wrong, not this list (GET-1).
  const listed = await listedAs(context, id, status);
  return listed === undefined || listed.status === status ? response : null;
};

/** When an animal missing from a list was first shown with a status. A run finds the same ones repeatedly. */
const shownSince = ({ state }: Pick<RunContext, 'state'>) =>
  state('shown-since', () => new Map<string, number>());

/** Waits until no list may lag behind the status that an animal has now. */
const untilListed = async (context: CheckContext, id: bigint, status: string): Promise<void> => {
  const shown = shownSince(context.run);
  const key = `${id} ${status}`;
  const since = context.run.statusesReturn() ? undefined : shown.get(key);
  const at = since ?? context.now();
  shown.set(key, at);
  await untilKnown(context, [{ at }]);
};

/** LIST-8: a complete list by status contains every animal of the run that has the status at that time. */
export const judgeByStatus = async (
  context: CheckContext,
  query: Query,
  response: ApiResponse,
): Promise<void> => {
  const { status } = query;
  if (status === undefined) return;
  const page = pageOf(context, query, response);
  const [first] = page.missing;
  if (first === undefined) return;
  const changes = context.run.hasChanges();
  if (changes && !mayWait(context, 'LIST-8')) return context.inconclusive({ code: 'may-lag' }, 'LIST-8');
  if (!(await hasStatusNow(context, first.id, status))) return;
  if (changes) await untilListed(context, first.id, status);
  const shown = changes ? await listBetween(context, query, first.id) : page.response;
  if (shown === null) return;
  const listed = (listedPets(shown) ?? []).map(idOf);
  const isListed = ({ id }: OwnPet): boolean => listed.includes(id);
  // Other missing animals may have changed.
  const wanted = changes
    ? [...context.run.ownPetsOf(status).filter(isListed), first]
    : context.run.ownPetsOf(status).filter((animal) => isListed(animal) || page.missing.includes(animal));
  missingBreach(context, first.at, {
    requirement: 'LIST-8',
    mustRecur: 'if statuses return',
    ...missingFromPage(
      { wanted, listed, most: query.limit ?? context.run.page.default, status },
      context.run,
    ),
    response: shown,
  });
};

/** Whether a list lacked the same animals after a wait. */
const uselessWait = ({ state }: Pick<RunContext, 'state'>) =>
  state('useless-wait', () => ({ isFound: false }));

/** Lists; if animals are missing from a page that is not full, again when lists can no longer lag, unless that was useless before. */
export const askSettled = async (context: CheckContext, query: Query): Promise<ApiResponse> => {
  const { run } = context;
  const response = await sendQueryOnce(context, query);
  if (!isWhole(response, query.limit ?? run.page.default)) return response;
  const ids = new Set((listedPets(response) ?? []).map(idOf));
  const wanted = query.status === undefined ? run.ownPets() : run.ownPetsOf(query.status);
  const isMissing = wanted.some(({ id }) => !ids.has(id));
  const useless = uselessWait(run);
  if (!isMissing || useless.isFound || !mayWait(context, 'LIST-8')) return response;
  if (!(await untilKnown(context, wanted, response.exchange.startedAt))) return response;
  const settled = await sendQueryOnce(context, query);
  const missed = wanted.filter(({ id }) => !ids.has(id));
  const found = new Set((listedPets(settled) ?? []).map(idOf));
  useless.isFound = !missed.some(({ id }) => found.has(id));
  return settled;
};

/** The same, and checks a list by status for missing animals. */
export const sendSettled = async (context: CheckContext, query: Query): Promise<ApiResponse> => {
  const response = await askSettled(context, query);
  await judgeByStatus(context, query, response);
  return response;
};

/** Lists, and checks a list by status for missing animals. */
export const sendQuery = async (context: CheckContext, query: Query): Promise<ApiResponse> => {
  const response = await sendQueryOnce(context, query);
  await judgeByStatus(context, query, response);
  return response;
};
