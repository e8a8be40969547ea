import type { Arbitrary } from 'fast-check';
import type { Operation } from '../../src/check/document.ts';
import {
  type ApiResponse,
  type Check,
  type CheckContext,
  type CheckDefinition,
  defineCheck,
  type Phase,
  type Reason,
} from '../../src/check/index.ts';
import type { RunPermissions } from '../../src/check/permissions.ts';
import type { CasePlan } from './case-plan.ts';
import type { CreationShares } from './creations.ts';
import { invalidArbitrary, mayBeRefused } from './invalid.ts';
import { judgeInvalid } from './judged-requests.ts';
import { judgeMissing, recordPresence } from './missing-operations.ts';
import { isSafe, nameOf, type OperationUnderTest, type Support } from './operations.ts';
import { isRefused, judgeValid } from './refused-values.ts';
import type { GeneratedRequest } from './request.ts';
import { isSuccess } from './responses.ts';
import { breachUndocumented, documents } from './scenario.ts';
import { lackingCredential } from './schemes.ts';
import type { Sender } from './sender.ts';
import { orReason } from './unsupported.ts';
import { plain, smallerValid, validArbitrary } from './valid.ts';
import { leftOutOf } from './values.ts';

/** Creations run first, operations that may delete run last. */
const phaseOf = ({ operation }: OperationUnderTest, usual: Phase): Phase => {
  if (isSafe(operation)) return usual;
  return operation.method === 'POST' ? 'first' : 'risky';
};

/** The requests of a check. */
interface Requests {
  examples(): readonly GeneratedRequest[];
  arbitrary?(): Arbitrary<GeneratedRequest> | null;
  shrink?(sending: GeneratedRequest): Iterable<GeneratedRequest>;
}

const sendingCheck = (
  check: Pick<Check, 'id' | 'title' | 'requirement' | 'covers' | 'share' | 'cost'> & {
    readonly phase?: Phase;
  },
  exercised: OperationUnderTest,
  { examples: exampleRequests, arbitrary: draw = () => null, shrink = () => [] }: Requests,
  run: (sending: GeneratedRequest, context: CheckContext) => Promise<void>,
): Check => {
  const examples = orReason(exercised, exampleRequests);
  if (examples.reason !== null) return skipped(check, examples.reason, exercised.operation);
  const drawn = orReason(exercised, draw);
  const arbitrary = drawn.reason === null ? drawn.value : null;
  return defineCheck<GeneratedRequest>({
    ...check,
    inputs: () => examples.value,
    ...(arbitrary === null ? {} : { arbitrary: () => arbitrary }),
    shrink,
    run: async (sending, context) => {
      await run(sending, context);
      const leftOut = leftOutOf(exercised);
      if (leftOut !== null) context.observe(`not sent to ${nameOf(exercised.operation)}`, leftOut, 'GEN-4');
    },
  });
};

/** A check whose only case is inconclusive. */
export const skipped = (
  check: Omit<CheckDefinition<null>, 'run'>,
  reason: Reason,
  operation: Operation | null = null,
): Check =>
  defineCheck({
    ...check,
    run: async (_, context) => {
      if (operation !== null) observeNotTested(operation, context);
      context.skipCase(reason);
    },
  });

/** A requirement may pass on the other operations. */
const observeNotTested = (operation: Operation, context: CheckContext): void =>
  context.observe('operations that are not tested', nameOf(operation), 'GEN-1');

const conformsOnValid = (exercised: OperationUnderTest, { send, shares, plan }: Making): Check =>
  sendingCheck(
    {
      id: `gen-1-documented-${exercised.operation.id}`,
      title: `${nameOf(exercised.operation)} returns documented responses`,
      requirement: 'GEN-1',
      covers: ['GEN-2', 'GEN-3', 'GEN-4', 'REQ-1'],
      phase: phaseOf(exercised, 'main'),
      share: plan.share,
      cost: { requests: 1, creates: exercised.operation.method === 'POST' ? 1 : 0 },
    },
    exercised,
    {
      examples: () => plan.valid(exercised),
      arbitrary: () => validArbitrary(exercised),
      shrink: smallerValid(exercised),
    },
    async (sending, context) => {
      const judge = async (request: GeneratedRequest): Promise<ApiResponse> => {
        const reason = shares.usedUp(exercised);
        if (reason !== null) return context.skipCase(reason);
        const response = await send(exercised, request, context);
        shares.record(exercised, response);
        recordPresence(exercised, response, context);
        if (exercised.stateStatuses.includes(response.status))
          observeStatus(exercised.operation, response, context);
        await judgeMissing(exercised, request, { send, context }, response);
        await judgeValid(exercised, request, { send, context }, response);
        return response;
      };
      if (!isRefused(await judge(sending))) return;
      for (const part of sending.parts ?? []) await judge(part);
    },
  );

