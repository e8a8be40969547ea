import type { Reading } from '../src/oracle/reading.ts';
import { retryWait } from '../src/oracle/retry-wait.ts';
import type { CaseContext, Check } from '../src/run/check.ts';
import { limitState, speaksOfTheDay } from '../src/run/limit-state.ts';
import { CaseEnded } from '../src/run/session.ts';
import { countedProbe } from './support/counter-trend.ts';
import {
  figuresOf,
  isServed,
  type LimitProbe,
  sendCounted,
  servedWith,
  unknownWhichCount,
  waitOut,
} from './support/limit.ts';

const daySeconds = 86_400;
/** Requests over the limit after which there is none. */
const over = 5;

/** Of the day's limit: what is sent at the key's pace. The pace would never meet the limit, so the rest is sent without it. */
const pacedPart = 0.8;

/** A request as the key's pace has it, or at an even one that the minute's limit allows. */
const sendTo = async (
  context: CaseContext,
  limitProbe: LimitProbe,
  minute: number,
  paced: boolean,
): Promise<Reading> => {
  try {
    if (paced) return await context.send(limitProbe('rate-limit'));
  } catch (error) {
    // The pace holds the key back for the day.
    if (!(error instanceof CaseEnded)) throw error;
    if (error.refused !== null) return error.refused;
  }
  await context.clock.sleep(66_000 / minute);
  return sendCounted(context, limitProbe('rate-limit'));
};

interface Spent {
  readonly served: number;
  /** The answer before the last. */
  readonly before: Reading | null;
  readonly last: Reading;
  /** A 429 that is last is not the minute's: fewer were served in the minute before it than it allows. */
  readonly roomInMinute: boolean;
  /** Seconds that it took. */
  readonly seconds: number;
}

/** 429s of less than a day's wait that are waited out. */
const patience = 3;

/**
 * Sends as the minute's limit allows, until a request is refused for the day, or more are served than two days allow. What was served while
 * the minute's limit was used up counts as well.
 */
const useUpTheDay = async (
  context: CaseContext,
  limitProbe: LimitProbe,
  { perMinute, perDay }: Readonly<Record<'perMinute' | 'perDay', number>>,
): Promise<Spent> => {
  const servedAt = [...servedWith(context, limitProbe)];
  const [startedAt = context.clock.now()] = servedAt;
  let before: Reading | null = null;
  let waits = 0;
  for (;;) {
    const last = await sendTo(context, limitProbe, perMinute, servedAt.length < pacedPart * perDay);
    const now = context.clock.now();
    const seconds = (now - startedAt) / 1000;
    const roomInMinute = seconds > 61 && servedAt.filter((at) => at > now - 61_000).length < perMinute;
    if (isServed(last)) servedAt.push(now);
    const served = servedAt.length;
    if (last.status === 429 && !speaksOfTheDay(last) && waits < patience) {
      waits += 1;
      await waitOut(context, last);
      continue;
    }
    if (!isServed(last) || served > 2 * mostIn(perDay, seconds))
      return { served, before, last, roomInMinute, seconds };
    before = last;
  }
};

/** What a day allows, with what a bucket refills meanwhile. */
const mostIn = (day: number, seconds: number): number => day + Math.ceil((day * seconds) / daySeconds) + over;

/** A new day may have begun meanwhile, wherever days begin: then more of it is ahead than of one that began with the first request. */
const mayBeNewDay = (last: Reading, seconds: number): boolean => {
  const untilReset = limitState(last)?.untilReset ?? null;
  const ahead = Math.max(untilReset ?? Number.POSITIVE_INFINITY, retryWait(last)?.seconds ?? 0);
  return ahead > daySeconds - seconds + 5;
};

const judgeDay = (context: CaseContext, day: number, spent: Spent) => {
  const { served, before, last, roomInMinute, seconds } = spent;
  const fail = (rule: string, message: string, actual: string) =>
    context.breach({
      requirement: 'RATE-11',
      rule,
      message,
      expected: `a 429 after ${day} requests`,
      actual,
      exchange: last.exchange,
    });
  const tooMany = () =>
    fail(
      'no day limit',
      `More requests are served in a day than the ${day} of the plan.`,
      `${served} requests served`,
    );
  if (last.status === 429 && !speaksOfTheDay(last) && !roomInMinute)
    return context.undecided('RATE-11', "the limit of a minute was met again and again before the day's");
  if (last.status === 429 && served <= mostIn(day, seconds)) return context.met('RATE-11');
  if (last.status === 429 && mayBeNewDay(last, seconds))
    return context.undecided('RATE-11', 'a new day may have begun meanwhile');
  if (last.status === 429 || served > 2 * day) return tooMany();
  const nothingLeft = before !== null && limitState(before)?.remaining === 0;
  if (served < 0.8 * day && !nothingLeft)
    return context.undecided('RATE-11', `after ${served} requests one was answered with ${last.status}`);
  fail(
    'another answer',
    `A request over the limit of the day is answered with ${last.status}.`,
    `status ${last.status}`,
  );
};

/** So that the minute, which may just have been used up, is whole again. */
const wholeMinuteMs = 61_000;

export const dayLimitHolds: Check<null> = {
  name: "RATE-11 the day's limit holds as well",
  gives: ['RATE-11'],
  phase: 'exhaust',
  toll: (fixtures) => {
    const plan = figuresOf(fixtures);
    return plan === null
      ? { requests: 0, waitMs: 0 }
      : { requests: plan.perDay, waitMs: wholeMinuteMs + (60_000 * plan.perDay) / plan.perMinute };
  },
  once: true,
  examples: ({ keys }) => (keys.exhaustDaily ? [null] : []),
  attempt: async (_, context) => {
    const plan = figuresOf(context.fixtures);
    if (plan === null)
      return context.end("the day's limit is not known: name the plan with --rate-limit-plan");
    await context.clock.sleep(wholeMinuteMs);
    const limitProbe = await countedProbe(context);
    if (limitProbe === null) return context.end(unknownWhichCount);
    judgeDay(context, plan.perDay, await useUpTheDay(context, limitProbe, plan));
  },
};
