import { type ApiResponse, type Check, type CheckContext, defineCheck } from '../../src/check/index.ts';
import type { RunPermissions } from '../../src/check/permissions.ts';
import { nameOf, type OperationUnderTest } from './operations.ts';
import type { GeneratedRequest } from './request.ts';
import type { Sender } from './sender.ts';

const isAccepted = ({ status }: ApiResponse): boolean => status < 300;

/** Statuses that are about the state of the server, the caller, or the load, not about a value. */
const notAboutValues: readonly number[] = [
  401, 402, 403, 404, 407, 408, 409, 410, 412, 423, 424, 425, 428, 429, 451,
];

const isRefused = ({ status }: ApiResponse): boolean =>
  status >= 400 && status < 500 && !notAboutValues.includes(status);

/** REQ-1: the response to a value that the document names. If it is refused, an ordinary value in its place decides. */
export const judgeValid = async (
  exercised: OperationUnderTest,
  sending: GeneratedRequest,
  { send, context }: { readonly send: Sender; readonly context: CheckContext },
  first: ApiResponse,
): Promise<void> => {
  const { twin } = sending;
  if (isAccepted(first) && sending.idSource !== 'made up') context.passed('REQ-1');
  if (twin === undefined || !isRefused(first)) return;
  const sendTwin = () => send(exercised, twin, context, { inputSpace: 'documented' });
  const usual = await sendTwin();
  if (!isAccepted(usual)) return;
  const again = await send(exercised, sending, context, { inputSpace: 'documented' });
  if (!isRefused(again) || !isAccepted(await sendTwin())) return;
  context.breach({
    response: again,
    requirement: 'REQ-1',
    problem: { rule: 'valid-refused', usual: usual.status, wrongStatus: again.status },
    origin: [usual.exchange],
  });
};

/** An invalid request that the server refused: it validates. */
interface Refusal {
  readonly exercised: OperationUnderTest;
  readonly sending: GeneratedRequest;
  readonly response: ApiResponse;
}

interface Accepted {
  readonly exercised: OperationUnderTest;
  readonly sending: GeneratedRequest;
  /** The keys of the refusals that show that the server validates. */
  readonly needs: readonly string[];
}

const refusals = (context: CheckContext) => context.state('refusals', () => new Map<string, Refusal>());
const acceptances = (context: CheckContext) => context.state('acceptances', (): Accepted[] => []);

const isPromised = ({ operation }: OperationUnderTest): boolean =>
  operation.responses.some(({ status }) => /^4(00|22|xx)$/i.test(status));

/**
 * The refusals that show that a server validates: of another rule of the operation; for a rule on values also of one anywhere, because a
 * parser refuses what has another form; for what lenient servers accept, of a rule of the same kind anywhere.
 */
const neededRefusals = (
  { operation }: OperationUnderTest,
  { violation }: GeneratedRequest,
): readonly string[] => {
  if (violation?.isLenient === true) return [`kind ${violation.kind}`];
  return [`operation ${operation.id}`, ...(violation?.level === 'value' ? ['values'] : [])];
};

/** Of several refusals, the last one says most. Undefined: one is missing. */
const refusalFor = (context: CheckContext, needs: readonly string[]): Refusal | undefined => {
  const found = needs.map((key) => refusals(context).get(key));
  return found.includes(undefined) ? undefined : found.at(-1);
};

/** What the server refused, with its operation if that is another one. */
const inputOf = ({ exercised, sending }: Refusal, accepting: OperationUnderTest): string =>
  exercised === accepting ? sending.label : `${nameOf(exercised.operation)} with ${sending.label}`;

const breachAccepted = (
  context: CheckContext,
  requirement: 'REQ-2' | 'REQ-3',
  { exercised, response }: { readonly exercised: OperationUnderTest; readonly response: ApiResponse },
  refusal: Refusal | null,
): void =>
  context.breach({
    response,
    requirement,
    problem: {
      rule: 'invalid-accepted',
      refused:
        refusal === null ? null : { input: inputOf(refusal, exercised), status: refusal.response.status },
      wrongStatus: response.status,
    },
    ...(refusal === null ? {} : { origin: [refusal.response.exchange] }),
  });

