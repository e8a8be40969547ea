import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '../json/json.ts';
import { stringifyJson } from '../json/stringify.ts';
import type { RecordedExchange, ServerFailure, Step } from '../run/outcome.ts';
import { hasErrorShapeProblem, printedError, sameBodyKind } from './error-bodies.ts';
import { objectsIn } from './json-text.ts';
import { type FailureOf, type LikelyBug, otherSuccess, wrongContentType } from './likely-bugs.ts';

/** A failure with the recorded exchanges that show it. */
export interface Node extends FailureOf {
  /** Null: none is recognized. */
  readonly bug: LikelyBug | null;
  readonly exchanges: readonly RecordedExchange[];
  /** Recorded exchanges of the operation with the same status that do not break the requirement. */
  readonly passing: readonly RecordedExchange[];
}

/** Returns an id as JSON, because `7` and `"7"` are different ids of a list. */
const idOf = ({ id }: JsonObject): readonly string[] =>
  id === undefined || id === null || typeof id === 'object' ? [] : [stringifyJson(id)];

/** The ids of the animals in a successful response, a list or a single one. */
const animalIds = ({ response }: Pick<Step, 'response'>): readonly string[] =>
  response === null || response.status >= 300 ? [] : objectsIn(response.body).flatMap(idOf);

const unquoted = (id: string): string => id.replaceAll('"', '');

/** The ids that creations took from the request: another animal may have had them before. */
const idsFromRequests = (exchanges: readonly RecordedExchange[]): ReadonlySet<string> =>
  new Set(
    exchanges
      .filter(({ operation }) => operation === 'createPet')
      .flatMap((exchange) => {
        const sent = objectsIn(exchange.request.body).flatMap(idOf).map(unquoted);
        return animalIds(exchange).filter((id) => sent.includes(unquoted(id)));
      }),
  );

/** Whether one failure explains another one completely. */
type Explains = (cause: Node, effect: Node) => boolean;

const sameEvidence: Explains = ({ failure: a }, { failure: b }) =>
  a.exchange === b.exchange && isDeepStrictEqual(a.problem, b.problem);

/** Both failures have one occurrence, in the same exchange. Other code adds headers, so they must both be about headers, or neither. */
const oneExchange: Explains = ({ failure: a }, { failure: b }) =>
  a.exchange === b.exchange &&
  a.occurrences === 1 &&
  b.occurrences === 1 &&
  (a.headers === undefined) === (b.headers === undefined);

/** A media type may be wrong although the body is right. */
const sameErrorBody: Explains = (a, b) =>
  a.failure.rule !== 'media-type' &&
  hasErrorShapeProblem(a) &&
  hasErrorShapeProblem(b) &&
  sameBodyKind(a.failure, b.failure);

const isSame = (some: readonly string[] = [], others: readonly string[] = []): boolean =>
  some.length > 0 && some.length === others.length && some.every((name) => others.includes(name));

/** The same headers are missing, or malformed, in responses of several operations. */
const sameHeaders: Explains = ({ failure: a }, { failure: b }) =>
  a.rule === b.rule && isSame(a.headers, b.headers);

/** The same media type is wrong in responses of several operations. The code of errors may have a media type of its own. */
const sameMediaType: Explains = (a, b) =>
  wrongContentType(a.failure) !== null &&
  wrongContentType(a.failure) === wrongContentType(b.failure) &&
  (isError(b) || !isError(a));

/** An error of the server's code is printed into both responses. */
const printsErrors: Explains = ({ failure: a }, { failure: b }) =>
  b.headers === undefined && printedError(a) !== null && printedError(b) !== null;

/** The operation does not exist, which explains all failures of its responses with this status. Other code adds headers. */
const missingOperation: Explains = ({ failure: a }, { failure: b }) =>
  a.rule === 'operation-missing' &&
  b.headers === undefined &&
  a.operation === b.operation &&
  a.response?.status === b.response?.status;

/** Invalid requests of one operation are rejected with the same wrong 4xx. */
const sameWrongStatus: Explains = ({ failure: a }, { failure: b }) =>
  a.problem.rule === 'status' &&
  b.problem.rule === 'status' &&
  a.operation === b.operation &&
  isDeepStrictEqual(a.problem.allowed, b.problem.allowed) &&
  a.problem.wrongStatus === b.problem.wrongStatus &&
  isClientError(a.problem.wrongStatus);

/** Valid creations get the same wrong success status. */
const sameOtherSuccess: Explains = (cause, effect) =>
  otherSuccess(cause) !== null && otherSuccess(cause) === otherSuccess(effect);

