import type { JsonObject } from '../json/json.ts';
import { stringifyJson } from '../json/stringify.ts';
import type { Outcome, RecordedExchange, RequirementResult, Step } from '../run/outcome.ts';
import { hasErrorShapeProblem, sameBodyKind } from './error-bodies.ts';
import { objectsIn } from './json-text.ts';
import { likelyBug } from './likely-bugs.ts';
import { blockedBy } from './sort-failures.ts';
import type { FailureOf, RootCause, Source } from './text/root-causes.ts';
import { withVerdict } from './verdicts.ts';

/** An id as JSON: `7` and `"7"` are different ids of a list. */
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

const without = <Value>(all: Iterable<Value>, some: ReadonlySet<Value>): ReadonlySet<Value> =>
  new Set([...all].filter((value) => !some.has(value)));

/** A failure with the recorded exchanges that show it. */
interface Node extends FailureOf {
  readonly exchanges: readonly RecordedExchange[];
  /** Recorded exchanges of the operation with the same status that do not break the requirement. */
  readonly sound: readonly RecordedExchange[];
}

const nodesOf = ({ requirements, exchanges }: Run): readonly Node[] =>
  withVerdict(requirements, 'failed').flatMap(({ id, failures }) =>
    failures.map((failure) => {
      const alike = exchanges.filter(
        ({ operation, response }) =>
          operation === failure.operation && response?.status === failure.response?.status,
      );
      const breaks = ({ id: exchange, breaches }: RecordedExchange) =>
        exchange === failure.exchange || breaches.includes(id);
      return {
        requirement: id,
        failure,
        exchanges: alike.filter(breaks),
        sound: alike.filter((exchange) => !breaks(exchange)),
      };
    }),
  );

/** Explains a failure by another: what the first one is about is the whole of the second one. */
type Explains = (cause: Node, effect: Node) => boolean;

const sameEvidence: Explains = ({ failure: a }, { failure: b }) =>
  a.exchange === b.exchange && a.expected === b.expected && a.actual === b.actual;

/** One request causes both, and nothing else causes either. Wrong headers are added elsewhere than what else is wrong. */
const oneExchange: Explains = ({ failure: a }, { failure: b }) =>
  a.exchange === b.exchange &&
  a.occurrences === 1 &&
  b.occurrences === 1 &&
  (a.headers === undefined) === (b.headers === undefined);

const sameErrorBody: Explains = (a, b) =>
  hasErrorShapeProblem(a) && hasErrorShapeProblem(b) && sameBodyKind(a.failure, b.failure);

const isSame = (some: readonly string[] = [], others: readonly string[] = []): boolean =>
  some.length > 0 && some.length === others.length && some.every((name) => others.includes(name));

/** The same headers are missing, or malformed, in responses of several operations. */
const sameHeaders: Explains = ({ failure: a }, { failure: b }) =>
  a.rule === b.rule && isSame(a.headers, b.headers);

/** The operation does not exist, so that whatever is wrong with its responses of this status goes with them. */
const missingOperation: Explains = ({ failure: a }, { failure: b }) =>
  a.rule === 'operation-missing' && a.operation === b.operation && a.response?.status === b.response?.status;

/** Invalid requests of one operation are rejected with the same wrong 4xx. */
const sameWrongStatus: Explains = ({ failure: a }, { failure: b }) =>
  a.rule === 'status' &&
  b.rule === 'status' &&
  a.operation === b.operation &&
  a.expected === b.expected &&
  a.response?.status === b.response?.status &&
  isClientError(a.response?.status);

const isClientError = (status = 0): boolean => status >= 400 && status < 500;

const isError = ({ failure: { response } }: Node): boolean => response !== null && response.status >= 400;

/** The same members of animals do not match the schema, in responses of any operation; or differ from the request as well. */
const sameMembers: Explains = (cause, effect) => {
  const { failure: a } = cause;
  const { failure: b } = effect;
  if (isError(cause) || isError(effect) || !isSame(a.members, b.members)) return false;
  return (a.rule === 'schema' && b.rule === 'schema') || a.operation === b.operation;
};

/** Requirements on every response: a failure of one often repeats what a requirement of the operation says. */
const isGeneral = ({ requirement }: Node): boolean => requirement.startsWith('GEN-');

/** All that breaks a general requirement breaks this one, too. */
const general: Explains = (cause, effect) =>
  isGeneral(effect) &&
  !isGeneral(cause) &&
  !hasErrorShapeProblem(effect) &&
  cause.failure.headers === undefined &&
  cause.failure.operation === effect.failure.operation &&
  effect.exchanges.length > 0 &&
  effect.exchanges.every(({ id }) => cause.exchanges.some((exchange) => exchange.id === id));

/** Lists with one of these animals are wrong, and those without are right. */
const onlyListsWith = (ids: ReadonlySet<string>, { exchanges, sound }: Node): boolean => {
  const shownWell = new Set(sound.flatMap(animalIds));
  const suspects = without(ids, shownWell);
  return exchanges.length > 0 && exchanges.every((list) => animalIds(list).some((id) => suspects.has(id)));
};

/** Requirements that keep an animal out of the store, so that lists with it are wrong. */
const keepOut: readonly string[] = ['CREATE-5', 'CREATE-6', 'CREATE-7'];

/** The ids of animals that a failure brought into the store: with an id from the request, or invalid altogether. */
const intruders = (cause: Node, effect: Node): ReadonlySet<string> => {
  if (cause.requirement === 'CREATE-10')
    return idsFromRequests([...cause.exchanges, ...effect.exchanges, ...cause.sound]);
  return new Set(keepOut.includes(cause.requirement) ? cause.exchanges.flatMap(animalIds) : []);
};

/** Rules that one wrong animal can break. Others, such as a missing header, have causes of their own. */
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

