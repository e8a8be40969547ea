import { bearer } from '../src/client/credentials.ts';
import type { Reading } from '../src/oracle/reading.ts';
import { readRetryAfter } from '../src/oracle/rules/rate-limit-headers.ts';
import { anyCase, type CaseContext, type Check } from '../src/run/check.ts';
import { listPets } from '../src/run/probes.ts';
import { CaseEnded } from '../src/run/session.ts';
import { limitState, minuteLimit, planFigures, spend } from './support/limit.ts';

/** A wait this long speaks of the day's limit. */
const longWait = 120;

/** A key with its window before it: what may still be served, and how fast it refills. */
interface Fresh {
  readonly most: number;
  /** Seconds. */
  readonly window: number;
  readonly remaining: number;
  readonly startedAt: number;
}

const ordinaryPlan = (context: CaseContext): keyof typeof planFigures | null => {
  const { plan } = context.fixtures;
  return plan === null || plan === 'enterprise' ? null : plan;
};

/** Waits, at most twice, for a window that is long enough to be used up, and says what it holds. */
const freshWindow = async (context: CaseContext): Promise<Fresh> => {
  for (let tries = 0; ; tries += 1) {
    const startedAt = context.clock.now();
    const reading = await spend(context, 'rate-limit');
    const state = limitState(reading);
    const limit = minuteLimit(state, ordinaryPlan(context));
    if (reading.status === 429 && tries < 2) {
      await waitOut(context, reading);
      continue;
    }
    if (reading.status !== 200) return context.end(`the rate limit key is answered with ${reading.status}`);
    if (limit === null)
      return context.end('the limit of a minute is not known: name the plan with --rate-limit-plan');
    const shown = state !== null && state.limit === limit.most ? state.remaining : limit.most - 1;
    const latency = Math.max(5, reading.exchange.durationMs) / 1000;
    const needed = (limit.most * latency * 1.5) / context.fixtures.concurrency + 1;
    const left = state?.untilReset ?? limit.window;
    if (tries >= 2 || (shown >= limit.most - 2 && left >= Math.min(needed, limit.window / 2))) {
      return { ...limit, remaining: shown, startedAt };
    }
    await context.clock.sleep((Math.min(left, 90) + 1.1) * 1000);
  }
};

const waitOut = async (context: CaseContext, reading: Reading): Promise<void> => {
  const wait = readRetryAfter(reading);
  if (wait === null) return context.end('a 429 does not say when to try again');
  if (wait.seconds * 1000 > context.fixtures.maxWaitMs) {
    return context.end(`Retry-After asks for ${Math.ceil(wait.seconds)} s, longer than --max-wait`);
  }
  await context.clock.sleep((Math.max(0, wait.seconds) + 1) * 1000);
};

/** What using up a window came to. */
type Exhausted =
  | { readonly kind: 'refused'; readonly reading: Reading; readonly served: number }
  | {
      readonly kind: 'unlimited';
      readonly reading: Reading;
      readonly served: number;
      readonly allowed: number;
    }
  | { readonly kind: 'other'; readonly reading: Reading };

/** Sends at full concurrency, and one by one towards the end, until a request is refused or more were served than a limit allows. */
const useUp = async (context: CaseContext, fresh: Fresh): Promise<Exhausted> => {
  const { concurrency } = context.fixtures;
  let served = 0;
  for (;;) {
    const together = fresh.remaining - served > 2 * concurrency ? concurrency : 1;
    const readings = await Promise.all(Array.from({ length: together }, () => spend(context, 'rate-limit')));
    served += readings.filter(({ status }) => status === 200).length;
    const other = readings.find(({ status }) => status !== 200 && status !== 429);
    if (other !== undefined) return { kind: 'other', reading: other };
    const refused = readings.find(({ status }) => status === 429);
    if (refused !== undefined) return { kind: 'refused', reading: refused, served };
    const elapsed = (context.clock.now() - fresh.startedAt) / 1000;
    // A bucket refills while it is emptied; a fixed window may be renewed once.
    const refill =
      Math.ceil((fresh.most * elapsed) / fresh.window) + (elapsed >= fresh.window ? fresh.most : 0);
    const allowed = fresh.remaining + refill + 1;
    const [last] = readings;
    if (served > allowed && last !== undefined) return { kind: 'unlimited', reading: last, served, allowed };
  }
};

const judgeExhausted = (context: CaseContext, fresh: Fresh, exhausted: Exhausted): boolean => {
  const { exchange, status } = exhausted.reading;
  if (exhausted.kind === 'other') {
    context.breach({
      requirement: 'RATE-5',
      rule: 'another status',
      message: `A request over the limit is answered with ${status}.`,
      expected: 'status 429',
      actual: `status ${status}`,
      exchange,
    });
    return false;
  }
  if (exhausted.kind === 'unlimited') {
    context.breach({
      requirement: 'RATE-5',
      rule: 'no 429',
      message: `More requests are served than the limit of ${fresh.most} allows, and none is refused.`,
      expected: `a 429 after ${exhausted.allowed} requests at most, refill included`,
      actual: `${exhausted.served} requests served`,
      exchange,
    });
    return false;
  }
  context.met('RATE-5');
  const wait = readRetryAfter(exhausted.reading);
  if (exhausted.served >= fresh.remaining) context.met('RATE-6');
  else if (wait !== null && wait.seconds > longWait)
    context.undecided('RATE-6', "the day's limit was met first");
  else {
    context.breach({
      requirement: 'RATE-6',
      rule: '429 while requests remain',
      message: 'A request is refused with 429 although requests remain.',
      expected: `${fresh.remaining} more requests served, as X-RateLimit-Remaining said`,
      actual: `a 429 after ${exhausted.served} of them`,
      exchange,
    });
  }
  return true;
};

