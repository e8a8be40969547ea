import type { Operation } from '../../src/check/document.ts';
import {
  type ApiResponse,
  type CaseReason,
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
import { judgeInvalid, observeAccepted } from './judged-requests.ts';
import { recordPresence } from './missing-operations.ts';
import { isSafe, nameOf, type OperationUnderTest, type Support } from './operations.ts';
import { isRefused, judgeValid } from './refused-values.ts';
import type { GeneratedRequest } from './request.ts';
import { breachUndocumented, documents } from './scenario.ts';
import { lackingCredential } from './schemes.ts';
import type { Sender } from './sender.ts';
import { plain, smallerValid, validArbitrary } from './valid.ts';
import { leftOutOf, unsupportedSchema } from './values.ts';

/** A permanent id for checks that exist once for each operation. */
const idOf = (name: string, { id }: Operation): string => `${name}-${id}`;

/** Creations run first, operations that may delete run last. */
const phaseOf = ({ operation }: OperationUnderTest, usual: Phase): Phase => {
  if (isSafe(operation)) return usual;
  return operation.method === 'POST' ? 'first' : 'risky';
};

type Made<Value> = { readonly value: Value; readonly reason: null } | { readonly reason: CaseReason };

/** An unsupported part of the document makes only its own operation inconclusive. */
export const orReason = <Value>({ operation }: OperationUnderTest, make: () => Value): Made<Value> => {
  try {
    return { value: make(), reason: null };
  } catch (error) {
    return { reason: unsupportedSchema(error, operation) };
  }
};

const sendingCheck = (
  check: Pick<Check, 'id' | 'title' | 'requirement' | 'covers' | 'share' | 'cost'> & {
    readonly phase?: Phase;
  },
  exercised: OperationUnderTest,
  source: Pick<ReturnType<typeof requestsOf>, 'examples' | 'arbitrary' | 'smaller'>,
  run: (sending: GeneratedRequest, context: CheckContext) => Promise<void>,
): Check => {
  const examples = orReason(exercised, source.examples);
  if (examples.reason !== null) return skipped(check, examples.reason, exercised.operation);
  const drawn = orReason(exercised, source.arbitrary);
  const arbitrary = drawn.reason === null ? drawn.value : null;
  return defineCheck<GeneratedRequest>({
    ...check,
    inputs: () => examples.value,
    ...(arbitrary === null ? {} : { arbitrary: () => arbitrary }),
    shrink: source.smaller,
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

const requestsOf = (exercised: OperationUnderTest, kind: 'valid' | 'invalid', plan: CasePlan) =>
  kind === 'valid'
    ? {
        examples: () => plan.valid(exercised),
        arbitrary: () => validArbitrary(exercised),
        smaller: smallerValid(exercised),
      }
    : {
        examples: () => plan.invalid(exercised),
        arbitrary: () => invalidArbitrary(exercised),
        smaller: () => [],
      };

const conformsOnValid = (exercised: OperationUnderTest, { send, shares, plan }: Making): Check =>
  sendingCheck(
    {
      id: idOf('gen-1-documented', exercised.operation),
      title: `${nameOf(exercised.operation)} returns documented responses`,
      requirement: 'GEN-1',
      covers: ['GEN-2', 'GEN-3', 'GEN-4', 'REQ-1'],
      phase: phaseOf(exercised, 'main'),
      share: plan.share,
      cost: { requests: 1, creates: exercised.operation.method === 'POST' ? 1 : 0 },
    },
    exercised,
    requestsOf(exercised, 'valid', plan),
    async (sending, context) => {
      const judge = async (request: GeneratedRequest): Promise<ApiResponse> => {
        const reason = shares.usedUp(exercised);
        if (reason !== null) return context.skipCase(reason);
        const response = await send(exercised, request, context, { inputSpace: 'documented' });
        shares.record(exercised, response);
        recordPresence(exercised, response, context);
        if (exercised.stateStatuses.includes(response.status))
          observeStatus(exercised.operation, response, context);
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
  const hasDefault = operation.responses.some((described) => described.status === 'default');
  if (!isOwn || hasDefault || documents(operation, status)) return false;
  context.observe(`undocumented statuses of ${nameOf(operation)}`, `${status}`, 'GEN-1');
  return true;
};

/** The document need not have the status of an invalid request. */
const judgeStatus = (
  operation: Operation,
  response: ApiResponse,
  { strictStatuses }: RunPermissions,
  context: CheckContext,
): void => {
  if (observeStatus(operation, response, context) && strictStatuses)
    breachUndocumented(context, operation, response);
};

const survivesInvalid = (exercised: OperationUnderTest, { send, permissions, plan }: Making): Check =>
  sendingCheck(
    {
      id: idOf('gen-4-invalid', exercised.operation),
      title: `${nameOf(exercised.operation)} survives invalid requests`,
      requirement: 'GEN-4',
      covers: ['REQ-2', 'REQ-3'],
      phase: phaseOf(exercised, 'filled-store'),
      share: 0.4 * plan.share,
    },
    exercised,
    requestsOf(exercised, 'invalid', plan),
    async (sending, context) => {
      const response = await send(exercised, sending, context, { inputSpace: 'undocumented' });
      recordPresence(exercised, response, context);
      await judgeInvalid(exercised, sending, { send, context }, response);
      judgeStatus(exercised.operation, response, permissions, context);
      if (response.status < 300) observeAccepted(exercised, sending, context);
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
      id: idOf('gen-4-no-credential', exercised.operation),
      title: `${nameOf(exercised.operation)} without its credential causes no server error`,
      requirement: 'GEN-4',
      covers: ['GEN-1', 'GEN-2', 'GEN-3'],
    },
    exercised,
    { examples: () => [plain(exercised)], arbitrary: () => null, smaller: () => [] },
    async (sending, context) => {
      await send(exercised, sending, context, { inputSpace: 'undocumented' });
      observeNotTested(exercised.operation, context);
      context.inconclusive(lackingCredential(exercised, permissions), 'GEN-1');
    },
  );

const notTested = (operation: Operation, reason: Reason): Check =>
  skipped(
    {
      id: idOf('gen-1-not-tested', operation),
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
  if (support.kind === 'left out') return [notTested(support.operation, support.reason)];
  const { exercised } = support;
  if (!exercised.authentic)
    return isSafe(exercised.operation)
      ? [rejectsWithoutCredential(exercised, send, permissions)]
      : [notTested(exercised.operation, lackingCredential(exercised, permissions))];
  return [
    conformsOnValid(exercised, making),
    ...(mayBeRefused(exercised) ? [survivesInvalid(exercised, making)] : []),
  ];
};
