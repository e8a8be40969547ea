import type { JsonObject } from '../json/json.ts';
import { stringifyJson } from '../json/stringify.ts';
import type { Failure, Outcome, RecordedExchange, RequirementResult, Step } from '../run/outcome.ts';
import { hasErrorShapeProblem, sameBodyKind } from './error-bodies.ts';
import { objectsIn } from './json-text.ts';
import { likelyBug, otherSuccess, printedError } from './likely-bugs.ts';
import { blockedBy } from './sort-failures.ts';
import type { LikelyBug } from './text/likely-bugs.ts';
import type { FailureOf, RootCause, Source } from './text/root-causes.ts';
import { withVerdict } from './verdicts.ts';

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

type Run = Pick<Outcome, 'requirements' | 'exchanges'>;

const mostRootCauses = 5;

const subtract = <Value>(all: Iterable<Value>, some: ReadonlySet<Value>): ReadonlySet<Value> =>
  new Set([...all].filter((value) => !some.has(value)));

/** A failure with the recorded exchanges that show it. */
interface Node extends FailureOf {
  /** The likely bug; null: no pattern matches. */
  readonly bug: LikelyBug | null;
  readonly exchanges: readonly RecordedExchange[];
  /** Recorded exchanges of the operation with the same status that do not break the requirement. */
  readonly passing: readonly RecordedExchange[];
}

const nodesOf = ({ requirements, exchanges }: Run): readonly Node[] =>
  withVerdict(requirements, 'failed').flatMap((result) =>
    result.failures.map((failure) => {
      const { id } = result;
      const comparable = exchanges.filter(
        ({ operation, response }) =>
          operation === failure.operation && response?.status === failure.response?.status,
      );
      const isBreach = ({ id: exchange, breaches }: RecordedExchange) =>
        exchange === failure.exchange || breaches.includes(id);
      return {
        requirement: id,
        failure,
        bug: likelyBug(result, failure, requirements),
        exchanges: comparable.filter(isBreach),
        passing: comparable.filter((exchange) => !isBreach(exchange)),
      };
    }),
  );

/** Whether one failure explains another one completely. */
type Explains = (cause: Node, effect: Node) => boolean;

const sameEvidence: Explains = ({ failure: a }, { failure: b }) =>
  a.exchange === b.exchange && a.expected === b.expected && a.actual === b.actual;

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
  [a, b].every(({ failure }) => failure.rule === 'media-type') &&
  a.failure.actual === b.failure.actual &&
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
  a.rule === 'status' &&
  b.rule === 'status' &&
  a.operation === b.operation &&
  a.expected === b.expected &&
  a.response?.status === b.response?.status &&
  isClientError(a.response?.status);

/** Valid creations get the same wrong success status. */
const sameOtherSuccess: Explains = (cause, effect) =>
  otherSuccess(cause) !== null && otherSuccess(cause) === otherSuccess(effect);

const isClientError = (status = 0): boolean => status >= 400 && status < 500;

const isError = ({ failure: { response } }: Node): boolean => response !== null && response.status >= 400;

const membersOf = ({ rule, members }: Failure): readonly string[] | undefined =>
  rule === 'status-when-omitted' ? ['status'] : members;

/** The keyword of the schema that a response breaks. */
const keywordOf = ({ variant = '' }: Failure): string | undefined => variant.split(' ', 1)[0];

const breaksSchema = ({ rule = '' }: Failure): boolean => ['schema', 'status-when-omitted'].includes(rule);

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
  const suspects = subtract(ids, inPassingLists);
  return exchanges.length > 0 && exchanges.every((list) => animalIds(list).some((id) => suspects.has(id)));
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

/** Whether a wrong animal can cause the failure. Older reports have no rule. An id from the request makes no other member invalid. */
const canBreak = ({ requirement }: Node, { failure: { rule, members = ['id'] } }: Node): boolean =>
  rule === undefined ||
  (aboutAnimals.includes(rule) &&
    (rule !== 'schema' || requirement !== 'CREATE-10' || members.includes('id')));

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
  bug?.bug === 'not-stored' && failure.operation === 'getPet' && failure.response?.status === 404;

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

/** Returns the failures that one failure explains, directly or through others. */
const explainedBy = (cause: Node, nodes: readonly Node[]): ReadonlySet<Node> => {
  const found = new Set([cause]);
  // The iteration includes what is added to the set during it.
  for (const node of found)
    for (const other of nodes)
      if (!found.has(other) && explanations.some((explains) => explains(node, other))) found.add(other);
  return found;
};

interface Candidate {
  readonly source: Source;
  readonly nodes: ReadonlySet<Node>;
  /** The requirement of the failure itself. */
  readonly own: readonly string[];
}