/** RATE-9: while one key is exhausted, another is served. */
const judgeOtherKey = async (context: CaseContext, before: Reading): Promise<void> => {
  const state = limitState(before);
  if (state !== null && state.remaining < 2) {
    return context.undecided('RATE-9', 'the other key has no requests left of its own');
  }
  const reading = await spend(context, 'main');
  if (reading.status !== 429) return context.met('RATE-9');
  context.breach({
    requirement: 'RATE-9',
    rule: 'shared limit',
    message: 'While one key is exhausted, a request with another key is refused as well.',
    expected: `the request served: that key had ${state?.remaining ?? 'enough'} requests left`,
    actual: 'status 429',
    exchange: reading.exchange,
  });
};

/** RATE-8: after the time that Retry-After gives, a request is served. */
const judgeRecovery = async (context: CaseContext, refused: Reading): Promise<void> => {
  await waitOut(context, refused);
  const reading = await spend(context, 'rate-limit');
  const wait = readRetryAfter(reading);
  if (reading.status !== 429) return context.met('RATE-8');
  if (wait !== null && wait.seconds > longWait)
    return context.undecided('RATE-8', "the day's limit was met meanwhile");
  context.breach({
    requirement: 'RATE-8',
    rule: 'refused after Retry-After',
    message: `A request that was sent after the time given in Retry-After (${refused.header('retry-after').join(', ')}), and a second more, is refused again.`,
    expected: 'the request served',
    actual: `status 429, Retry-After: ${reading.header('retry-after').join(', ')}`,
    exchange: reading.exchange,
  });
};

export const limitHolds: Check<null> = {
  name: 'RATE-5 a request over the limit is refused, and served again in time',
  gives: ['RATE-5', 'RATE-6', 'RATE-7', 'RATE-8', 'RATE-9', 'RATE-10'],
  phase: 'exhaust',
  cost: 65,
  once: true,
  examples: () => [null],
  attempt: async (_, context) => {
    const other = await context.send(listPets({ limit: 1 }));
    const fresh = await freshWindow(context);
    const exhausted = await useUp(context, fresh);
    if (!judgeExhausted(context, fresh, exhausted)) return;
    await judgeOtherKey(context, other);
    await judgeRecovery(context, exhausted.reading);
  },
};

export const dayLimitHolds: Check<null> = {
  name: "RATE-11 the day's limit holds as well",
  gives: ['RATE-11'],
  phase: 'exhaust',
  cost: 1_000,
  once: true,
  examples: ({ keys }) => (keys.exhaustDaily ? [null] : []),
  attempt: async (_, context) => {
    const plan = ordinaryPlan(context);
    if (plan === null)
      return context.end("the day's limit is not known: name the plan with --rate-limit-plan");
    const { day } = planFigures[plan];
    const { served, refused } = await servedInADay(context, day);
    if (refused !== null) return context.met('RATE-11');
    let last: Reading | null = null;
    for (let over = 0; over < 5; over += 1) {
      last = await spend(context, 'rate-limit');
      if (last.status === 429) return context.met('RATE-11');
    }
    if (last === null || served < day)
      return context.undecided('RATE-11', `only ${served} of ${day} requests could be sent`);
    context.breach({
      requirement: 'RATE-11',
      rule: 'no day limit',
      message: `More requests are served in a day than the ${plan} plan allows.`,
      expected: `a 429 after ${day} requests`,
      actual: `${served + 5} requests served`,
      exchange: last.exchange,
    });
  },
};

/** Sends at the pace of the minute's limit until the day's is used up, or a request is refused for long. */
const servedInADay = async (
  context: CaseContext,
  day: number,
): Promise<{ served: number; refused: Reading | null }> => {
  let served = 0;
  while (served < day) {
    const reading = await paced(context);
    if (reading === null) break;
    if (reading.status === 429) return { served, refused: reading };
    served += 1;
  }
  return { served, refused: null };
};

/** A request at the key's pace; null where the pace lets no more through. */
const paced = async (context: CaseContext): Promise<Reading | null> => {
  try {
    return await context.send(listPets({ limit: 1, credential: bearer('rate-limit') }));
  } catch (error) {
    if (error instanceof CaseEnded) return null;
    throw error;
  }
};

export const exhaustion: readonly Check<unknown>[] = [anyCase(limitHolds), anyCase(dayLimitHolds)];