const isClientError = (status: number): boolean => status >= 400 && status < 500;

const isError = ({ failure: { response } }: Node): boolean => response !== null && response.status >= 400;

const membersOf = ({ rule, members }: ServerFailure): readonly string[] | undefined =>
  rule === 'status-when-omitted' ? ['status'] : members;

/** The keyword of the schema that a response breaks. */
const keywordOf = ({ problem }: ServerFailure): string | undefined =>
  problem.rule === 'schema' ? problem.mistakes[0]?.keyword : undefined;

const breaksSchema = ({ rule = '' }: ServerFailure): boolean =>
  ['schema', 'status-when-omitted'].includes(rule);

/** The same members of animals break the schema in the same way, in responses of any operation, or also differ from the request. */
const sameMembers: Explains = (cause, effect) => {
  const { failure: a } = cause;
  const { failure: b } = effect;
  if (isError(cause) || isError(effect) || !isSame(membersOf(a), membersOf(b))) return false;
  if (!breaksSchema(a) || !breaksSchema(b)) return a.operation === b.operation;
  return a.rule !== b.rule || keywordOf(a) === keywordOf(b);
};

/** Whether the requirement is on every response. Its failure often repeats the failure of a requirement on the operation. */
const isGeneral = ({ requirement }: Node): boolean => requirement.startsWith('GEN-');

/** Every exchange that breaks a general requirement breaks this one, too. */
const generalRequirement: Explains = (cause, effect) =>
  isGeneral(effect) &&
  !isGeneral(cause) &&
  !hasErrorShapeProblem(effect) &&
  cause.failure.headers === undefined &&
  cause.failure.operation === effect.failure.operation &&
  (cause.failure.rule !== effect.failure.rule || cause.failure.variant === effect.failure.variant) &&
  effect.exchanges.length > 0 &&
  effect.exchanges.every(({ id }) => cause.exchanges.some((exchange) => exchange.id === id));

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

/** Requirements that keep an invalid animal out of the store, and so out of lists. */
const rejectInvalid: readonly string[] = ['CREATE-5', 'CREATE-6', 'CREATE-7'];

/** The ids of wrong animals that a failure put into the store: with an id from the request, or invalid. */
const wrongAnimals = (cause: Node, effect: Node): ReadonlySet<string> => {
  if (cause.requirement === 'CREATE-10')
    return idsFromRequests([...cause.exchanges, ...effect.exchanges, ...cause.passing]);
  return new Set(rejectInvalid.includes(cause.requirement) ? cause.exchanges.flatMap(animalIds) : []);
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

/** Whether a wrong animal can cause the failure. An id from the request makes no other member invalid. */
const canBreak = ({ requirement }: Node, { failure: { rule, members = ['id'] } }: Node): boolean =>
  aboutAnimals.includes(rule) && (rule !== 'schema' || requirement !== 'CREATE-10' || members.includes('id'));

/** The failure is about a wrong animal in the store: it replaces another, is listed twice, or has an invalid member. */
const wrongAnimalInStore: Explains = (cause, effect) => {
  const ids = cause === effect || !canBreak(cause, effect) ? new Set<string>() : wrongAnimals(cause, effect);
  if (ids.size === 0) return false;
  const before = (effect.failure.before ?? []).flatMap(animalIds);
  if (effect.failure.operation !== 'listPets')
    return [...before, ...animalIds(effect.failure)].some((id) => ids.has(id));
  return (before.length > 0 && before.every((id) => ids.has(id))) || onlyListsWith(ids, effect);
};

/** Animals that are in no list, because they are not stored, are not found by their ids either. */
const notStored: Explains = ({ bug }, { failure }) =>
  bug?.code === 'notStored' && failure.operation === 'getPet' && failure.response?.status === 404;

const explanations: readonly Explains[] = [
  sameEvidence,
  oneExchange,
  sameErrorBody,
  sameHeaders,
  sameMediaType,
  printsErrors,
  missingOperation,
  sameWrongStatus,
  sameOtherSuccess,
  sameMembers,
  generalRequirement,
  wrongAnimalInStore,
  notStored,
];

/** Returns the failures that one failure explains, directly or through others; itself too. */
export const explainedBy = (cause: Node, nodes: readonly Node[]): ReadonlySet<Node> => {
  const found = new Set([cause]);
  // The iteration includes what is added to the set during it.
  for (const node of found)
    for (const other of nodes)
      if (!found.has(other) && explanations.some((explains) => explains(node, other))) found.add(other);
  return found;
};
