import type { ApiDocument, Operation } from '../../src/document/api-document.ts';
import type { Probe } from '../../src/oracle/probe.ts';
import { rateLimitHeaders } from '../../src/oracle/rules/rate-limit-headers.ts';
import { anyCase, type CaseContext, type Check, type Phase } from '../../src/run/check.ts';
import type { Circumstances } from '../../src/run/circumstances.ts';
import { authenticationChecks, problemOf } from './authentication.ts';
import { type CreationShares, divideCreations } from './creations.ts';
import { createKnownResources } from './existing.ts';
import { invalidArbitrary, invalidExamples, mayBeRefused } from './invalid.ts';
import {
  hasPathParameters,
  isSafe,
  nameOf,
  type OperationUnderTest,
  type Support,
  supportOf,
} from './operations.ts';
import { type GeneratedRequest, toProbe } from './request.ts';
import { type Sender, senderOver } from './sender.ts';
import { plain, smallerValid, validArbitrary, validExamples } from './valid.ts';
import { documentProblem } from './values.ts';

/** A request to be sent, or the reason why there is none. */
type Case =
  | { readonly kind: 'sent'; readonly sending: GeneratedRequest }
  | { readonly kind: 'undecided'; readonly reason: string };

const general = ['GEN-1', 'GEN-2', 'GEN-3', 'GEN-4'] as const;

const undecided = (reason: string): Case => ({ kind: 'undecided', reason });
const sent = (sending: GeneratedRequest): Case => ({ kind: 'sent', sending });

/** What comes first fills the target, what comes last may empty it. */
const phaseOf = ({ operation }: OperationUnderTest, usual: Phase): Phase => {
  if (isSafe(operation)) return usual;
  return operation.method === 'POST' ? 'whole-list' : 'risky';
};

/** What a document says that cannot be honoured leaves its operation undecided, and no other. */
const orReason = <Value>(exercised: OperationUnderTest, make: () => Value): Value | string => {
  try {
    return make();
  } catch (error) {
    const problem = documentProblem(error);
    if (problem === null) throw error;
    return `${nameOf(exercised.operation)}: ${problem}`;
  }
};

const sendingCheck = (
  check: Pick<Check<Case>, 'name' | 'gives' | 'phase' | 'share'>,
  exercised: OperationUnderTest,
  source: Pick<ReturnType<typeof requestsOf>, 'examples' | 'arbitrary' | 'smaller'>,
  attempt: (sending: GeneratedRequest, context: CaseContext) => Promise<void>,
): Check<unknown> => {
  const examples = orReason(exercised, () => source.examples().map(sent));
  const arbitrary = typeof examples === 'string' ? null : orReason(exercised, source.arbitrary);
  return anyCase<Case>({
    ...check,
    examples: () => (typeof examples === 'string' ? [undecided(examples)] : examples),
    ...(arbitrary === null || typeof arbitrary === 'string' ? {} : { arbitrary: () => arbitrary.map(sent) }),
    smaller: (value) =>
      value.kind === 'undecided' ? [] : Iterator.from(source.smaller(value.sending)).map(sent),
    attempt: async (value, context) => {
      if (value.kind === 'undecided') return context.end(value.reason);
      await attempt(value.sending, context);
    },
  });
};

const requestsOf = (exercised: OperationUnderTest, kind: 'valid' | 'invalid') =>
  kind === 'valid'
    ? {
        examples: () => validExamples(exercised),
        arbitrary: () => validArbitrary(exercised),
        smaller: smallerValid(exercised),
      }
    : {
        examples: () => invalidExamples(exercised),
        arbitrary: () => invalidArbitrary(exercised),
        smaller: () => [],
      };

const answersValid = (exercised: OperationUnderTest, send: Sender, shares: CreationShares): Check<unknown> =>
  sendingCheck(
    {
      name: `GEN-1 ${nameOf(exercised.operation)} answers as documented`,
      gives: general,
      phase: phaseOf(exercised, 'main'),
    },
    exercised,
    requestsOf(exercised, 'valid'),
    async (sending, context) => {
      const reason = shares.usedUp(exercised);
      if (reason !== null) return context.end(reason);
      const { status } = await send(exercised, sending, context, { space: 'documented' });
      shares.answered(exercised, status);
    },
  );

const bearsInvalid = (exercised: OperationUnderTest, send: Sender): Check<unknown> =>
  sendingCheck(
    {
      name: `GEN-4 ${nameOf(exercised.operation)} bears requests that break a rule`,
      gives: ['GEN-4'],
      phase: phaseOf(exercised, 'late'),
      share: 0.4,
    },
    exercised,
    requestsOf(exercised, 'invalid'),
    async (sending, context) => {
      const { status } = await send(exercised, sending, context, { space: 'outside' });
      // No requirement says that what breaks a rule has to be refused: whether it is, is worth knowing.
      if (status < 300)
        context.observe(
          'GEN-4',
          `accepted by ${nameOf(exercised.operation)} against its document`,
          sending.label,
        );
    },
  );

