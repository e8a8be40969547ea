import { planFigures } from '../../src/document/plans.ts';
import type { Reading } from '../../src/oracle/reading.ts';
import type { CaseContext } from '../../src/run/check.ts';
import { beyondAMinute, type LimitState, limitState, speaksOfTheDay } from '../../src/run/limit-state.ts';
import {
  figuresOf,
  type LimitProbe,
  refusedAgain,
  sendCounted,
  sentLately,
  servedWith,
  waitOut,
} from './limit.ts';

/** What a key may spend in a minute. */
interface Allowance {
  /** A limiter of no kind lets more through at once. */
  readonly most: number;
  /** What it lets through surely: less than the most where the headers may be showing the limit of the day. */
  readonly least: number;
  /** Seconds; where the plan is not known no more than the headers show, so that too much is never held against a server. */
  readonly window: number;
  /** It is what the headers show, so that Remaining and Reset speak of it. */
  readonly shown: boolean;
}

/** A key with a window before it, of which one request is spent. Times by the run's clock. */
export interface FreshWindow extends Allowance {
  readonly limitProbe: LimitProbe;
  readonly first: Reading;
  /** What the first answer said of the requests that are left. */
  readonly remaining: number;
  readonly startedAt: number;
  /** When everything may be renewed at once. */
  readonly renewsAt: number;
  /** Seconds between the first request and the others, and how many may have been refilled meanwhile. */
  readonly pause: number;
  readonly idled: number;
}

/**
 * The largest limit that is used up: five times that of the largest plan with fixed limits. A larger one would cost the server more
 * requests than its result is worth.
 */
export const mostToUseUp = 5_000;

/** Seconds ahead by our clock, from which the server's may differ, beyond which a reset is surely not that of a minute. */
const farAhead = 600;

/** Seconds to the reset; of a server that does not tell its time, a minute unless all else speaks against it. */
const untilResetOf = (
  { clock }: CaseContext,
  { limit, reset, untilReset }: LimitState,
  plan: ReturnType<typeof figuresOf>,
): number => {
  const byOurClock = reset - clock.now() / 1000;
  const isOfDay = plan === null ? byOurClock > farAhead : limit === plan.perDay;
  return untilReset ?? (isOfDay ? Number.POSITIVE_INFINITY : 60);
};

/** Ends the case if a limit is too large to be used up. */
const requireSmall = (context: CaseContext, limit: number): void => {
  if (limit > mostToUseUp)
    context.end(`a limit of ${limit} requests is not used up: that takes more than ${mostToUseUp} requests`);
};

/** The limit of a minute, from the headers of its first request and the plan. Ends the case where neither tells. */
const allowanceOf = (context: CaseContext, state: LimitState | null): Allowance => {
  const plan = figuresOf(context.fixtures);
  // A minute that is not shown may have begun before.
  const before = Math.max(0, sentLately(context) - 1);
  const ofPlan =
    plan === null ? null : { most: plan.perMinute, least: plan.perMinute - before, window: 60, shown: false };
  const advice = 'name the plan of the key with --rate-limit-plan';
  if (state === null) return ofPlan ?? context.end(`the rate limit headers cannot be read: ${advice}`);
  const { limit } = state;
  const until = untilResetOf(context, state, plan);
  // On the last minute of a day its limit resets as soon as that of a minute, which holds all the same.
  if (until > beyondAMinute || limit === plan?.perDay) {
    const shows = `the headers show a limit of ${limit} that resets in more than a minute`;
    return ofPlan ?? context.end(`${shows}, and that of a minute is not known: ${advice}`);
  }
  requireSmall(context, limit);
  const ofDay = Object.values(planFigures).find(({ perDay }) => perDay === limit);
  return {
    most: Math.max(limit, plan?.perMinute ?? 0),
    least: limit === plan?.perMinute || ofDay === undefined ? limit : ofDay.perMinute - before,
    window: plan === null ? Math.max(1, Math.min(60, until)) : 60,
    shown: true,
  };
};