/** Absent: a report of an older version, which does not say. An id from the request makes no other member invalid. */
const canBreak = ({ requirement }: Node, { failure: { rule, members = ['id'] } }: Node): boolean =>
  rule === undefined ||
  (aboutAnimals.includes(rule) &&
    (rule !== 'schema' || requirement !== 'CREATE-10' || members.includes('id')));

/** The failure is about such an animal: it replaces another, is there twice, or has an invalid member. */
const intruder: Explains = (cause, effect) => {
  const ids = cause === effect || !canBreak(cause, effect) ? new Set<string>() : intruders(cause, effect);
  if (ids.size === 0) return false;
  const before = (effect.failure.before ?? []).flatMap(animalIds);
  if (effect.failure.operation !== 'listPets')
    return [...before, ...animalIds(effect.failure)].some((id) => ids.has(id));
  return (before.length > 0 && before.every((id) => ids.has(id))) || onlyListsWith(ids, effect);
};

const explanations: readonly Explains[] = [
  sameEvidence,
  oneExchange,
  sameErrorBody,
  sameHeaders,
  missingOperation,
  sameWrongStatus,
  sameMembers,
  general,
  intruder,
];

/** What one failure explains, and what that explains in turn. */
const explainedBy = (cause: Node, nodes: readonly Node[]): ReadonlySet<Node> => {
  const found = new Set([cause]);
  // A set that grows while it is iterated is iterated to its end.
  for (const node of found)
    for (const other of nodes)
      if (!found.has(other) && explanations.some((explains) => explains(node, other))) found.add(other);
  return found;
};

interface Candidate {
  readonly source: Source;
  readonly nodes: ReadonlySet<Node>;
  /** Requirements that this candidate breaks by itself. */
  readonly own: readonly string[];
}

const culprits = (nodes: readonly Node[]): readonly Candidate[] =>
  [...Map.groupBy(nodes, ({ failure }) => failure.causedBy?.exchange)].flatMap(([, members]) => {
    const culprit = members[0]?.failure.causedBy;
    return culprit === undefined
      ? []
      : [{ source: { kind: 'request' as const, culprit }, nodes: new Set(members), own: [] }];
  });

const candidatesOf = (nodes: readonly Node[], { requirements }: Run): readonly Candidate[] => [
  ...culprits(nodes),
  ...nodes.map((node) => {
    const { requirement, failure } = node;
    const result = requirements.find(({ id }) => id === requirement);
    const bug = result === undefined ? null : likelyBug(result, failure);
    return {
      source: { kind: 'failure' as const, requirement, failure, bug },
      nodes: explainedBy(node, nodes),
      own: [requirement],
    };
  }),
];

/** Of failures that explain one another: the Error, then a known bug, then what the document says of the operation, then of all. */
const generality = ({ source }: Candidate): number => {
  if (source.kind === 'request' || source.requirement === 'ERR-1') return 0;
  if (source.requirement.startsWith('GEN-')) return 3;
  return source.bug === null ? 2 : 1;
};

const allBlockedBy = ({ own }: Candidate, results: readonly RequirementResult[]): readonly string[] =>
  own.flatMap((id) => blockedBy(id, results));

const requirementsOf = (nodes: Iterable<Node>): ReadonlySet<string> =>
  new Set([...nodes].map(({ requirement }) => requirement));

const resultOf = (candidate: Candidate, nodes: readonly Node[], run: Run): RootCause => {
  const open = requirementsOf(nodes.filter((node) => !candidate.nodes.has(node)));
  const { source } = candidate;
  const explains = [...candidate.nodes]
    .filter(({ failure }) => source.kind === 'request' || failure !== source.failure)
    .map(({ requirement, failure }) => ({ requirement, failure }));
  return {
    ...source,
    explains,
    clears: [...without(requirementsOf(candidate.nodes), open)],
    blocks: allBlockedBy(candidate, run.requirements),
  };
};

/**
 * Returns at most five root causes, the one that explains most first. Each explains failures that none before it explains; a failure on
 * which no other depends, and that blocks nothing, is no root cause.
 */
export const rootCauses = (run: Run): readonly RootCause[] => {
  const nodes = nodesOf(run);
  let candidates = candidatesOf(nodes, run);
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

/** What is left to explain: a candidate that is explained itself is no root cause. */
const withoutExplained = (candidates: readonly Candidate[], { nodes, source }: Candidate) =>
  candidates
    .filter((candidate) => candidate.source !== source)
    .filter(({ source: other }) =>
      other.kind === 'request' ? true : ![...nodes].some(({ failure }) => failure === other.failure),
    )
    .map((candidate) => ({ ...candidate, nodes: without(candidate.nodes, nodes) }));

/** The number of the root cause that a fix begins with, from 0 on: the one that the requirement shows, or that clears it; null: none. */
const rankOf = ({ id }: RequirementResult, causes: readonly RootCause[]): number => {
  const leading = causes.findIndex((cause) => cause.kind === 'failure' && cause.requirement === id);
  if (leading >= 0) return leading;
  return causes.some(({ clears }) => clears.includes(id)) ? causes.length + 1 : causes.length;
};

/** Those that show a root cause first, in the order of the causes; then those that no cause clears. */
export const byRootCause = (
  failed: readonly RequirementResult[],
  causes: readonly RootCause[],
): readonly RequirementResult[] => failed.toSorted((a, b) => rankOf(a, causes) - rankOf(b, causes));

/** The failure that a requirement is shown with: that of its root cause, otherwise the first one. */
export const shownFailure = ({ id, failures }: RequirementResult, causes: readonly RootCause[]) =>
  causes.flatMap((cause) => (cause.kind === 'failure' && cause.requirement === id ? cause.failure : []))[0] ??
  failures[0];