/** Without what the document asks for, nothing but a refusal is to be seen: one request shows it. */
const showsRefusal = (exercised: OperationUnderTest, send: Sender): Check<unknown> =>
  sendingCheck(
    { name: `GEN-4 ${nameOf(exercised.operation)} without its credential`, gives: general, phase: 'main' },
    exercised,
    { examples: () => [plain(exercised)], arbitrary: () => null, smaller: () => [] },
    async (sending, context) => {
      await send(exercised, sending, context, { space: 'outside' });
      const schemes = exercised.operation.security.flat().map(({ name }) => name);
      context.undecided('GEN-1', `${nameOf(exercised.operation)} asks for ${schemes.join(' or ')}`);
    },
  );

const leftOut = (operation: Operation, reason: string): Check<unknown> =>
  anyCase<string>({
    name: `GEN-1 ${nameOf(operation)} is left out`,
    gives: general,
    phase: 'main',
    examples: () => [reason],
    attempt: async (value, context) => context.end(value),
  });

const checksOf = (support: Support, send: Sender, shares: CreationShares): readonly Check<unknown>[] => {
  if (support.kind === 'left out') return [leftOut(support.operation, support.reason)];
  const { exercised } = support;
  if (!exercised.authentic) return isSafe(exercised.operation) ? [showsRefusal(exercised, send)] : [];
  return [
    answersValid(exercised, send, shares),
    ...(mayBeRefused(exercised) ? [bearsInvalid(exercised, send)] : []),
  ];
};

/** RATE-1 and RATE-2 are judged with every answer whose headers the document declares. */
const rateLimitsDeclared = (operations: readonly Operation[]): readonly Check<unknown>[] => {
  const isDeclared = operations.some(({ responses }) =>
    responses.some(({ headers }) =>
      Object.keys(headers).some((name) => rateLimitHeaders.includes(name.toLowerCase())),
    ),
  );
  if (isDeclared) return [];
  const gives = ['RATE-1', 'RATE-2'];
  return [
    anyCase<null>({
      name: 'RATE-1 rate limit headers of the document',
      gives,
      phase: 'main',
      examples: () => [null],
      attempt: async (_, context) => context.end('the document declares no rate limit headers'),
    }),
  ];
};

const supportsOf = (
  document: ApiDocument,
  operations: readonly Operation[],
  circumstances: Circumstances,
): readonly Support[] => operations.map((operation) => supportOf(document, operation, circumstances));

/** The checks that hold for any API, from what its document says of some of its operations. */
export const generalChecks = (
  document: ApiDocument,
  operations: readonly Operation[],
  circumstances: Circumstances,
): readonly Check<unknown>[] => {
  const supports = supportsOf(document, operations, circumstances);
  const exercised = new Map(
    supportsOf(document, document.operations, circumstances).flatMap((support) =>
      support.kind === 'exercised' ? [[support.exercised.operation.id, support.exercised] as const] : [],
    ),
  );
  const send = senderOver(createKnownResources(({ id }) => exercised.get(id) ?? null));
  const shares = divideCreations([...exercised.values()], circumstances);
  return [
    ...supports.flatMap((support) => checksOf(support, send, shares)),
    ...authenticationChecks(supports, circumstances, send),
    ...rateLimitsDeclared(operations),
  ];
};

/** Plain requests to look at a target with, the least intrusive first: what creates something comes last. */
export const firstRequests = (document: ApiDocument, circumstances: Circumstances): readonly Probe[] =>
  supportsOf(document, document.operations, circumstances)
    .flatMap((support) => (support.kind === 'exercised' ? [support.exercised] : []))
    .filter(({ operation, mayGuess }) => mayGuess && (isSafe(operation) || operation.method === 'POST'))
    .sort((a, b) => weight(a) - weight(b))
    .flatMap((exercised) => {
      const probe = orReason(exercised, () =>
        toProbe(exercised, plain(exercised), { space: 'documented', found: null }),
      );
      return typeof probe === 'string' ? [] : [probe];
    });

/** Why no operation of the document can be sent, said of the first ones; null: one can. */
export const whyNothingCanBeSent = (document: ApiDocument, circumstances: Circumstances): string | null => {
  const reasons = supportsOf(document, document.operations, circumstances).map((support) =>
    support.kind === 'left out' ? support.reason : problemOf(support.exercised),
  );
  if (reasons.length === 0) return 'the document has no operations';
  if (reasons.includes(null)) return null;
  const further = reasons.length > 3 ? `; and ${reasons.length - 3} more` : '';
  return `the run sends none of the document's operations: ${reasons.slice(0, 3).join('; ')}${further}`;
};

const weight = ({ operation }: OperationUnderTest): number =>
  (isSafe(operation) ? 0 : 1000) +
  (hasPathParameters(operation) ? 100 : 0) +
  operation.parameters.filter(({ required }) => required).length;