/** Records a status that the document does not have, and tells whether it is one. Those of a proxy, or of a limit, are not the operation's own. */
const observeStatus = (operation: Operation, { status }: ApiResponse, context: CheckContext): boolean => {
  const isOwn = status >= 400 && status < 500 && ![413, 414, 429, 431].includes(status);
  if (!isOwn || documents(operation, 'default') || documents(operation, status)) return false;
  context.observe(`undocumented statuses of ${nameOf(operation)}`, `${status}`, 'GEN-1');
  return true;
};

const survivesInvalid = (exercised: OperationUnderTest, { send, permissions, plan }: Making): Check =>
  sendingCheck(
    {
      id: `gen-4-invalid-${exercised.operation.id}`,
      title: `${nameOf(exercised.operation)} survives invalid requests`,
      requirement: 'GEN-4',
      covers: ['REQ-2', 'REQ-3'],
      phase: phaseOf(exercised, 'filled-store'),
      share: 0.4 * plan.share,
    },
    exercised,
    { examples: () => plan.invalid(exercised), arbitrary: () => invalidArbitrary(exercised) },
    async (sending, context) => {
      const { operation } = exercised;
      const response = await send(exercised, sending, context);
      recordPresence(exercised, response, context);
      await judgeInvalid(exercised, sending, { send, context }, response);
      // The document need not have the status of an invalid request.
      if (observeStatus(operation, response, context) && permissions.strictStatuses)
        breachUndocumented(context, operation, response);
      // People can judge what was accepted although no requirement is broken.
      if (isSuccess(response))
        context.observe(`invalid requests accepted by ${nameOf(operation)}`, sending.label, 'GEN-4');
    },
  );

/** Without the required credential, every response is a rejection: one request shows it. */
const rejectsWithoutCredential = (
  exercised: OperationUnderTest,
  send: Sender,
  permissions: RunPermissions,
): Check =>
  sendingCheck(
    {
      id: `gen-4-no-credential-${exercised.operation.id}`,
      title: `${nameOf(exercised.operation)} without its credential causes no server error`,
      requirement: 'GEN-4',
      covers: ['GEN-1', 'GEN-2', 'GEN-3'],
    },
    exercised,
    { examples: () => [plain(exercised)] },
    async (sending, context) => {
      await send(exercised, sending, context);
      observeNotTested(exercised.operation, context);
      context.inconclusive(lackingCredential(exercised, permissions), 'GEN-1');
    },
  );

const notTested = (operation: Operation, reason: Reason): Check =>
  skipped(
    {
      id: `gen-1-not-tested-${operation.id}`,
      title: `${nameOf(operation)} is not tested`,
      requirement: 'GEN-1',
      covers: ['GEN-2', 'GEN-3', 'GEN-4'],
    },
    reason,
    operation,
  );

/** What the checks of operations are made with. */
interface Making {
  readonly send: Sender;
  readonly shares: CreationShares;
  readonly permissions: RunPermissions;
  readonly plan: CasePlan;
}

/** The checks of one operation. */
export const checksOf = (support: Support, making: Making): readonly Check[] => {
  const { send, permissions } = making;
  const { operation, exercised, reason } = support;
  if (exercised === null) return [notTested(operation, reason)];
  if (!exercised.authentic)
    return isSafe(operation)
      ? [rejectsWithoutCredential(exercised, send, permissions)]
      : [notTested(operation, lackingCredential(exercised, permissions))];
  return [
    conformsOnValid(exercised, making),
    ...(mayBeRefused(exercised) ? [survivesInvalid(exercised, making)] : []),
  ];
};
