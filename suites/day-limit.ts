import type { Reading } from '../src/oracle/reading.ts';
import type { CaseContext, Check } from '../src/run/check.ts';
import { CaseEnded } from '../src/run/session.ts';
import { type Ask, askList, figuresOf, limitState, speaksOfTheDay, spend, waitOut } from './support/limit.ts';
import { countedAsk } from './support/movement.ts';

const daySeconds = 86_400;
/** Requests over the limit after which there is none. */
const over = 5;

/** A request at the key's pace; where the pace holds it back for the day, at that of the minute. */
const createSender = (context: CaseContext, ask: Ask, perMinute: number): (() => Promise<Reading>) => {
  let held = false;
  const atOwnPace = async (): Promise<Reading> => {
    await context.clock.sleep(66_000 / perMinute);
    return spend(context, ask('rate-limit'));
  };
  return async () => {
    if (held) return atOwnPace();
    try {
      return await context.send(ask('rate-limit'));
    } catch (error) {
      if (!(error instanceof CaseEnded)) throw error;
      held = true;
      return atOwnPace();
    }
  };
};

interface Spent {
  readonly served: number;
  /** The answer before the last. */
  readonly before: Reading | null;
  readonly last: Reading;
  /** Seconds that it took. */
  readonly seconds: number;
}

/** Sends as the minute's limit allows, until a request is refused for the day, or more are served than two days allow. */
const useUpTheDay = async (
  context: CaseContext,
  send: () => Promise<Reading>,
  day: number,
): Promise<Spent> => {
  const startedAt = context.clock.now();
  let before: Reading | null = null;
  let [served, waits] = [0, 0];
  for (;;) {
    const last = await send();
    const seconds = (context.clock.now() - startedAt) / 1000;
    const isMinutes = last.status === 429 && !speaksOfTheDay(last);
    if (isMinutes && waits < 3) {
      waits += 1;
      await waitOut(context, last);
      continue;
    }
    const isServed = last.status < 500 && ![401, 403, 429].includes(last.status);
    if (isServed) served += 1;
    if (!isServed || served > 2 * mostIn(day, seconds)) return { served, before, last, seconds };
    before = last;
  }
};

/** What a day allows, with what a bucket refills meanwhile. */
const mostIn = (day: number, seconds: number): number => day + Math.ceil((day * seconds) / daySeconds) + over;

/** A new day may have begun meanwhile, wherever days begin: then almost all of it is ahead. */
const mayBeNewDay = (last: Reading, seconds: number): boolean => {
  const ahead = limitState(last)?.untilReset ?? null;
  return ahead === null || ahead > daySeconds - seconds - 120;
};

const judgeDay = (context: CaseContext, day: number, { served, before, last, seconds }: Spent) => {
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
  if (last.status === 429 && !speaksOfTheDay(last))
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

export const dayLimitHolds: Check<null> = {
  name: "RATE-11 the day's limit holds as well",
  gives: ['RATE-11'],
  phase: 'exhaust',
  cost: 1_000,
  once: true,
  examples: ({ keys }) => (keys.exhaustDaily ? [null] : []),
  attempt: async (_, context) => {
    const plan = figuresOf(context);
    if (plan === null)
      return context.end("the day's limit is not known: name the plan with --rate-limit-plan");
    const first = await spend(context, askList('rate-limit'));
    if (first.status === 429 && speaksOfTheDay(first)) return context.met('RATE-11');
    if (first.status === 429) await waitOut(context, first);
    const ask = await countedAsk(context);
    if (ask === null)
      return context.end(
        'X-RateLimit-Remaining falls by no request that creates nothing: which ones count is not known',
      );
    judgeDay(
      context,
      plan.day,
      await useUpTheDay(context, createSender(context, ask, plan.minute), plan.day),
    );
  },
};
