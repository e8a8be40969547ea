import { isDeepStrictEqual } from 'node:util';
import type { ServerFailure } from '../run/outcome.ts';
import { wrongStatusOf } from './bugs/context.ts';
import { otherSuccess } from './bugs/creations.ts';
import { wrongContentType } from './bugs/headers.ts';
import { envelopeOf } from './bugs/lists.ts';
import { slashOf } from './bugs/redirects.ts';
import { hasErrorShapeProblem, printedError, sameBodyKind } from './error-bodies.ts';
import { type Explains, isSame, type Node } from './failure-node.ts';
import { frameworkOf } from './frameworks.ts';
import { objectsIn } from './json-text.ts';
import type { LikelyBug } from './likely-bugs.ts';
import { exceptionKind } from './text/exceptions.ts';
import { lostByCrash, reusedIds, textsOfIds, wrongAnimalInStore } from './wrong-animals.ts';

/** Whether a failure follows from failures that show one bug. */
type Follows = (group: readonly Node[], effect: Node) => boolean;

/** Both show this bug, in the same way. */
const same =
  <Fact>(factOf: (node: Node) => Fact | null): Explains =>
  (a, b) => {
    const fact = factOf(a);
    return fact !== null && fact === factOf(b);
  };

const sameEvidence: Explains = ({ failure: a }, { failure: b }) =>
  a.exchange === b.exchange && isDeepStrictEqual(a.problem, b.problem);

/** A media type may be wrong although the body is right. */
const sameErrorBody: Explains = (a, b) =>
  a.failure.rule !== 'media-type' &&
  b.failure.rule !== 'media-type' &&
  hasErrorShapeProblem(a) &&
  hasErrorShapeProblem(b) &&
  sameBodyKind(a.failure, b.failure);

/** One framework writes both bodies: some of its errors are pages, and others JSON. */
const sameFramework = same((node) => {
  const framework = hasErrorShapeProblem(node) ? frameworkOf(node.failure.response?.body) : null;
  return framework === null || framework.advice === null || framework.isAny ? null : framework.name;
});

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

/** The same exception is behind both responses. */
const sameException: Explains = (a, b) =>
  b.failure.headers === undefined && same(({ failure }) => exceptionKind(failure))(a, b);

/** Both responses lead to their own path with a slash at its end. Other code adds headers. */
const sameSlash: Explains = ({ failure: a }, { failure: b }) =>
  a.headers === undefined && b.headers === undefined && slashOf(a) !== null && slashOf(b) !== null;

/** Lists are wrapped in the same member. */
const sameEnvelope = same(({ failure }) => envelopeOf(failure));

const sameCode = (...codes: readonly LikelyBug['code'][]): Explains =>
  same(({ bug }) => (bug !== null && codes.includes(bug.code) ? bug.code : null));

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

/** The JSON types that a member has in the animals of a response. */
const kindsIn = ({ response }: ServerFailure, member: string): readonly string[] =>
  objectsIn(response?.body).map((animal) => typeof animal[member]);

/** Both responses have a member of the same type, so that one value can break the schema and differ from the request. */
const sameKind = (a: ServerFailure, b: ServerFailure): boolean =>
  (membersOf(a) ?? []).every((member) => {
    const kinds = kindsIn(a, member);
    return kindsIn(b, member).some((kind) => kinds.includes(kind));
  });

/** The same members of animals break the schema in the same way, in responses of any operation, or also differ from the request. */
const sameMembers: Explains = (cause, effect) => {
  const { failure: a } = cause;
  const { failure: b } = effect;
  if (isError(cause) || isError(effect) || !isSame(membersOf(a), membersOf(b))) return false;
  if (!breaksSchema(a) || !breaksSchema(b)) return a.operation === b.operation && sameKind(a, b);
  return a.rule !== b.rule || keywordOf(a) === keywordOf(b);
};

/** Whether the requirement is on every response. Its failure often repeats the failure of a requirement on the operation. */
const isGeneral = ({ requirement }: Node): boolean => requirement.startsWith('GEN-');

/** Whether every exchange that shows the effect shows one of the causes. */
const isCovered = (causes: readonly Node[], { exchanges }: Node): boolean => {
  const ids = new Set(causes.flatMap((cause) => cause.exchanges.map(({ id }) => id)));
  return exchanges.length > 0 && exchanges.every(({ id }) => ids.has(id));
};

/**
 * Every exchange that breaks a general requirement breaks these on the operation, too. If they are broken in another way, an exchange
 * that breaks only them shows that they are not the reason.
 */
const generalRequirement: Follows = (group, effect) => {
  const { operation, rule, variant } = effect.failure;
  if (!isGeneral(effect) || hasErrorShapeProblem(effect)) return false;
  const causes = group.filter((cause) => {
    const { failure } = cause;
    if (isGeneral(cause) || failure.headers !== undefined || failure.operation !== operation) return false;
    return failure.rule === rule ? failure.variant === variant : isCovered([effect], cause);
  });
  return isCovered(causes, effect);
};

