import { excerpt } from '../json/excerpt.ts';
import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { type Failure, isOfServer, type RequirementResult, type ServerFailure } from '../run/outcome.ts';
import { hasErrorShapeProblem, printedError } from './error-bodies.ts';
import { frameworkOf } from './frameworks.ts';
import { jsonIn, objectsIn } from './json-text.ts';
import { nameChangeBetween } from './name-changes.ts';

/** A failure of one requirement. */
export interface FailureOf {
  readonly requirement: string;
  readonly failure: ServerFailure;
}

/** A failure, with all failures of its requirement. */
interface Context extends FailureOf {
  readonly failures: readonly ServerFailure[];
  /** getPet does not find an animal right after its creation. */
  readonly isCreatedNotFound: boolean;
}

/** Returns the sentence that names a bug, if the failure shows this bug. */
type Bug = (context: Context) => string | null;

/** A bug that failures of some requirements show. */
const when =
  (ids: readonly string[], applies: (context: Context) => boolean, text: string): Bug =>
  (context) =>
    ids.includes(context.requirement) && applies(context) ? text : null;

/** A bug with facts; null: the failure does not show it. */
const bugWith =
  <Facts>(find: (context: Context) => Facts | null, text: (facts: Facts) => string): Bug =>
  (context) => {
    const facts = find(context);
    return facts === null ? null : text(facts);
  };

const sentObject = ({ failure }: Context): JsonObject => objectsIn(failure.request.body)[0] ?? {};

/** The animals of the response. */
const returnedAnimals = ({ failure }: Context): readonly JsonObject[] => objectsIn(failure.response?.body);

const firstReturned = (context: Context, name: string): Json | undefined =>
  returnedAnimals(context)[0]?.[name];

const query = ({ request }: ServerFailure, name: string): string | null =>
  URL.canParse(request.url) ? new URL(request.url).searchParams.get(name) : null;

const defaultErrorResponse = (context: Context) => {
  const { response } = context.failure;
  const framework = hasErrorShapeProblem(context) ? frameworkOf(response?.body) : null;
  return response === null || framework === null ? null : { ...framework, status: response.status };
};

const neverPasses = ({ passed = [] }: ServerFailure): boolean => passed.length === 0;

/** Fewer failures may have different causes. */
const fewestEverywhere = 3;

/** Returns the headers or members that all failures have in common; null: other rules or parts fail too, or similar requests passed. */
const commonParts = (
  { failure, failures }: Context,
  rule: string,
  part: 'headers' | 'members',
): readonly string[] | null => {
  const names = failure[part] ?? [];
  const isSame = failures.every(
    (each) => each.rule === rule && each[part]?.join() === names.join() && neverPasses(each),
  );
  return isSame && names.length > 0 && failures.length >= fewestEverywhere ? names : null;
};

/** The Content-Type of a response with a wrong media type; null: this is not the problem. */
export const wrongContentType = ({ problem }: ServerFailure): string | null =>
  problem.rule === 'media-type' ? problem.contentType : null;

const commonContentType = ({ requirement, failure, failures }: Context): string | null => {
  const contentType = wrongContentType(failure);
  const alike = failures.filter((each) => wrongContentType(each) === contentType);
  const isEverywhere = alike.length >= fewestEverywhere && alike.every(neverPasses);
  return requirement === 'GEN-2' && isEverywhere ? contentType : null;
};

/** Requirements that give 400 for an invalid body. */
const bodyRequirements: readonly string[] = ['CREATE-5', 'CREATE-6', 'CREATE-7'];

const otherClientError = ({ requirement, failure: { problem, operation } }: Context) => {
  if (!bodyRequirements.includes(requirement) || problem.rule !== 'status') return null;
  const { wrongStatus: status } = problem;
  return status > 400 && status < 500 ? { operation, status } : null;
};

/** Requirements on the status of a valid creation. */
const creationRequirements: readonly string[] = ['CREATE-1', 'GEN-1'];

/** The success status of a valid creation, if it is not 201; otherwise null. */
export const otherSuccess = ({ requirement, failure: { problem, operation } }: FailureOf): number | null => {
  if (!creationRequirements.includes(requirement) || operation !== 'createPet') return null;
  if (problem.rule !== 'status' && problem.rule !== 'undocumented-status') return null;
  const { wrongStatus: status } = problem;
  return status >= 200 && status < 300 ? status : null;
};

/** How the name of a new animal changed; null: it did not. */
const nameChange = (context: Context): string | null => {
  const { name } = sentObject(context);
  const returned = firstReturned(context, 'name');
  if (context.requirement !== 'CREATE-2' || typeof name !== 'string' || typeof returned !== 'string')
    return null;
  return nameChangeBetween(name, returned);
};

