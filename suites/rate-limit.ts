import { bearer, noCredential } from '../src/client/credentials.ts';
import type { Expectation } from '../src/oracle/probe.ts';
import type { Reading } from '../src/oracle/reading.ts';
import { anyCase, type CaseContext, type Check } from '../src/run/check.ts';
import type { Movement } from '../src/run/counter-watch.ts';
import { limitState } from '../src/run/limit-state.ts';
import { listPets } from '../src/run/probes.ts';
import { banIsObserved } from './ban.ts';
import { dayLimitHolds } from './day-limit.ts';
import { limitHolds } from './exhaustion.ts';
import { judgedOperations, type OperationName, operations, plainProbe } from './support/operations.ts';

/** How many requests of one operation are sent at once, where those before do not tell whether it is counted. */
const batches = [2, 4, 8] as const;
/** So many limits no key has: its minute's and its day's, one of either after a change of plan. */
const fewestLimits = 5;
/** A server may bring what it shows up to date every now and then. */
const upToDateMs = 1_100;

const hasFallen = ({ fixtures }: CaseContext): boolean =>
  operations.some((operation) => fixtures.movement(operation).moved === 'falls');

/** Whether Remaining falls with the requests of an operation: as the run has seen it, else over some more requests. */
const movementOf = async (
  context: CaseContext,
  operation: OperationName,
): Promise<Movement & { readonly asked: readonly Reading[] }> => {
  const asked: Reading[] = [];
  const probe = () => plainProbe(context, operation, { credential: bearer('main'), expects: [] });
  for (const size of batches) {
    const found = context.fixtures.movement(operation);
    if (found.moved !== 'unclear' || hasFallen(context)) return { ...found, asked };
    asked.push(...(await Promise.all(Array.from({ length: size }, () => context.send(probe())))));
  }
  return { ...context.fixtures.movement(operation), asked };
};

/** RATE-4 passes; a fall by more than one for each request is recorded. */
const passed = (context: CaseContext): void => {
  context.met('RATE-4');
  if (operations.some((operation) => context.fixtures.isChargedAsSeveral(operation)))
    context.observe('RATE-4', 'fall of X-RateLimit-Remaining', 'by more than one for a request');
};

/** Of a Limit that is another in each answer, and always what remains, no request ever takes anything. */
const limitFallsToo = (context: CaseContext, asked: readonly Reading[]): boolean => {
  const states = asked.map(limitState).filter((state) => state !== null);
  const [last] = asked.slice(-1);
  const limits = new Set(states.map(({ limit }) => limit));
  const follows = states.every(({ limit, remaining }) => limit === remaining);
  if (last === undefined || limits.size < fewestLimits || !follows) return false;
  context.breach({
    requirement: 'RATE-4',
    rule: 'limit falls too',
    message:
      'X-RateLimit-Limit falls together with X-RateLimit-Remaining: it shows what remains, not the limit.',
    expected: 'an X-RateLimit-Limit that stays while X-RateLimit-Remaining falls',
    actual: `X-RateLimit-Limit and X-RateLimit-Remaining, both: ${states.map(({ limit }) => limit).join(', ')}`,
    exchange: last.exchange,
  });
  return true;
};

/** Why the answers to one operation do not tell whether Remaining falls. */
const whyUnclear = (asked: readonly Reading[]): string => {
  const failed = asked.find(({ status }) => status >= 400);
  if (failed !== undefined) {
    const { method, path } = failed.exchange.request;
    return `${method} ${path} is answered with ${failed.status}, which need not be counted`;
  }
  const states = asked.map(limitState).filter((state) => state !== null);
  const differ = (of: 'limit' | 'reset'): boolean => new Set(states.map((state) => state[of])).size > 1;
  if (states.length < asked.length) return 'the rate limit headers cannot be read in every answer';
  if (differ('limit')) return 'the answers show more than one limit';
  return differ('reset')
    ? 'X-RateLimit-Reset moves from answer to answer'
    : 'the limit refills as fast as requests are answered';
};

type Latest = NonNullable<Movement['latest']>;

const standingOf = ({ exchange, limit, remaining }: Latest): string =>
  `${remaining} of ${limit} after requests of ${exchange.request.operation}`;

/** Which operations count is not shown: listPets first, the others only where it does not move. */
const remainingFalls: Check<null> = {
  name: 'RATE-4 Remaining falls as requests are made',
  gives: ['RATE-4'],
  phase: 'main',
  // What the run has seen by then decides it, as a rule.
  cost: 0,
  once: true,
  examples: () => [null],
  attempt: async (_, context) => {
    const { fixtures } = context;
    const latest: Latest[] = [];
    const possible = judgedOperations(fixtures).filter((name) => name !== 'createPet' || !fixtures.readOnly);
    for (const operation of possible) {
      const found = await movementOf(context, operation);
      if (hasFallen(context)) return passed(context);
      if (found.moved === 'unclear' && limitFallsToo(context, found.asked)) return;
      if (found.moved === 'unclear') return context.undecided('RATE-4', whyUnclear(found.asked));
      if (found.latest !== null) latest.push(found.latest);
    }
    if (fixtures.readOnly)
      return context.undecided('RATE-4', 'creations may be all that counts, and --read-only rules them out');
    await context.clock.sleep(upToDateMs);
    await context.send(listPets({ limit: 1 }));
    const [last] = latest;
    if (hasFallen(context) || last === undefined) return passed(context);
    context.breach({
      requirement: 'RATE-4',
      rule: 'stands still',
      message: 'X-RateLimit-Remaining does not fall as requests are made in one window.',
      expected: 'an X-RateLimit-Remaining that is lower after several requests than before',
      actual: `X-RateLimit-Remaining: ${latest.map(standingOf).join(', ')}, and no lower than before`,
      exchange: last.exchange,
    });
  },
};

const missingKey: Expectation = {
  requirement: 'AUTH-1',
  statuses: [401],
  because: 'it carries no API key',
};

/**
 * RATE-12: whether requests that are refused with 401 count, as far as their own headers tell. AUTH-1 with the parameters besides. The
 * longest page was just served with a key, and nothing created since: a cache in front of the authentication still has it.
 */
const refusalsAreCounted: Check<null> = {
  name: 'RATE-12 whether 401s count is observed',
  gives: ['RATE-12', 'AUTH-1'],
  phase: 'quiet',
  cost: 3,
  keyless: 3,
  once: true,
  examples: () => [null],
  attempt: async (_, context) => {
    const states = [];
    const { page, statuses } = context.fixtures;
    const [status] = statuses;
    for (const parameters of [{}, { limit: page.maximum }, status === undefined ? {} : { status }]) {
      const probe = listPets({ ...parameters, credential: noCredential, expects: [missingKey] });
      const reading = await context.send(probe);
      if (reading.status !== 401) return context.end('GET /pets without a key is not answered with 401');
      states.push(limitState(reading));
    }
    const remaining = states.map((state) => state?.remaining ?? null);
    const [first = null, , last = null] = remaining;
    if (first === null || last === null)
      return context.end('401s carry no rate limit headers that can be read');
    context.observe('RATE-12', 'Remaining of 401s', last < first ? 'falls' : 'does not fall');
  },
};

export const rateLimits: readonly Check<unknown>[] = [
  anyCase(remainingFalls),
  anyCase(refusalsAreCounted),
  anyCase(limitHolds),
  anyCase(dayLimitHolds),
  anyCase(banIsObserved),
];
