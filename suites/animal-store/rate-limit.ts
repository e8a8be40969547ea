import { anonymous, bearer } from '../../src/check/credentials.ts';
import {
  type ApiResponse,
  type Check,
  type CheckContext,
  defineCheck,
  listPets,
  type Reason,
  smoke,
} from '../../src/check/index.ts';
import { type CounterTrend, limitState } from '../../src/check/rate-limits.ts';
import { banIsRecorded } from './ban.ts';
import { dailyLimitIsEnforced } from './rate-limit-daily.ts';
import { limitIsEnforced } from './rate-limit-exhaustion.ts';
import { type OperationName, operations, plainProbe, testedOperations } from './support/operations.ts';
import { rejectedWith401 } from './support/refused.ts';

/** Batch sizes for an operation until it is clear whether it counts. */
const batches = [2, 4, 8] as const;
/** More limits than any key has: per minute and per day, each before and after a change of plan. */
const fewestLimits = 5;
/** A server may update its counters only from time to time. */
const upToDateMs = 1_100;

const hasFallen = ({ run }: CheckContext): boolean =>
  operations.some((operation) => run.counterTrend(operation).trend === 'decreasing');

/** Whether Remaining decreases with the requests of an operation: as seen in the run, otherwise over more requests. */
const movementOf = async (context: CheckContext, operation: OperationName) => {
  const responses: ApiResponse[] = [];
  const probe = () => plainProbe(context, operation, { credential: bearer('main'), expects: [] });
  for (const size of batches) {
    const found = context.run.counterTrend(operation);
    if (found.trend !== 'unknown' || hasFallen(context)) return { ...found, responses };
    responses.push(...(await Promise.all(Array.from({ length: size }, () => context.send(probe())))));
  }
  return { ...context.run.counterTrend(operation), responses };
};

/** RATE-4 passes. A decrease by more than one for each request is recorded. */
const passed = (context: CheckContext): void => {
  context.passed('RATE-4');
  if (operations.some((operation) => context.run.isChargedAsSeveral(operation)))
    context.observe('decrease of X-RateLimit-Remaining', 'more than 1 for each request', 'RATE-4');
};

/** If Limit always equals Remaining, no request ever uses up anything of it. */
const limitFallsToo = (context: CheckContext, responses: readonly ApiResponse[]): boolean => {
  const states = responses.map(limitState).filter((state) => state !== null);
  const [last] = responses.slice(-1);
  const limits = new Set(states.map(({ limit }) => limit));
  const follows = states.every(({ limit, remaining }) => limit === remaining);
  if (last === undefined || limits.size < fewestLimits || !follows) return false;
  context.breach({
    requirement: 'RATE-4',
    problem: { rule: 'limit-shows-remaining', limits: states.map(({ limit }) => limit) },
    response: last,
  });
  return true;
};

/** Why the responses of one operation do not show whether Remaining decreases. */
const whyUnclear = (responses: readonly ApiResponse[]): Reason => {
  const failed = responses.find(({ status }) => status >= 400);
  if (failed !== undefined) {
    const { method, path } = failed.exchange.request;
    return {
      code: 'counting-unclear',
      detail: 'status',
      request: `${method} ${path}`,
      status: failed.status,
    };
  }
  const states = responses.map(limitState).filter((state) => state !== null);
  const differ = (of: 'limit' | 'reset'): boolean => new Set(states.map((state) => state[of])).size > 1;
  if (states.length < responses.length) return { code: 'counting-unclear', detail: 'headers' };
  if (differ('limit')) return { code: 'counting-unclear', detail: 'several-limits' };
  return { code: 'counting-unclear', detail: differ('reset') ? 'reset-changes' : 'refills' };
};

type Latest = NonNullable<CounterTrend['latest']>;

const counterOf = ({ exchange, limit, remaining }: Latest) => ({
  operation: exchange.request.operation,
  limit,
  remaining,
});

const rises = (context: CheckContext, latest: Latest): void =>
  context.breach({
    problem: { rule: 'counter-rises', remaining: latest.remaining, limit: latest.limit },
    response: latest,
  });

/** Which operations count is not specified: listPets first, the others only if it does not. */
const remainingFalls = defineCheck({
  id: 'rate-4-remaining-decreases',
  title: 'Remaining decreases as requests are made',
  requirement: 'RATE-4',
  // Earlier requests of the run usually decide it.
  phase: 'look-back',
  // A counter that does not decrease takes more.
  cost: { requests: 0, most: 12 },
  retry: false,
  inputs: () => [smoke(null)],
  run: async (_, context) => {
    const { run } = context;
    const latest: Latest[] = [];
    const possible = testedOperations(run).filter((name) => name !== 'createPet' || !run.readOnly);
    for (const operation of possible) {
      const found = await movementOf(context, operation);
      if (hasFallen(context)) return passed(context);
      if (run.countsUp() && found.latest !== null) return rises(context, found.latest);
      if (found.trend === 'unknown' && limitFallsToo(context, found.responses)) return;
      if (found.trend === 'unknown') return context.inconclusive(whyUnclear(found.responses));
      if (found.latest !== null) latest.push(found.latest);
    }
    if (run.readOnly) return context.inconclusive({ code: 'read-only', detail: 'counting' });
    await context.sleep(upToDateMs);
    await context.send(listPets({ limit: 1 }));
    const [last] = latest;
    if (hasFallen(context) || last === undefined) return passed(context);
    context.breach({
      problem: { rule: 'counter-stuck', in: 'every operation', latest: latest.map(counterOf) },
      response: last,
    });
  },
});

const missingKey = rejectedWith401('AUTH-1', 'the request has no API key');

/**
 * RATE-12: whether 401 responses count, according to their own headers. AUTH-1 with parameters, too: the longest page was just returned
 * with a key, and nothing was created since, so a cache in front of the authentication still has it.
 */
const countingOf401IsRecorded = defineCheck({
  id: 'rate-12-counting-of-401s',
  title: 'whether 401 responses count is recorded',
  requirement: 'RATE-12',
  covers: ['AUTH-1'],
  phase: 'exclusive',
  cost: { requests: 3, keyless: 3 },
  retry: false,
  run: async (_, context) => {
    const states = [];
    const { page, statuses } = context.run;
    const [status] = statuses;
    for (const parameters of [{}, { limit: page.maximum }, status === undefined ? {} : { status }]) {
      const probe = listPets({ ...parameters, credential: anonymous, expects: [missingKey] });
      const response = await context.send(probe);
      if (response.status !== 401)
        return context.skipCase({
          code: 'precondition',
          detail: 'keyless-list',
          status: response.status,
          expected: '401',
        });
      states.push(limitState(response));
    }
    const remaining = states.map((state) => state?.remaining ?? null);
    const [first = null, , last = null] = remaining;
    if (first === null || last === null)
      return context.skipCase({ code: 'unreadable-response', detail: 'headers-of-401' });
    context.observe('401 responses count towards the limit', last < first ? 'yes' : 'no');
  },
});

export const rateLimits: readonly Check[] = [
  remainingFalls,
  countingOf401IsRecorded,
  limitIsEnforced,
  dailyLimitIsEnforced,
  banIsRecorded,
];