/** Whether the returned categoryId is the sent one, changed in this way. */
const changedInteger =
  (change: (sent: bigint) => bigint) =>
  ({ failure: { problem } }: Context): boolean =>
    problem.rule === 'member-differs' &&
    (problem.in === 'categoryId' || (problem.in === 'creation' && problem.member === 'categoryId')) &&
    /^-?\d+$/.test(String(problem.sent)) &&
    String(problem.got) === String(change(BigInt(String(problem.sent))));

const throughDouble = changedInteger((value) => BigInt(Number(value)));
const cutTo32Bits = changedInteger((value) => BigInt.asIntN(32, value));

const hasBody = ({ failure: { operation } }: Context): boolean => operation === 'createPet';

/** Whether a list became an object with the indexes of its items as names. */
const isIndexed = ({ failure: { response } }: Context): boolean => {
  const value = jsonIn(response?.body);
  const names = isJsonObject(value) ? Object.keys(value) : [];
  return names.length > 0 && names.every((name) => /^\d+$/.test(name));
};

/** Whether the problem is about the status of an animal that gave none. */
const hasNullStatus = (context: Context): boolean => {
  const { rule, members = [] } = context.failure;
  const isAboutStatus = rule === 'status-when-omitted' || (rule === 'schema' && members.join() === 'status');
  return isAboutStatus && returnedAnimals(context).some(({ status }) => status === null);
};

const isList = ({ response }: ServerFailure): boolean => Array.isArray(jsonIn(response?.body));

const isUnderStatus = (failure: ServerFailure): boolean => query(failure, 'status') !== null;

/** Whether only lists with `status` lack animals, and this one is not empty. */
const filtersLate = (context: Context): boolean =>
  !isNotStored(context) &&
  context.failures.every((each) => isUnderStatus(each) && isList(each)) &&
  returnedAnimals(context).length > 0;

/** Every name that the run gives to an ordinary animal begins with this. */
const ownName = 'conformance-';

/** Whether a list shows no animal of the run. */
const showsNoneOfRun = (failure: ServerFailure): boolean =>
  failure.rule === 'missing-from-list' &&
  isList(failure) &&
  objectsIn(failure.response?.body).every(({ name }) => !String(name).startsWith(ownName));

/** Whether getPet does not find created animals either. */
const isNotStored = ({ failure, isCreatedNotFound }: Context): boolean =>
  isCreatedNotFound && showsNoneOfRun(failure);

/** getPet does not find an animal, although its creation got 201. */
const isCreatedNotFound = ({ rule, response, before = [] }: ServerFailure): boolean =>
  rule === 'not-served' &&
  response?.status === 404 &&
  before.some(({ request, response }) => request.method === 'POST' && response?.status === 201);

/** Whether lists without status, too, show no animal of the run. */
const listsOfOthers = ({ failure, failures }: Context): boolean =>
  showsNoneOfRun(failure) && failures.some((each) => !isUnderStatus(each) && showsNoneOfRun(each));

const defaultLimit = 20;

const hasOneTooMany = (context: Context): boolean =>
  returnedAnimals(context).length === Number(query(context.failure, 'limit') ?? defaultLimit) + 1;

const isBound = ({ failure }: Context): boolean =>
  ['1', '100'].includes(query(failure, 'limit') ?? '') && (failure.response?.status ?? 0) >= 400;

const isBeyondBound = ({ failure }: Context): boolean =>
  ['0', '101'].includes(query(failure, 'limit') ?? '') && failure.response?.status === 200;

const usesSentId = (context: Context): boolean => {
  const { id } = sentObject(context);
  return id !== undefined && String(firstReturned(context, 'id')) === String(id);
};

const errorMembers: Readonly<Record<string, string>> = {
  code: 'a string',
  message: 'a string',
  status: 'an integer',
};

