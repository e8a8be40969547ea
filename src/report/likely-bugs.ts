import { isJsonObject, type Json, type JsonObject } from '../json/json.ts';
import { type Failure, isOfServer, type RequirementResult, type ServerFailure } from '../run/outcome.ts';
import { frameworkOf, hasErrorShapeProblem, printedError } from './error-bodies.ts';
import { jsonIn, objectsIn } from './json-text.ts';
import { bugs, type NameChange } from './text/likely-bugs.ts';
import type { FailureOf } from './text/root-causes.ts';

/** A failure, with all failures of its requirement. */
interface Context extends FailureOf {
  readonly failures: readonly ServerFailure[];
  /** getPet does not find an animal right after its creation. */
  readonly isCreatedNotFound: boolean;
}

/** Recognizes a bug in a failure, and names it in a sentence; false: it is not this bug. */
type Pattern = (context: Context) => string | false;

const sentObject = ({ failure }: Context): JsonObject => objectsIn(failure.request.body)[0] ?? {};

/** The animals of the response. */
const returnedAnimals = ({ failure }: Context): readonly JsonObject[] => objectsIn(failure.response?.body);

const firstReturned = (context: Context, name: string): Json | undefined =>
  returnedAnimals(context)[0]?.[name];

const query = ({ request }: ServerFailure, name: string): string | null =>
  URL.canParse(request.url) ? new URL(request.url).searchParams.get(name) : null;

/** Recognizes a bug in the failures of some requirements. */
const when =
  (ids: readonly string[], applies: (context: Context) => boolean, bug: string): Pattern =>
  (context) =>
    ids.includes(context.requirement) && applies(context) && bug;

const defaultErrorResponse: Pattern = (context) => {
  const { response } = context.failure;
  const framework = hasErrorShapeProblem(context) ? frameworkOf(response?.body) : null;
  return response !== null && framework !== null && bugs.defaultErrorResponse(response.status, framework);
};

const printsErrors: Pattern = ({ failure }) => {
  const error = printedError(failure);
  return error !== null && bugs.printsErrors(error);
};

const neverPasses = ({ passed = [] }: ServerFailure): boolean => passed.length === 0;

/** Fewer failures may have different causes. */
const fewestEverywhere = 3;

/** Returns the headers or members that all failures have in common; empty: other rules or parts fail too, or similar requests passed. */
const commonParts = ({ failure, failures }: Context, rule: string, part: 'headers' | 'members') => {
  const names = failure[part] ?? [];
  const isSame = failures.every(
    (each) => each.rule === rule && each[part]?.join() === names.join() && neverPasses(each),
  );
  return isSame && failures.length >= fewestEverywhere ? names : [];
};

const headersNeverSent: Pattern = (context) => {
  const names = commonParts(context, 'header-missing', 'headers');
  return names.length > 0 && bugs.headersNeverSent(names);
};

const errorsOfAnotherShape: Pattern = (context) => {
  const names = commonParts(context, 'schema', 'members');
  return context.requirement === 'ERR-1' && names.length > 0 && bugs.errorsOfAnotherShape(names);
};

const mediaTypeNeverSent: Pattern = ({ requirement, failure, failures }) => {
  const { rule, actual } = failure;
  const alike = failures.filter((each) => each.rule === rule && each.actual === actual);
  const isEverywhere = alike.length >= fewestEverywhere && alike.every(neverPasses);
  return requirement === 'GEN-2' && rule === 'media-type' && isEverywhere && bugs.mediaTypeNeverSent(actual);
};

/** Requirements that give 400 for an invalid body. */
const bodyRequirements: readonly string[] = ['CREATE-5', 'CREATE-6', 'CREATE-7'];

const otherClientError: Pattern = ({ requirement, failure: { rule, response, operation } }) => {
  const status = response?.status ?? 0;
  const isOfBody = bodyRequirements.includes(requirement) && rule === 'status';
  return isOfBody && status > 400 && status < 500 && bugs.anotherClientError(operation, status);
};

/** Requirements on the status of a valid creation. */
const creationRequirements: readonly string[] = ['CREATE-1', 'GEN-1'];

/** The success status of a valid creation, if it is not 201; otherwise null. */
export const otherSuccess = ({ requirement, failure }: FailureOf): number | null => {
  const { rule = '', response, operation } = failure;
  const status = response?.status ?? 0;
  const isOfCreation = creationRequirements.includes(requirement) && operation === 'createPet';
  const isAboutStatus = ['status', 'undocumented-status'].includes(rule);
  return isOfCreation && isAboutStatus && status >= 200 && status < 300 ? status : null;
};

const createdWithOtherStatus: Pattern = (context) => {
  const status = otherSuccess(context);
  return status !== null && bugs.anotherSuccess(context.failure.operation, status);
};

