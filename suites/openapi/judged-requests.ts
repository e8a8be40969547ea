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
  readonly sending: GeneratedRequest;
  readonly response: ApiResponse;
}

interface Accepted {
  readonly exercised: OperationUnderTest;
  readonly sending: GeneratedRequest;
  /** The key of the refusal that shows that the server validates. */
  readonly needs: string;
}

const refusals = (context: CheckContext) => context.state('refusals', () => new Map<string, Refusal>());
const acceptances = (context: CheckContext) => context.state('acceptances', (): Accepted[] => []);

const isPromised = ({ operation }: OperationUnderTest): boolean =>
  operation.responses.some(({ status }) => /^4(00|22|xx)$/i.test(status));

/** The refusal that shows that a server validates: of another rule of the operation, or of a rule of the same kind anywhere. */
const neededRefusal = ({ operation }: OperationUnderTest, { violation }: GeneratedRequest): string =>
  violation?.isLenient === true ? `kind ${violation.kind}` : `operation ${operation.id}`;

const breachAccepted = (
  context: CheckContext,
  requirement: 'REQ-2' | 'REQ-3',
  response: ApiResponse,
  refusal: Refusal | null,
): void =>
  context.breach({
    response,
    requirement,
    problem: {
      rule: 'invalid-accepted',
      refused: refusal === null ? null : { input: refusal.sending.label, status: refusal.response.status },
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
  const needs = neededRefusal(exercised, sending);
  const refusal = refusals(context).get(needs);
  if (refusal !== undefined) return breachAccepted(context, 'REQ-2', response, refusal);
  const all = acceptances(context);
  if (!all.some((accepted) => accepted.sending === sending)) all.push({ exercised, sending, needs });
};

const kindOfLenient = ({ violation }: GeneratedRequest): readonly string[] =>
  violation?.isLenient === true && violation.kind !== null ? [`kind ${violation.kind}`] : [];

/** Earlier invalid requests that the server accepted are failures from now on. */
const judgeRefusal = async (
  exercised: OperationUnderTest,
  sending: GeneratedRequest,
  { send, context }: { readonly send: Sender; readonly context: CheckContext },
  response: ApiResponse,
): Promise<void> => {
  context.passed('REQ-2');
  context.passed('REQ-3');
  const { id } = exercised.operation;
  for (const key of [`operation ${id}`, ...kindOfLenient(sending)]) {
    const known = refusals(context).get(key);
    if (known !== undefined && known.sending !== sending) continue;
    const refusal = { sending, response };
    refusals(context).set(key, refusal);
    for (const earlier of acceptances(context).filter(({ needs }) => needs === key)) {
      const again = await send(earlier.exercised, earlier.sending, context, { inputSpace: 'undocumented' });
      if (isAccepted(again)) breachAccepted(context, 'REQ-2', again, refusal);
    }
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
          !refusals(context).has(needs) && (strictRequests || sending.violation?.isLenient === false),
      );
      const perOperation = Map.groupBy(left, ({ exercised }) => exercised);
      for (const [exercised, all] of perOperation) {
        if (context.run.removalState(exercised.operation) !== 'before') continue;
        const [first] = all;
        if (first === undefined) continue;
        const response = await send(exercised, first.sending, context, { inputSpace: 'undocumented' });
        if (isAccepted(response)) breachAccepted(context, 'REQ-3', response, null);
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
