import {
  type ApiResponse,
  type Check,
  type CheckContext,
  defineCheck,
  isJsonObject,
} from '../../src/check/index.ts';
import type { RunPermissions } from '../../src/check/permissions.ts';
import { nameOf, type OperationUnderTest } from './operations.ts';
import { isAccepted } from './refused-values.ts';
import { isSameName } from './relations.ts';
import type { GeneratedRequest } from './request.ts';
import type { Sender } from './sender.ts';
import { plain } from './valid.ts';

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

/** Places that frameworks do not validate with the body or the query. */
const separatePlaces: readonly string[] = ['header', 'cookie', 'path'];

/**
 * The refusals that show that a server validates: of another rule of the operation, and of a rule of that level somewhere, because a parser
 * refuses what has another form, and a server that looks at members need not look at their values. For what lenient servers accept, a refusal
 * of the same kind anywhere.
 */
const neededRefusals = (
  { operation }: OperationUnderTest,
  sending: GeneratedRequest,
  response: ApiResponse,
): readonly string[] => {
  const { violation } = sending;
  if (violation?.isLenient === true && !isTaken(sending, response)) return [`kind ${violation.kind}`];
  const level = violation?.level ?? 'syntax';
  const place = violation?.in ?? 'body';
  return [
    `operation ${operation.id}${level !== 'presence' && separatePlaces.includes(place) ? ` ${place}` : ''}`,
    ...(level === 'value' || level === 'presence' ? [level] : []),
  ];
};

/** The response names the page size, or the page, as it was sent: the server does not use a bound instead. */
const isTaken = ({ violation, texts }: GeneratedRequest, { json }: ApiResponse): boolean => {
  const name = violation?.pagedBy;
  if (name === undefined || json === undefined || !isJsonObject(json)) return false;
  const text = texts[`query ${name}`]?.split('=').at(-1);
  return [json, ...Object.values(json).filter(isJsonObject)].some((each) =>
    Object.entries(each).some(([member, value]) => isSameName(member, name) && `${value}` === text),
  );
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

/** The server refuses the request again, and not without the broken rule: then something else may be the reason. */
const isForItsRule = async (
  { exercised, sending }: Refusal,
  { send, context }: { readonly send: Sender; readonly context: CheckContext },
): Promise<boolean> => {
  const isRefused = async (request: GeneratedRequest) =>
    [400, 422].includes((await send(exercised, request, context, { inputSpace: 'undocumented' })).status);
  return (await isRefused(sending)) && !(await isRefused(plain(exercised)));
};

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
  const needs = neededRefusals(exercised, sending, response);
  const refusal = refusalFor(context, needs);
  if (refusal !== undefined) {
    if (await isForItsRule(refusal, { send, context }))
      breachAccepted(context, 'REQ-2', { exercised, response }, refusal);
    return;
  }
  const all = acceptances(context);
  if (!all.some((accepted) => accepted.sending === sending)) all.push({ exercised, sending, needs });
};

/** What a refused request shows. A parser that refuses what it cannot read shows nothing. */
const shownBy = ({ operation }: OperationUnderTest, { violation }: GeneratedRequest): readonly string[] => {
  const level = violation?.level ?? 'syntax';
  return [
    ...(level === 'syntax'
      ? []
      : [`operation ${operation.id}`, `operation ${operation.id} ${violation?.in ?? 'body'}`]),
    ...(level === 'value' ? ['value', 'presence'] : level === 'presence' ? ['presence'] : []),
    ...(violation?.isLenient === true && violation.kind !== null ? [`kind ${violation.kind}`] : []),
  ];
};

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
    if (isAccepted(again) && (await isForItsRule(refusal, { send, context })))
      breachAccepted(context, 'REQ-2', accepted, refusal);
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
      // A server that validates bodies need not validate headers.
      const isElsewhere = ({ operation }: OperationUnderTest, { violation }: GeneratedRequest) =>
        separatePlaces.includes(violation?.in ?? 'body') &&
        refusals(context).has(`operation ${operation.id}`);
      const left = acceptances(context).filter(
        ({ needs, sending, exercised }) =>
          refusalFor(context, needs) === undefined &&
          (strictRequests || (sending.violation?.isLenient === false && !isElsewhere(exercised, sending))),
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
