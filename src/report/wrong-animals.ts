import type { JsonObject } from '../json/json.ts';
import { stringifyJson } from '../json/stringify.ts';
import type { RecordedExchange, ServerFailure, Step } from '../run/outcome.ts';
import { type Explains, isSame, type Node } from './failure-node.ts';
import { objectsIn } from './json-text.ts';

/** Returns an id as JSON, because `7` and `"7"` are different ids of a list. */
const idOf = ({ id }: JsonObject): readonly string[] =>
  id === undefined || id === null || typeof id === 'object' ? [] : [stringifyJson(id)];

/** The ids of the animals in a successful response, a list or a single one. */
const animalIds = ({ response }: Pick<Step, 'response'>): readonly string[] =>
  response === null || response.status >= 300 ? [] : objectsIn(response.body).flatMap(idOf);

const unquoted = (id: string): string => id.replaceAll('"', '');

/** An id of a request as servers return it: as it is, or after it passed through a double. */
const asReturned = (id: string): readonly string[] => [id, String(Number(id))];

/** The ids that creations took from the request: another animal may have had them before. */
const idsFromRequests = (exchanges: readonly RecordedExchange[]): ReadonlySet<string> =>
  new Set(
    exchanges
      .filter(({ operation }) => operation === 'createPet')
      .flatMap((exchange) => {
        const sent = objectsIn(exchange.request.body).flatMap(idOf).map(unquoted).flatMap(asReturned);
        return animalIds(exchange).filter((id) => sent.includes(unquoted(id)));
      }),
  );

/** An id that is text in a body is not an int64 either. */
export const textsOfIds: Explains = (cause, effect) =>
  effect.failure.rule === 'id-not-int64' &&
  cause.failure.rule === 'schema' &&
  cause.failure.operation === effect.failure.operation &&
  isSame(cause.failure.members, ['id']);

const isFiltered = ({ request: { url } }: RecordedExchange): boolean =>
  URL.canParse(url) && new URL(url).searchParams.has('status');

/** Whether every failing list has one of these animals, and no passing list has it. A list without a filter cannot fail by it. */
const onlyListsWith = (ids: ReadonlySet<string>, { exchanges, passing, failure: { rule } }: Node) => {
  const comparable = rule === 'wrong-filter' ? passing.filter(isFiltered) : passing;
  const inPassingLists = new Set(comparable.flatMap(animalIds));
  const suspects = [...ids].filter((id) => !inPassingLists.has(id));
  return (
    exchanges.length > 0 && exchanges.every((list) => animalIds(list).some((id) => suspects.includes(id)))
  );
};

/** Ids that several creations returned. */
const idsOfSeveral = ({ exchanges, passing }: Node): ReadonlySet<string> => {
  const creations = new Map([...exchanges, ...passing].map((each) => [each.id, animalIds(each)]));
  const ids = [...creations.values()].flat();
  return new Set(ids.filter((id, index) => ids.indexOf(id) < index));
};

/** Requirements that keep an invalid animal out of the store, and so out of lists. */
const rejectInvalid: readonly string[] = ['CREATE-5', 'CREATE-6', 'CREATE-7'];

/** The ids of wrong animals that a failure put into the store: with an id from the request, or invalid. */
const wrongAnimals = (cause: Node, effect: Node): ReadonlySet<string> => {
  if (cause.requirement === 'CREATE-10')
    return idsFromRequests([...cause.exchanges, ...effect.exchanges, ...cause.passing]);
  if (!rejectInvalid.includes(cause.requirement)) return new Set();
  const reused = idsOfSeveral(cause);
  return new Set(cause.exchanges.flatMap(animalIds).filter((id) => !reused.has(id)));
};

/** Rules that a wrong animal in the store can break. Other rules, such as a missing header, have other causes. */
const aboutAnimals: readonly string[] = [
  'schema',
  'duplicate-id',
  'id-reused',
  'id-not-int64',
  'animal-replaced',
  'member-differs',
  'wrong-animal',
  'wrong-filter',
  'lists-disagree',
  'server-error',
];

/** Rules that two animals with one id break. */
const aboutReused: readonly string[] = [
  ...['duplicate-id', 'id-reused', 'animal-replaced', 'member-differs', 'wrong-animal', 'id-from-request'],
];

/** Whether a wrong animal can cause the failure. An id from the request makes no other member invalid. */
const canBreak = ({ requirement }: Node, { failure: { rule, members = ['id'] } }: Node): boolean =>
  aboutAnimals.includes(rule) && (rule !== 'schema' || requirement !== 'CREATE-10' || members.includes('id'));

/** The failure is about a wrong animal in the store: it replaces another, is listed twice, or has an invalid member. */
export const wrongAnimalInStore: Explains = (cause, effect) => {
  const ids = cause === effect || !canBreak(cause, effect) ? new Set<string>() : wrongAnimals(cause, effect);
  if (ids.size === 0) return false;
  const before = (effect.failure.before ?? []).flatMap(animalIds);
  if (effect.failure.operation !== 'listPets')
    return [...before, ...animalIds(effect.failure)].some((id) => ids.has(id));
  return (before.length > 0 && before.every((id) => ids.has(id))) || onlyListsWith(ids, effect);
};

/** Rules that a lost animal breaks, and an animal that got the id of a lost one. */
const aboutLost: readonly string[] = [
  ...['missing-from-list', 'not-served', 'id-reused', 'member-differs', 'wrong-animal', 'animal-replaced'],
];

export const isAboutLost = ({ rule }: ServerFailure): boolean => aboutLost.includes(rule);

/** The server crashes, and after its start it no longer has the animals from before. The same request alone crashes it again. */
export const lostByCrash: Explains = (cause, effect) => {
  const { problem, seen, tries } = cause.failure;
  const isCrash =
    problem.rule === 'no-response' && problem.failure === 'reset' && tries > 1 && seen === tries;
  const { origin, exchanges } = effect;
  if (!isCrash || origin === null || !isAboutLost(effect.failure)) return false;
  const crash = Math.min(...cause.exchanges.map(({ id }) => id));
  return origin < crash && exchanges.length > 0 && exchanges.every(({ id }) => id > crash);
};

/** The failure is about an animal whose id other animals have, too. If the server takes ids from requests, that is why they repeat. */
export const reusedIds: Explains = (cause, effect) => {
  if (cause.failure.rule !== 'id-reused' || !aboutReused.includes(effect.failure.rule)) return false;
  if (effect.bug?.code === 'idFromRequest') return false;
  if (effect.failure.rule === 'member-differs' && effect.failure.operation === 'createPet') return false;
  const ids = idsOfSeveral(cause);
  return animalIds(effect.failure).some((id) => ids.has(id));
};