/** The window that the first request of it tells of. `renewed`: never all at once, where false. */
export const windowFrom = (
  limitProbe: LimitProbe,
  first: Reading,
  allowance: Allowance,
  renewed = true,
): FreshWindow => {
  const { startedAt, durationMs } = first.exchange;
  const state = limitState(first);
  // Where the minute is not shown it may begin at any time. Dates have whole seconds.
  const left = allowance.shown ? (state?.untilReset ?? 0) - 1 : 0;
  return {
    ...allowance,
    limitProbe,
    first,
    remaining: Math.min(state?.remaining ?? Number.POSITIVE_INFINITY, allowance.least - 1),
    startedAt,
    renewsAt: renewed ? startedAt + durationMs + left * 1000 : Number.POSITIVE_INFINITY,
    pause: 0,
    idled: 0,
  };
};

/** Spends a request of the window under way. */
export const windowUnderWay = async (context: CaseContext, limitProbe: LimitProbe): Promise<FreshWindow> => {
  const first = await sendCounted(context, limitProbe('rate-limit'));
  return windowFrom(limitProbe, first, allowanceOf(context, limitState(first)));
};

/**
 * RATE-8: refused again after a wait that was kept. A key that nothing was served with may be banned since an earlier run, for as long as
 * the document does not say.
 */
const judgeVainWait = (
  context: CaseContext,
  limitProbe: LimitProbe,
  before: Reading,
  again: Reading,
): void => {
  if (servedWith(context, limitProbe).length > 0 && !speaksOfTheDay(again))
    refusedAgain(context, before, again);
};

/** Spends a request; waits, at most twice, for a window that is whole, and long enough to be used up. */
export const freshWindow = async (context: CaseContext, limitProbe: LimitProbe): Promise<FreshWindow> => {
  let refused: Reading | null = null;
  for (let tries = 0; ; tries += 1) {
    const last = tries === 2;
    const first = await sendCounted(context, limitProbe('rate-limit'));
    if (first.status === 429 && !last) {
      refused = first;
      await waitOut(context, first);
      continue;
    }
    if (first.status === 429 && refused !== null) judgeVainWait(context, limitProbe, refused, first);
    if ([401, 403, 429].includes(first.status) || first.status >= 500)
      return context.end(`the rate limit key is answered with ${first.status}`);
    refused = null;
    const state = limitState(first);
    const left = state?.untilReset ?? 0;
    const allowance = allowanceOf(context, state);
    const { most, shown, window } = allowance;
    const isWhole = (state?.remaining ?? 0) >= most - 2;
    const roomy = left >= Math.max(2, Math.min(timeFor(most, first, context), window / 2));
    if (!shown || (isWhole && roomy)) return windowFrom(limitProbe, first, allowance);
    // A minute that is always about to reset refills evenly; where the server's time is not known, it may reset at any.
    const unknown = (state?.untilReset ?? null) === null || figuresOf(context.fixtures) === null;
    if (last) return windowFrom(limitProbe, first, allowance, roomy || unknown);
    await context.clock.sleep((Math.max(0, Math.min(left, beyondAMinute)) + 1.1) * 1000);
  }
};

/** Seconds, more than any clock is taken to be wrong by. */
const pause = 10;

/**
 * A fresh window, whose first request is left alone for a while where there is time: whatever is counted from the others on, and not from it,
 * ends later.
 */
export const lingeringWindow = async (context: CaseContext, limitProbe: LimitProbe): Promise<FreshWindow> => {
  const { clock } = context;
  const fresh = await freshWindow(context, limitProbe);
  const state = limitState(fresh.first);
  const left = (fresh.renewsAt - clock.now()) / 1000;
  if (!fresh.shown || state === null || left < pause + timeFor(fresh.most, fresh.first, context))
    return fresh;
  await clock.sleep(pause * 1000);
  return { ...fresh, startedAt: clock.now(), pause, idled: Math.max(0, fresh.most - state.remaining) };
};

/** Seconds that so many requests take at full concurrency, with some to spare. */
const timeFor = (requests: number, { exchange }: Reading, { fixtures }: CaseContext): number =>
  (requests * Math.max(5, exchange.durationMs) * 1.5) / 1000 / fixtures.concurrency + 1;