const culprits = (nodes: readonly Node[]): readonly Candidate[] =>
  [...Map.groupBy(nodes, ({ failure }) => failure.causedBy?.exchange)].flatMap(([, members]) => {
    const culprit = members[0]?.failure.causedBy;
    return culprit === undefined
      ? []
      : [{ source: { kind: 'request' as const, culprit }, nodes: new Set(members), own: [] }];
  });

const candidatesOf = (nodes: readonly Node[]): readonly Candidate[] => [
  ...culprits(nodes),
  ...nodes.map((node) => {
    const { requirement, failure, bug } = node;
    return {
      source: { kind: 'failure' as const, requirement, failure, bug },
      nodes: explainedBy(node, nodes),
      own: [requirement],
    };
  }),
];

/** The order of failures that explain each other: the Error body and the default of status, a likely bug, requirements on the operation, general requirements. */
const generality = ({ source }: Candidate): number => {
  if (source.kind === 'request' || ['ERR-1', 'CREATE-4'].includes(source.requirement)) return 0;
  if (source.requirement.startsWith('GEN-')) return 3;
  return source.bug === null ? 2 : 1;
};

const allBlockedBy = ({ own }: Candidate, results: readonly RequirementResult[]): readonly string[] =>
  own.flatMap((id) => blockedBy(id, results));

const requirementsOf = (nodes: Iterable<Node>): ReadonlySet<string> =>
  new Set([...nodes].map(({ requirement }) => requirement));

const resultOf = (candidate: Candidate, nodes: readonly Node[], run: Run): RootCause => {
  const unexplained = requirementsOf(nodes.filter((node) => !candidate.nodes.has(node)));
  const { source } = candidate;
  const explains = [...candidate.nodes]
    .filter(({ failure }) => source.kind === 'request' || failure !== source.failure)
    .map(({ requirement, failure }) => ({ requirement, failure }));
  return {
    ...source,
    explains,
    clears: [...subtract(requirementsOf(candidate.nodes), unexplained)],
    blocks: allBlockedBy(candidate, run.requirements),
  };
};

/**
 * Returns at most five root causes, the largest first. Each explains failures that no earlier one explains. A failure that
 * explains no other failure, and blocks nothing, is not a root cause.
 */
export const rootCauses = (run: Run): readonly RootCause[] => {
  const nodes = nodesOf(run);
  let candidates = candidatesOf(nodes);
  const chosen: RootCause[] = [];
  while (chosen.length < mostRootCauses) {
    const ranked = candidates
      .map((candidate) => ({
        candidate,
        weight: candidate.nodes.size + allBlockedBy(candidate, run.requirements).length,
      }))
      .filter(({ weight }) => weight > 1)
      .sort((a, b) => b.weight - a.weight || generality(a.candidate) - generality(b.candidate));
    const [best] = ranked;
    if (best === undefined) break;
    chosen.push(resultOf(best.candidate, nodes, run));
    candidates = withoutExplained(candidates, best.candidate);
  }
  return chosen;
};

/** Returns the remaining candidates, without failures that the root cause explains. */
const withoutExplained = (candidates: readonly Candidate[], { nodes, source }: Candidate) =>
  candidates
    .filter((candidate) => candidate.source !== source)
    .filter(({ source: other }) =>
      other.kind === 'request' ? true : ![...nodes].some(({ failure }) => failure === other.failure),
    )
    .map((candidate) => ({ ...candidate, nodes: subtract(candidate.nodes, nodes) }));

/** The sort order of a requirement: with a root cause by its number, then not cleared by any, then cleared. */
const rankOf = ({ id }: RequirementResult, causes: readonly RootCause[]): number => {
  const leading = causes.findIndex((cause) => cause.kind === 'failure' && cause.requirement === id);
  if (leading >= 0) return leading;
  return causes.some(({ clears }) => clears.includes(id)) ? causes.length + 1 : causes.length;
};

/** Sorts requirements: first with a root cause, in the order of the causes, then not cleared by any cause, then cleared. */
export const byRootCause = (
  failed: readonly RequirementResult[],
  causes: readonly RootCause[],
): readonly RequirementResult[] => failed.toSorted((a, b) => rankOf(a, causes) - rankOf(b, causes));

/** The failure that represents a requirement: its root cause, otherwise its first failure. */
export const shownFailure = ({ id, failures }: RequirementResult, causes: readonly RootCause[]) =>
  causes.flatMap((cause) => (cause.kind === 'failure' && cause.requirement === id ? cause.failure : []))[0] ??
  failures[0];
