import { CaseSkipped } from '../../src/check/case-skipped.ts';
import { type ApiResponse, type CheckContext, defineCheck, type Problem } from '../../src/check/index.ts';
import { isDailyLimit, limitState, retryWait } from '../../src/check/rate-limits.ts';
import { countedProbe } from './support/counter-trend.ts';
import {
  exhausting,
  figuresOf,
  isServed,
  type LimitProbe,
  noRequestCounts,
  sendCounted,
  servedWith,
  waitForReset,
} from './support/limit.ts';

const daySeconds = 86_400;
/** How many requests over the limit show that it is not enforced. */
const over = 5;

/** The part of the daily limit that is sent with pacing. Pacing would never reach the limit, so the rest is sent without. */
const pacedPart = 0.8;

/** Sends a request with pacing, or at a steady rate that the per-minute limit allows. */
const sendTo = async (context: CheckContext, limitProbe: LimitProbe, minute: number, paced: boolean) => {
  try {
    if (paced) return await context.send(limitProbe('rate-limit'));
  } catch (error) {
    // Pacing stops using the key for the day.
    if (!(error instanceof CaseSkipped)) throw error;
    if (error.response429 !== null) return error.response429;
  }
  await context.sleep(66_000 / minute);
  return sendCounted(context, limitProbe('rate-limit'));
};

interface Spent {
  readonly served: number;
  /** The response before the last. */
  readonly before: ApiResponse | null;
  readonly last: ApiResponse;
  /** The per-minute limit does not explain a final 429: fewer requests succeeded in the last minute. */
  readonly roomInMinute: boolean;
  /** Elapsed seconds. */
  readonly seconds: number;
}

/** The maximal number of waits after 429s of less than a day. */
const maxWaits = 3;

/**
 * Sends within the per-minute limit until the daily limit rejects a request, or more succeed than two days allow. Requests that used up the
 * per-minute limit earlier count, too.
 */
const useUpDailyLimit = async (
  context: CheckContext,
  limitProbe: LimitProbe,
  { perMinute, perDay }: Readonly<Record<'perMinute' | 'perDay', number>>,
): Promise<Spent> => {
  const servedAt = [...servedWith(context, limitProbe)];
  const [startedAt = context.now()] = servedAt;
  let before: ApiResponse | null = null;
  let waits = 0;
  for (;;) {
    const last = await sendTo(context, limitProbe, perMinute, servedAt.length < pacedPart * perDay);
    const now = context.now();
    const seconds = (now - startedAt) / 1000;
    const roomInMinute = seconds > 61 && servedAt.filter((at) => at > now - 61_000).length < perMinute;
    if (isServed(last)) servedAt.push(now);
    const served = servedAt.length;
    if (last.status === 429 && !isDailyLimit(last) && waits < maxWaits) {
      waits += 1;
      await waitForReset(context, last);
      continue;
    }
    if (!isServed(last) || served > 2 * allowedIn(perDay, seconds))
      return { served, before, last, roomInMinute, seconds };
    before = last;
  }
};

/** The daily limit plus the refill of a token bucket meanwhile. */
const allowedIn = (day: number, seconds: number): number =>
  day + Math.ceil((day * seconds) / daySeconds) + over;

/** A new day may have begun meanwhile, in some time zone: then its reset is later than that of a day that began with the first request. */
const mayBeNewDay = (last: ApiResponse, seconds: number): boolean => {
  const untilReset = limitState(last)?.untilReset ?? null;
  const ahead = Math.max(untilReset ?? Number.POSITIVE_INFINITY, retryWait(last)?.seconds ?? 0);
  return ahead > daySeconds - seconds + 5;
};

const checkDay = (context: CheckContext, day: number, spent: Spent) => {
  const { served, before, last, roomInMinute, seconds } = spent;
  const fail = (problem: Problem) => context.breach({ requirement: 'RATE-11', problem, response: last });
  if (last.status === 429 && !isDailyLimit(last) && !roomInMinute)
    return context.inconclusive({ code: 'other-limit', detail: 'minute-first' }, 'RATE-11');
  if (last.status === 429 && served <= allowedIn(day, seconds)) return context.passed('RATE-11');
  if (last.status === 429 && mayBeNewDay(last, seconds))
    return context.inconclusive({ code: 'limit-not-reached', detail: 'new-day' }, 'RATE-11');
  if (last.status === 429 || served > 2 * day)
    return fail({ rule: 'daily-limit-not-enforced', limit: day, served });
  const nothingLeft = before !== null && limitState(before)?.remaining === 0;
  if (served < 0.8 * day && !nothingLeft)
    return context.inconclusive(
      { code: 'limit-not-reached', detail: 'status-of-day', status: last.status, served },
      'RATE-11',
    );
  fail({ rule: 'wrong-status-over-limit', dailyLimit: day, wrongStatus: last.status });
};

/** Time after which the per-minute limit has reset. */
const wholeMinuteMs = 61_000;

export const dailyLimitIsEnforced = defineCheck({
  id: 'rate-11-daily-limit',
  title: 'the daily limit is enforced',
  requirement: 'RATE-11',
  phase: 'exhaust-limit',
  cost: (run) => {
    const plan = figuresOf(run);
    return plan === null
      ? 0
      : exhausting(plan.perDay, wholeMinuteMs + (60_000 * plan.perDay) / plan.perMinute);
  },
  retry: false,
  inputs: ({ keys }) => (keys.exhaustDaily ? [null] : []),
  run: async (_, context) => {
    const plan = figuresOf(context.run);
    if (plan === null) return context.skipCase({ code: 'unknown-plan', detail: 'daily-limit' });
    await context.sleep(wholeMinuteMs);
    const limitProbe = await countedProbe(context);
    if (limitProbe === null) return context.skipCase(noRequestCounts);
    checkDay(context, plan.perDay, await useUpDailyLimit(context, limitProbe, plan));
  },
});