/** Common bugs of servers, the most specific first. */
const bugs = {
  idFromRequest: when(
    ['CREATE-10'],
    usesSentId,
    'The server used the id from the request body: write { ...body, id: newId }, not { id: newId, ...body }.',
  ),
  bodyBeforeKey: when(
    ['AUTH-4'],
    hasBody,
    'The body is parsed or checked before the key: check the key first, before the body parser runs.',
  ),
  parametersBeforeKey: when(
    ['AUTH-4'],
    (context) => !hasBody(context),
    'The path or query is checked before the key: check the key first.',
  ),
  printsErrors: bugWith(
    ({ failure }) => printedError(failure),
    (error) => `PHP prints errors into responses (${error}): fix them, and turn display_errors off.`,
  ),
  defaultErrorResponse: bugWith(
    defaultErrorResponse,
    ({ status, name, advice }) => `The ${status} is the default error response of ${name}: ${advice}.`,
  ),
  headersNeverSent: bugWith(
    (context) => commonParts(context, 'header-missing', 'headers'),
    (names) =>
      `Responses lack ${names.join(', ')}: add them to every response in one place, errors included.`,
  ),
  errorsOfAnotherShape: bugWith(
    (context) => (context.requirement === 'ERR-1' ? commonParts(context, 'schema', 'members') : null),
    (names) =>
      `Error bodies need ${names.map((name) => `${name} (${errorMembers[name] ?? 'see the schema'})`).join(', ')} in every 400, 401, and 404.`,
  ),
  mediaTypeNeverSent: bugWith(
    commonContentType,
    (type) =>
      `Responses have ${type === '' ? 'no Content-Type' : `Content-Type: ${excerpt(type)}`}: set Content-Type: application/json in one place, errors included.`,
  ),
  nullStatus: bugWith(
    (context) => hasNullStatus(context) || null,
    () => 'status is null: leave it out if the request has none, or return a default.',
  ),
  indexedList: when(
    ['LIST-1', 'GEN-3'],
    isIndexed,
    'The list is an object with indexes as names: write an array (PHP: array_values before json_encode).',
  ),
  anotherClientError: bugWith(
    otherClientError,
    ({ operation, status }) => `${operation} rejects invalid bodies with ${status}: return 400.`,
  ),
  anotherSuccess: bugWith(
    otherSuccess,
    (status) => `createPet returns ${status} for a created animal: return 201.`,
  ),
  integerThroughDouble: when(
    ['CREATE-9'],
    throughDouble,
    'Integers above 2^53 lose digits, because they pass through a double: parse and write JSON with 64-bit integers.',
  ),
  integerCutTo32Bits: when(
    ['CREATE-9'],
    cutTo32Bits,
    'categoryId is cut to 32 bits: use a 64-bit type in code and database.',
  ),
  nameChanged: bugWith(nameChange, (change) => `The name is ${change}: store and return it exactly as sent.`),
  notStored: when(
    ['LIST-8'],
    isNotStored,
    'Neither the list nor getPet shows an animal of this run: createPet returns 201, but does not store the animal.',
  ),
  filterAfterPaging: when(
    ['LIST-8'],
    filtersLate,
    'Only lists with status lack animals: filter by status before the page is cut (WHERE before LIMIT).',
  ),
  staleCopy: when(
    ['LIST-8'],
    listsOfOthers,
    'The list shows no animal of this run: animals are not stored, or lists come from a copy (replica, cache, other instance) that gets them more than 2 s late or never.',
  ),
  oneTooMany: when(
    ['LIST-2', 'LIST-3'],
    hasOneTooMany,
    'The page has exactly one animal too many: off by one, or one is read ahead and not removed.',
  ),
  exclusiveBound: when(['LIST-4'], isBound, 'The bounds of limit are inclusive: 1 and 100 are valid.'),
  boundTooWide: when(
    ['LIST-5'],
    isBeyondBound,
    'limit is not held to 1 to 100: refuse other values, or return at most 100 animals for them.',
  ),
  limitOfAddress: when(
    ['RATE-9'],
    ({ failure }) => failure.rule === 'limit-shared',
    'Requests are counted by client address, or for all keys together: count them by API key.',
  ),
} satisfies Readonly<Record<string, Bug>>;

/** A likely bug behind a failure. Decisions are made with its code. */
export interface LikelyBug {
  readonly code: keyof typeof bugs;
  readonly text: string;
}

const codes = Object.keys(bugs) as readonly LikelyBug['code'][];

/** Returns the likely bug, or null if none is recognized. `all`: the results of all requirements. */
export const likelyBug = (
  { id, failures }: RequirementResult,
  failure: Failure,
  all: readonly RequirementResult[],
): LikelyBug | null => {
  if (!isOfServer(failure)) return null;
  const ofGet = all.find((result) => result.id === 'GET-1')?.failures ?? [];
  const context = {
    requirement: id,
    failure,
    failures: failures.filter(isOfServer),
    isCreatedNotFound: ofGet.filter(isOfServer).some(isCreatedNotFound),
  };
  for (const code of codes) {
    const text = bugs[code](context);
    if (text !== null) return { code, text };
  }
  return null;
};
