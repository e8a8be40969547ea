import { isJsonObject, type Json, type JsonObject } from '../../json/json.ts';
import type { ServerFailure } from '../../run/outcome.ts';
import { jsonIn } from '../json-text.ts';
import { type Context, type Exchanged, queryOf, type Run, returnedAnimals } from './context.ts';
import { losesCreated } from './creations.ts';

/** Whether a list became an object with the indexes of its items as names. */
export const isIndexed = ({ failure: { response } }: Context): boolean => {
  const value = jsonIn(response?.body);
  const names = isJsonObject(value) ? Object.keys(value) : [];
  return names.length > 0 && names.every((name) => /^\d+$/.test(name));
};

/** The only member of a body that is a list. Returns null if the body is an animal, or not an object with one list. */
const envelopeIn = (body: string | null | undefined): string | null => {
  const value = jsonIn(body);
  if (!isJsonObject(value) || 'categoryId' in value) return null;
  const lists = Object.entries(value).filter(([, member]) => Array.isArray(member));
  const [[name, items] = ['', null], ...others] = lists;
  return others.length === 0 && Array.isArray(items) && items.every((item: Json) => isJsonObject(item))
    ? name
    : null;
};

/** The member that has the list of a failing response, or null for other failures. */
export const envelopeOf = ({ problem, operation, response }: ServerFailure): string | null => {
  const isWhole = problem.rule === 'schema' && problem.mistakes[0]?.pointer === '';
  return operation === 'listPets' && isWhole ? envelopeIn(response?.body) : null;
};

const isList = ({ response }: Pick<Exchanged, 'response'>): boolean => Array.isArray(jsonIn(response?.body));

const isUnderStatus = (list: Exchanged): boolean => queryOf(list, 'status') !== null;

const defaultLimit = 20;

const limitOf = (list: Exchanged): number => Number(queryOf(list, 'limit') ?? defaultLimit);

/** Every name that the run gives to an ordinary animal begins with this. */
const ownName = 'conformance-';

const isOwn = ({ name }: JsonObject): boolean => String(name).startsWith(ownName);

/** Whether a list shows no animal of the run. */
const showsNoneOfRun = (failure: ServerFailure): boolean =>
  failure.rule === 'missing-from-list' && isList(failure) && !returnedAnimals(failure).some(isOwn);

/** Whether getPet finds an animal of a run. */
const findsOwn = ({ exchanges }: Run): boolean =>
  exchanges
    .filter(({ operation, response }) => operation === 'getPet' && response?.status === 200)
    .flatMap(returnedAnimals)
    .some(isOwn);

/** Whether getPet does not find created animals either. If it finds some, others are lost for a reason of their own. */
export const isNotStored = ({ failure, run }: Context): boolean =>
  losesCreated(run) && showsNoneOfRun(failure) && !findsOwn(run);

/** Whether lists without status, too, show no animal of the run. */
export const listsOfOthers = ({ failure, failures }: Context): boolean =>
  showsNoneOfRun(failure) && failures.some((each) => !isUnderStatus(each) && showsNoneOfRun(each));

const idsIn = (exchanged: Exchanged): readonly string[] =>
  returnedAnimals(exchanged).map(({ id }) => String(id));

/** The ids that a list lacks. */
const missingFrom = ({ problem, before = [] }: ServerFailure): readonly string[] => [
  ...(problem.rule === 'missing-from-list' && 'id' in problem ? [String(problem.id)] : []),
  ...before.filter(({ request }) => request.method === 'POST').flatMap(idsIn),
];

/** Whether a list lacks animals that another list shows, and is so short that more than the last is missing. */
const isCutBefore = (failure: ServerFailure, { exchanges }: Run): boolean => {
  const lists = [
    ...(failure.before ?? []),
    ...exchanges.filter((each) => each.operation === 'listPets' && !isUnderStatus(each)),
  ];
  const shown = new Set(lists.filter(isList).flatMap(idsIn));
  return (
    returnedAnimals(failure).length * 3 < limitOf(failure) * 2 &&
    missingFrom(failure).some((id) => shown.has(id))
  );
};

/** Whether only lists with status lack animals, and one of them lacks what another list shows: what is filtered after the page is cut. */
export const filtersLate = (context: Context): boolean => {
  const { failure, failures, run } = context;
  return (
    failure.rule === 'missing-from-list' &&
    !isNotStored(context) &&
    failures.every((each) => isUnderStatus(each) && isList(each)) &&
    returnedAnimals(failure).length > 0 &&
    failures.some((each) => isCutBefore(each, run))
  );
};

/** Whether every page with too many animals has exactly one too many; cut bodies do not count. A single page may be the whole store by chance. */
export const hasOneTooMany = ({ requirement, run }: Context): boolean => {
  const pages = run.exchanges.filter((each) => each.breaches.includes(requirement) && isList(each));
  return (
    new Set(pages.map(({ response }) => response?.body)).size > 1 &&
    pages.every((page) => returnedAnimals(page).length === limitOf(page) + 1)
  );
};

const hasLimit = (failure: ServerFailure, ...limits: readonly string[]): boolean =>
  limits.includes(queryOf(failure, 'limit') ?? '');

export const isBound = ({ failure }: Context): boolean =>
  hasLimit(failure, '1', '100') && (failure.response?.status ?? 0) >= 400;

export const isBeyondBound = ({ failure }: Context): boolean =>
  hasLimit(failure, '0', '101') && failure.response?.status === 200;