/** The same status of the same responses is wrong. */
const sameResponses: Follows = (group, effect) => {
  const status = wrongStatusOf(effect.failure);
  // Exchanges show which requirement they break, not which of its failures they show.
  const causes = group.filter(
    ({ failure, requirement }) => requirement !== effect.requirement && wrongStatusOf(failure) === status,
  );
  return status !== null && isCovered(causes, effect);
};

/** Animals that are in no list, because they are not stored, are not found by their ids either. */
const notStored: Explains = ({ bug }, { failure }) =>
  bug?.code === 'notStored' && failure.operation === 'getPet' && failure.response?.status === 404;

/** The failures show the same bug. */
const sameBug: readonly Explains[] = [
  sameEvidence,
  sameErrorBody,
  sameFramework,
  sameHeaders,
  sameMediaType,
  printsErrors,
  sameException,
  sameSlash,
  sameEnvelope,
  sameCode('pagesForBrowsers', 'forbidden', 'resetIsTimeLeft', 'resetInMilliseconds'),
  sameWrongStatus,
  sameOtherSuccess,
  sameMembers,
];

const fromOne =
  (explains: Explains): Follows =>
  (group, effect) =>
    group.some((cause) => explains(cause, effect));

/** What follows from a bug. What shows the same bug as an effect may have another cause. */
const consequences: readonly Follows[] = [
  generalRequirement,
  sameResponses,
  ...[missingOperation, wrongAnimalInStore, notStored, textsOfIds, reusedIds, lostByCrash].map(fromOne),
];

const isServerError = ({ failure }: Node): boolean => (failure.response?.status ?? 0) >= 500;

const shownBy = ({ failure, exchanges }: Node): ReadonlySet<string | null> =>
  new Set([failure, ...exchanges].map(exceptionKind));

/** Responses of the failure show several exceptions. */
const hasSeveralExceptions = (node: Node): boolean => isServerError(node) && shownBy(node).size > 1;

/** The status decides, so each input may get the wrong one for a reason of its own. */
const aboutInputs: readonly string[] = ['status', 'server-error'];

/** Several inputs get the wrong status, and others do not: what is wrong with one input need not be wrong with the next. */
export const hasSeveralInputs = ({
  bug,
  failure: { rule, causedBy, inputs = [], passed = [] },
}: Pick<Node, 'bug' | 'failure'>): boolean =>
  bug === null &&
  causedBy === undefined &&
  aboutInputs.includes(rule) &&
  inputs.length > 1 &&
  passed.length > 0;

/** Tells whether a failure may have several causes, so that the fix of one is not enough. */
export const mayHaveSeveralCauses = (node: Node): boolean =>
  hasSeveralExceptions(node) || hasSeveralInputs(node);

/** Any response can break them. */
const isOnAnyResponse = (requirement: string): boolean => /^(?:GEN|ERR|RATE)-/.test(requirement);

/** Both are of the same exchanges, except that the cause has more that break no requirement on the operation. */
const isOfSameExchanges = (cause: Node, effect: Node): boolean => {
  const ids = new Set(effect.exchanges.map(({ id }) => id));
  return (
    isCovered([cause], effect) &&
    cause.exchanges.every(({ id, breaches }) => ids.has(id) || breaches.every(isOnAnyResponse))
  );
};

/**
 * Whether nothing shows that two server errors have different causes: all exchanges of the effect show the exception of the cause. If
 * the responses show none, both failures are of the same exchanges, because other exchanges may fail for other reasons.
 */
const mayBeOneError = (cause: Node, effect: Node): boolean => {
  const [exception = null, ...others] = shownBy(effect);
  if (others.length > 0 || exception !== exceptionKind(cause.failure)) return false;
  return exception !== null || isOfSameExchanges(cause, effect);
};

/** A body without ids, times, and other numbers. */
const fixedText = (body: string | null): string => (body ?? '').replaceAll(/[\da-f-]*\d[\da-f-]*/gi, '#');

/** Both are server errors with one body, which names no exception. It does not show whether they have one cause. */
export const sameServerError: Explains = ({ failure: a }, { failure: b }) =>
  a.response !== null &&
  a.response.status >= 500 &&
  a.response.status === b.response?.status &&
  fixedText(a.response.body) === fixedText(b.response.body) &&
  exceptionKind(a) === null;

/** Returns the failures that show the same bug as one failure, or follow from it; itself too. */
export const explainedBy = (cause: Node, nodes: readonly Node[]): ReadonlySet<Node> => {
  const group = new Set([cause]);
  // The iteration includes what is added to the set during it.
  for (const node of group)
    for (const other of nodes)
      if (!group.has(other) && sameBug.some((explains) => explains(node, other))) group.add(other);
  const effects = nodes.filter((node) => consequences.some((follows) => follows([...group], node)));
  const isDoubtful = (node: Node): boolean =>
    node !== cause && isServerError(cause) && isServerError(node) && !mayBeOneError(cause, node);
  return new Set([...group, ...effects].filter((node) => !isDoubtful(node)));
};
