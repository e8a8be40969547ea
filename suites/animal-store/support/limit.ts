import { bearer, type KeySlot } from '../../../src/check/credentials.ts';
import {
  type ApiResponse,
  type CheckContext,
  type Cost,
  createPet,
  createPetWithBody,
  type Expectation,
  getPet,
  listOrders,
  listPets,
  type Probe,
  type Reason,
  type RunContext,
} from '../../../src/check/index.ts';
import { planFigures, retryWait } from '../../../src/check/rate-limits.ts';
import { expecting } from '../../../src/check/requests.ts';
import { isCategoryKnown, ordinaryPet } from './animals.ts';
import { someId } from './operations.ts';

/** The limit is that of a plan with fixed limits. */
export const isPlanFigure = (limit: number): boolean =>
  Object.values(planFigures).some(({ perMinute, perDay }) => limit === perMinute || limit === perDay);

/** The limits of the rate-limit key's plan; null if the plan is unknown or has individual limits. */
export const figuresOf = ({ plan }: Pick<RunContext, 'plan'>) =>
  plan === null || plan === 'enterprise' ? null : planFigures[plan];

/** The cost of requests with the rate-limit key. */
export const exhausting = (requests: number, waitMs: number): Cost => ({
  requests,
  keyless: requests,
  waitMs,
});

/**
 * The largest limit that is used up: five times that of the largest plan with fixed limits. A larger one would cost the server more
 * requests than its result is worth.
 */
export const mostToUseUp = 5_000;

/** The cost of using up the limit of the rate-limit key several times. An unknown limit counts as the smallest of the plans. */
export const minutesOf =
  (minutes: number, besides = 0) =>
  (run: RunContext): Cost => {
    const assumed = { limit: (figuresOf(run) ?? planFigures.free).perMinute, seconds: 60 };
    const { limit, seconds } = run.keyProbe?.window ?? assumed;
    if (limit > mostToUseUp) return exhausting(besides, 0);
    return exhausting(minutes * limit + besides, Math.max(1, minutes - 1) * seconds * 1_000);
  };

/** Why no limit can be used up. */
export const noRequestCounts: Reason = { code: 'counting-unclear', detail: 'no-request-counts' };

/** A request that can be repeated without side effects. */
export type LimitProbe = (slot: KeySlot) => Probe;

export const listProbe: LimitProbe = (slot) => listPets({ limit: 1, credential: bearer(slot) });

/** Which operations count is not specified: GET /pets first, then the others. A rejected creation stores nothing. */
export const limitProbes = ({ run }: Pick<CheckContext, 'run'>): readonly LimitProbe[] => [
  listProbe,
  (slot) => listOrders({ credential: bearer(slot) }),
  ...(run.removalState() === 'before'
    ? [(slot: KeySlot) => getPet(someId(run), { credential: bearer(slot) })]
    : []),
  ...(run.readOnly
    ? []
    : [
        (slot: KeySlot) =>
          createPetWithBody('{}', {
            credential: bearer(slot),
            inputSpace: 'undocumented',
            label: 'empty object',
          }),
      ]),
];

/** A request for the time when nothing remains. `counts`: the limit is known to apply to it. */
export interface OverLimit {
  readonly limitProbe: LimitProbe;
  readonly counts: boolean;
}

/** The limit may not apply to the request: these statuses are neither a breach nor a sign of a limit. */
const mayBeOverLimit = (...served: number[]): readonly Expectation[] => [
  {
    ...expecting('RATE-5', [429], 'the request is over the limit, if the limit applies to it'),
    unless: ({ status }) => served.includes(status),
  },
];

/** A creation of an ordinary animal; null if none may be created. */
export const validCreation = (context: CheckContext): LimitProbe | null =>
  context.run.remainingCreations() > 0 && isCategoryKnown(context)
    ? (slot) => createPet(ordinaryPet(context), { credential: bearer(slot), expects: mayBeOverLimit(201) })
    : null;

/** A creation over the limit, or a getPet if none may be created; null if neither can be sent. */
export const sendOverLimit = (context: CheckContext): OverLimit | null => {
  const { run } = context;
  const create = validCreation(context);
  if (create !== null) return { limitProbe: create, counts: run.isCounted('createPet') };
  if (run.removalState() !== 'before') return null;
  return {
    limitProbe: (slot) =>
      getPet(someId(run), { credential: bearer(slot), expects: mayBeOverLimit(200, 404) }),
    counts: run.isCounted('getPet'),
  };
};

/** A request sent with the rate-limit key, at a time of the run's clock. */
interface SentRequest {
  readonly at: number;
  readonly operation: string;
  /** Null if there is no response yet. */
  response: ApiResponse | null;
}

const sentLog = ({ state }: Pick<RunContext, 'state'>): SentRequest[] =>
  state('rate-limit-key-requests', () => []);

/** The request passed the limiter, so that a limit may count it. */
export const isServed = ({ status }: ApiResponse): boolean =>
  status < 500 && ![401, 403, 429].includes(status);

/** Sends one request without pacing: a 429 is an expected response. */
export const sendCounted = async (context: CheckContext, probe: Probe): Promise<ApiResponse> => {
  const { credential, operation } = probe.request;
  const entry: SentRequest = { at: context.now(), operation, response: null };
  if (credential.chargedTo === 'rate-limit') sentLog(context.run).push(entry);
  const response = await context.send(probe, { expects429: true });
  entry.response = response;
  return response;
};

/** How many requests with the rate-limit key the per-minute limit may still count. */
export const sentLately = ({ run, now }: CheckContext): number =>
  [...sentLog(run), ...(run.keyProbe === null ? [] : [run.keyProbe])].filter(({ at }) => now() - at < 60_000)
    .length;

/** When the requests of an operation with the rate-limit key succeeded, by the run's clock. */
export const servedWith = ({ run }: CheckContext, limitProbe: LimitProbe): readonly number[] => {
  const { operation } = limitProbe('rate-limit').request;
  return sentLog(run)
    .filter((entry) => entry.operation === operation && entry.response !== null && isServed(entry.response))
    .map(({ at }) => at);
};

/** Waits for the time of a 429 plus 1 s. Ends the case if there is none, or it is too long. */
export const waitForReset = async (context: CheckContext, refused: ApiResponse): Promise<void> => {
  const wait = retryWait(refused);
  if (wait === null) return context.skipCase({ code: 'unreadable-response', detail: 'retry-after' });
  if (wait.seconds * 1000 > context.run.maxWaitMs) {
    return context.skipCase({ code: 'max-wait', detail: 'retry-after', seconds: Math.ceil(wait.seconds) });
  }
  await context.sleep((Math.max(0, wait.seconds) + 1) * 1000);
};

/** RATE-8: a request after the wait of a 429 is rejected again. */
export const failRejectedAgain = (
  context: CheckContext,
  rejected: ApiResponse,
  response: ApiResponse,
): void => {
  const retryAfterOf = (each: ApiResponse) => each.header('retry-after').join(', ');
  context.breach({
    requirement: 'RATE-8',
    problem: {
      rule: 'refused-after-wait',
      waited: retryAfterOf(rejected),
      retryAfter: response.status === 429 ? retryAfterOf(response) : null,
      wrongStatus: response.status,
    },
    response,
  });
};
