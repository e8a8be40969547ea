import { type ApiResponse, type Check, type CheckContext, defineCheck } from '../../src/check/index.ts';
import type { RunPermissions } from '../../src/check/permissions.ts';
import { objectsIn } from './listing.ts';
import { isSameName } from './names.ts';
import { nameOf, type OperationUnderTest } from './operations.ts';
import type { BrokenRule, GeneratedRequest } from './request.ts';
import { isInvalid, isSuccess } from './responses.ts';
import type { Sender, Sending } from './sender.ts';
import { plain } from './valid.ts';

/** An invalid request to an operation, and the rule that it breaks. */
interface Attempt {
  readonly exercised: OperationUnderTest;
  readonly request: GeneratedRequest;
  readonly violation: BrokenRule;
}

/** An attempt that the server refused: it validates. */
interface Refusal extends Attempt {
  readonly response: ApiResponse;
}

interface Accepted extends Attempt {
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
const neededRefusals = (attempt: Attempt, response: ApiResponse): readonly string[] => {
  const { exercised, violation } = attempt;
  const { level, in: place } = violation;
  if (violation.isLenient && !isTaken(attempt, response)) return [`kind ${violation.kind}`];
  const isApart = level !== 'presence' && separatePlaces.includes(place);
  return [
    `operation ${exercised.operation.id}${isApart ? ` ${place}` : ''}`,
    ...(level === 'value' || level === 'presence' ? [level] : []),
  ];
};

/** What a refused attempt shows. A parser that refuses what it cannot read shows nothing. */
const shownBy = ({ exercised, violation }: Attempt): readonly string[] => {
  const { level, in: place, isLenient, kind } = violation;
  const operation = `operation ${exercised.operation.id}`;
  return [
    ...(level === 'syntax' ? [] : [operation, `${operation} ${place}`]),
    ...(level === 'value' ? ['value', 'presence'] : level === 'presence' ? ['presence'] : []),
    ...(isLenient && kind !== null ? [`kind ${kind}`] : []),
  ];
};

/** The response names the page size, or the page, as it was sent: the server does not use a bound instead. */
const isTaken = ({ violation: { pagedBy }, request }: Attempt, { json }: ApiResponse): boolean => {
  if (pagedBy === undefined) return false;
  const text = request.texts[`query ${pagedBy}`]?.split('=').at(-1);
  return objectsIn(json ?? null, 2).some((each) =>
    Object.entries(each).some(([member, value]) => isSameName(member, pagedBy) && `${value}` === text),
  );
};

/** Of several refusals, the last one says most. Undefined: one is missing. */
const refusalFor = (context: CheckContext, needs: readonly string[]): Refusal | undefined => {
  const found = needs.map((key) => refusals(context).get(key));
  return found.includes(undefined) ? undefined : found.at(-1);
};

/** What the server refused, with its operation if that is another one. */
const inputOf = ({ exercised, request }: Refusal, accepting: OperationUnderTest): string =>
  exercised === accepting ? request.label : `${nameOf(exercised.operation)} with ${request.label}`;

const breachAccepted = (
  context: CheckContext,
  requirement: 'REQ-2' | 'REQ-3',
  exercised: OperationUnderTest,
  response: ApiResponse,
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
  { exercised, request }: Refusal,
  { send, context }: Sending,
): Promise<boolean> => {
  const isRefused = async (each: GeneratedRequest) =>
    isInvalid(await send(exercised, each, context, { inputSpace: 'undocumented' }));
  return (await isRefused(request)) && !(await isRefused(plain(exercised)));
};

/** REQ-2: the response to an invalid request. */
export const judgeInvalid = async (
  exercised: OperationUnderTest,
  request: GeneratedRequest,
  sending: Sending,
  response: ApiResponse,
): Promise<void> => {
  const { violation } = request;
  const { context } = sending;
  if (violation === undefined || !isPromised(exercised)) return;
  const attempt = { exercised, request, violation };
  if (isInvalid(response)) return judgeRefusal({ ...attempt, response }, sending);
  if (!isSuccess(response)) return;
  const needs = neededRefusals(attempt, response);
  const refusal = refusalFor(context, needs);
  if (refusal === undefined) {
    const all = acceptances(context);
    if (!all.some((accepted) => accepted.request === request)) all.push({ ...attempt, needs });
  } else if (await isForItsRule(refusal, sending))
    breachAccepted(context, 'REQ-2', exercised, response, refusal);
};

/** Earlier invalid requests that the server accepted are failures from now on. */
const judgeRefusal = async (refused: Refusal, sending: Sending): Promise<void> => {
  const { send, context } = sending;
  context.passed('REQ-2');
  context.passed('REQ-3');
  const known = refusals(context);
  const isNew = (key: string): boolean => (known.get(key)?.request ?? refused.request) === refused.request;
  const shown = shownBy(refused).filter(isNew);
  for (const key of shown) known.set(key, refused);
  for (const { exercised, request, needs } of acceptances(context)) {
    const refusal = refusalFor(context, needs);
    if (refusal === undefined || !needs.some((key) => shown.includes(key))) continue;
    const again = await send(exercised, request, context);
    if (isSuccess(again) && (await isForItsRule(refusal, sending)))
      breachAccepted(context, 'REQ-2', exercised, again, refusal);
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
      const isElsewhere = ({ exercised, violation }: Attempt) =>
        separatePlaces.includes(violation.in) && refusals(context).has(`operation ${exercised.operation.id}`);
      const left = acceptances(context).filter(
        (accepted) =>
          refusalFor(context, accepted.needs) === undefined &&
          (strictRequests || (!accepted.violation.isLenient && !isElsewhere(accepted))),
      );
      for (const [exercised, [first]] of Map.groupBy(left, (accepted) => accepted.exercised)) {
        if (first === undefined || context.run.removalState(exercised.operation) !== 'before') continue;
        const response = await send(exercised, first.request, context);
        if (isSuccess(response)) breachAccepted(context, 'REQ-3', exercised, response, null);
      }
      if (left.length === 0) context.inconclusive({ code: 'not-documented', detail: 'refusals' });
    },
  });