/** REQ-2: the response to an invalid request. */
export const judgeInvalid = async (
  exercised: OperationUnderTest,
  sending: GeneratedRequest,
  { send, context }: { readonly send: Sender; readonly context: CheckContext },
  response: ApiResponse,
): Promise<void> => {
  const { violation } = sending;
  if (violation === undefined || !isPromised(exercised)) return;
  if (response.status === 400 || response.status === 422)
    return judgeRefusal(exercised, sending, { send, context }, response);
  if (!isAccepted(response)) return;
  const needs = neededRefusals(exercised, sending);
  const refusal = refusalFor(context, needs);
  if (refusal !== undefined) return breachAccepted(context, 'REQ-2', { exercised, response }, refusal);
  const all = acceptances(context);
  if (!all.some((accepted) => accepted.sending === sending)) all.push({ exercised, sending, needs });
};

/** What a refused request shows. */
const shownBy = ({ operation }: OperationUnderTest, { violation }: GeneratedRequest): readonly string[] => [
  `operation ${operation.id}`,
  ...(violation?.level === 'value' ? ['values'] : []),
  ...(violation?.isLenient === true && violation.kind !== null ? [`kind ${violation.kind}`] : []),
];

/** Earlier invalid requests that the server accepted are failures from now on. */
const judgeRefusal = async (
  exercised: OperationUnderTest,
  sending: GeneratedRequest,
  { send, context }: { readonly send: Sender; readonly context: CheckContext },
  response: ApiResponse,
): Promise<void> => {
  context.passed('REQ-2');
  context.passed('REQ-3');
  const known = refusals(context);
  const isNew = (key: string): boolean => known.get(key)?.sending === sending || !known.has(key);
  const shown = shownBy(exercised, sending).filter(isNew);
  for (const key of shown) known.set(key, { exercised, sending, response });
  for (const earlier of acceptances(context)) {
    const refusal = refusalFor(context, earlier.needs);
    if (refusal === undefined || !earlier.needs.some((key) => shown.includes(key))) continue;
    const again = await send(earlier.exercised, earlier.sending, context, { inputSpace: 'undocumented' });
    const accepted = { exercised: earlier.exercised, response: again };
    if (isAccepted(again)) breachAccepted(context, 'REQ-2', accepted, refusal);
  }
};

/** REQ-3: what was accepted although the document has 400 or 422, by operations that refused nothing. It runs last. */
export const acceptsInvalid = (send: Sender, { strictRequests, risky }: RunPermissions): Check =>
  defineCheck({
    id: 'req-3-accepted',
    title: 'operations that refuse no invalid request',
    requirement: 'REQ-3',
    // After the operations that it is about.
    phase: risky ? 'risky' : 'look-back',
    run: async (_, context) => {
      const left = acceptances(context).filter(
        ({ needs, sending }) =>
          refusalFor(context, needs) === undefined &&
          (strictRequests || sending.violation?.isLenient === false),
      );
      const perOperation = Map.groupBy(left, ({ exercised }) => exercised);
      for (const [exercised, all] of perOperation) {
        if (context.run.removalState(exercised.operation) !== 'before') continue;
        const [first] = all;
        if (first === undefined) continue;
        const response = await send(exercised, first.sending, context, { inputSpace: 'undocumented' });
        if (isAccepted(response)) breachAccepted(context, 'REQ-3', { exercised, response }, null);
      }
      if (left.length === 0) context.inconclusive({ code: 'not-documented', detail: 'refusals' });
    },
  });

/** Records an invalid request that was accepted although no requirement is broken, so that people can judge it. */
export const observeAccepted = (
  { operation }: OperationUnderTest,
  { label }: GeneratedRequest,
  context: CheckContext,
): void => context.observe(`invalid requests accepted by ${nameOf(operation)}`, label, 'GEN-4');