const entities: readonly (readonly [entity: RegExp, character: string])[] = [
  [/&lt;/g, '<'],
  [/&gt;/g, '>'],
  [/&quot;|&#34;|&#x22;/g, '"'],
  [/&#0?39;|&#x27;|&apos;/g, "'"],
  [/&amp;/g, '&'],
];

const unescapeHtml = (text: string): string =>
  entities.reduce((result, [entity, character]) => result.replaceAll(entity, character), text);

/** What a returned name may be, by how it differs from the one sent. */
const nameChanges: readonly (readonly [NameChange, (name: string, returned: string) => boolean])[] = [
  ['trimmed', (name, returned) => [name.trim(), name.trimStart(), name.trimEnd()].includes(returned)],
  ['lower-case', (name, returned) => returned === name.toLowerCase()],
  ['upper-case', (name, returned) => returned === name.toUpperCase()],
  [
    'normalized',
    (name, returned) => ['NFC', 'NFD', 'NFKC', 'NFKD'].some((form) => name.normalize(form) === returned),
  ],
  ['cut', (name, returned) => returned !== '' && name.startsWith(returned)],
  ['html-escaped', (name, returned) => unescapeHtml(returned) === name],
];

const changedName: Pattern = (context) => {
  const { name } = sentObject(context);
  const returned = firstReturned(context, 'name');
  if (typeof name !== 'string' || typeof returned !== 'string' || name === returned) return false;
  const [change] = nameChanges.find(([, isChange]) => isChange(name, returned)) ?? [];
  return context.requirement === 'CREATE-2' && change !== undefined && bugs.nameChanged(change);
};

/** Whether the returned categoryId is the sent one, changed in this way. */
const changedInteger =
  (change: (sent: bigint) => bigint) =>
  (context: Context): boolean => {
    const { categoryId } = sentObject(context);
    return (
      typeof categoryId === 'bigint' &&
      returnedAnimals(context).some((animal) => animal.categoryId === change(categoryId))
    );
  };

const throughDouble = changedInteger((value) => BigInt(Number(value)));
const cutTo32Bits = changedInteger((value) => BigInt.asIntN(32, value));

const hasBody = ({ failure: { operation } }: Context): boolean => operation === 'createPet';

/** Whether a list became an object with the indexes of its items as names. */
const isIndexed = ({ failure: { response } }: Context): boolean => {
  const value = jsonIn(response?.body);
  const names = isJsonObject(value) ? Object.keys(value) : [];
  return names.length > 0 && names.every((name) => /^\d+$/.test(name));
};

const hasNullStatus: Pattern = (context) => {
  const { rule, members = [] } = context.failure;
  const isAboutStatus = rule === 'status-when-omitted' || (rule === 'schema' && members.join() === 'status');
  return isAboutStatus && returnedAnimals(context).some(({ status }) => status === null) && bugs.nullStatus;
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

/** Common bugs, the most specific first. */
const patterns: readonly Pattern[] = [
  when(['CREATE-10'], usesSentId, bugs.idFromRequest),
  when(['AUTH-4'], hasBody, bugs.bodyBeforeKey),
  when(['AUTH-4'], (context) => !hasBody(context), bugs.parametersBeforeKey),
  printsErrors,
  defaultErrorResponse,
  headersNeverSent,
  errorsOfAnotherShape,
  mediaTypeNeverSent,
  hasNullStatus,
  when(['LIST-1', 'GEN-3'], isIndexed, bugs.indexedList),
  otherClientError,
  createdWithOtherStatus,
  when(['CREATE-9'], throughDouble, bugs.integerThroughDouble),
  when(['CREATE-9'], cutTo32Bits, bugs.integerCutTo32Bits),
  changedName,
  when(['LIST-8'], isNotStored, bugs.notStored),
  when(['LIST-8'], filtersLate, bugs.filterAfterPaging),
  when(['LIST-8'], listsOfOthers, bugs.staleCopy),
  when(['LIST-2', 'LIST-3'], hasOneTooMany, bugs.oneTooMany),
  when(['LIST-4'], isBound, bugs.exclusiveBound),
  when(['LIST-5'], isBeyondBound, bugs.boundTooWide),
  when(['RATE-9'], ({ failure }) => failure.rule === 'limit-shared', bugs.limitOfAddress),
];

/** The likely bug in a sentence; null: no pattern matches. `all`: the results of all requirements. */
export const likelyBugText = (
  { id, failures }: RequirementResult,
  failure: Failure,
  all: readonly RequirementResult[],
): string | null => {
  if (!isOfServer(failure)) return null;
  const ofGet = all.find((result) => result.id === 'GET-1')?.failures ?? [];
  const context = {
    requirement: id,
    failure,
    failures: failures.filter(isOfServer),
    isCreatedNotFound: ofGet.filter(isOfServer).some(isCreatedNotFound),
  };
  for (const pattern of patterns) {
    const bug = pattern(context);
    if (bug !== false) return bug;
  }
  return null;
};
