import type { ApiResponse, CheckContext } from '../../../src/check/index.ts';
import {
  isDailyLimit,
  type LimitState,
  limitState,
  longerThanMinute,
  planFigures,
} from '../../../src/check/rate-limits.ts';
import {
  failRejectedAgain,
  figuresOf,
  type LimitProbe,
  mostToUseUp,
  sendCounted,
  sentLately,
  servedWith,
  waitForReset,
} from './limit.ts';

/** How many requests a key may send in a minute. */
interface Allowance {
  /** No kind of limiter allows more at once. */
  readonly most: number;
  /** What is surely allowed: less than `most` if the headers may show the daily limit. */
  readonly least: number;
  /** Seconds. If the plan is unknown, at most what the headers show, so that no server is failed wrongly. */
  readonly window: number;
  /** The headers show this limit, so Remaining and Reset belong to it. */
  readonly shown: boolean;
}

/** A window of which one request is used. Times by the run's context. */
export interface FreshWindow extends Allowance {
  readonly limitProbe: LimitProbe;
  readonly first: ApiResponse;
  /** Remaining in the first response. */
  readonly remaining: number;
  readonly startedAt: number;
  /** When the window may reset. */
  readonly renewsAt: number;
  /** Seconds between the first request and the others. */
  readonly pause: number;
  /** How many requests may be refilled in the pause. */
  readonly refillable: number;
}

/** A reset later than this many seconds (by our clock, which may differ from the server's) is not that of a minute. */
const farAhead = 600;

/** Seconds to the reset. For a server without a Date, a minute unless other evidence contradicts it. */
const untilResetOf = (
  { now }: CheckContext,
  { limit, reset, untilReset }: LimitState,
  plan: ReturnType<typeof figuresOf>,
): number => {
  const byOurClock = reset - now() / 1000;
  const isOfDay = plan === null ? byOurClock > farAhead : limit === plan.perDay;
  return untilReset ?? (isOfDay ? Number.POSITIVE_INFINITY : 60);
};

/** Ends the case if a limit is too large to be used up. */
const requireSmall = (context: CheckContext, limit: number): void => {
  if (limit > mostToUseUp) context.skipCase({ code: 'limit-too-high', most: mostToUseUp, limit });
};

/** The per-minute limit, from the headers of its first request and the plan. Ends the case if neither shows it. */
const allowanceOf = (context: CheckContext, state: LimitState | null): Allowance => {
  const plan = figuresOf(context.run);
  // A minute that the headers do not show may have begun earlier.
  const before = Math.max(0, sentLately(context) - 1);
  const ofPlan =
    plan === null ? null : { most: plan.perMinute, least: plan.perMinute - before, window: 60, shown: false };

  if (state === null)
    return ofPlan ?? context.skipCase({ code: 'unknown-rate-limit', detail: 'headers-and-plan' });
  const { limit } = state;
  const until = untilResetOf(context, state, plan);
  // In the last minute of a day both limits reset at the same time.
  if (until > longerThanMinute || limit === plan?.perDay) {
    return ofPlan ?? context.skipCase({ code: 'unknown-plan', detail: 'minute-limit', shown: limit });
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

/** The window that its first request shows. `renewed`: false if it never resets at once. */
export const windowFrom = (
  limitProbe: LimitProbe,
  first: ApiResponse,
  allowance: Allowance,
  renewed = true,
): FreshWindow => {
  const { startedAt, durationMs } = first.exchange;
  const state = limitState(first);
  // A minute that is not shown may begin at any time. Dates have whole seconds.
  const left = allowance.shown ? (state?.untilReset ?? 0) - 1 : 0;
  return {
    ...allowance,
    limitProbe,
    first,
    remaining: Math.min(state?.remaining ?? Number.POSITIVE_INFINITY, allowance.least - 1),
    startedAt,
    renewsAt: renewed ? startedAt + durationMs + left * 1000 : Number.POSITIVE_INFINITY,
    pause: 0,
    refillable: 0,
  };
};

/** Sends a request in the current window. */
export const currentWindow = async (context: CheckContext, limitProbe: LimitProbe): Promise<FreshWindow> => {
  const first = await sendCounted(context, limitProbe('rate-limit'));
  return windowFrom(limitProbe, first, allowanceOf(context, limitState(first)));
};

/**
 * RATE-8: rejected again after the full wait. A key without any success may be banned since an earlier run, for an unspecified time.
 */
const checkRejectedAgain = (
  context: CheckContext,
  limitProbe: LimitProbe,
  before: ApiResponse,
  again: ApiResponse,
): void => {
  if (servedWith(context, limitProbe).length > 0 && !isDailyLimit(again))
    failRejectedAgain(context, before, again);
};

/** Sends a request. Waits, at most twice, for a full window that lasts long enough to be used up. */
export const startWindow = async (context: CheckContext, limitProbe: LimitProbe): Promise<FreshWindow> => {
  let refused: ApiResponse | null = null;
  for (let tries = 0; ; tries += 1) {
    const last = tries === 2;
    const first = await sendCounted(context, limitProbe('rate-limit'));
    if (first.status === 429 && !last) {
      refused = first;
      await waitForReset(context, first);
      continue;
    }
    if (first.status === 429 && refused !== null) checkRejectedAgain(context, limitProbe, refused, first);
    if ([401, 403, 429].includes(first.status) || first.status >= 500)
      return context.skipCase({ code: 'rate-limit', detail: 'status', status: first.status });
    refused = null;
    const state = limitState(first);
    const left = state?.untilReset ?? 0;
    const allowance = allowanceOf(context, state);
    const { most, shown, window } = allowance;
    const isWhole = (state?.remaining ?? 0) >= most - 2;
    const roomy = left >= Math.max(2, Math.min(timeFor(most, first, context), window / 2));
    if (!shown || (isWhole && roomy)) return windowFrom(limitProbe, first, allowance);
    // A minute that is always about to reset refills evenly. If the server's time is unknown, it may reset at any time.
    const unknown = (state?.untilReset ?? null) === null || figuresOf(context.run) === null;
    if (last) return windowFrom(limitProbe, first, allowance, roomy || unknown);
    await context.sleep((Math.max(0, Math.min(left, longerThanMinute)) + 1.1) * 1000);
  }
};

/** Seconds, longer than any assumed clock error. */
const pause = 10;

/**
 * A fresh window with a pause after its first request, if there is time: a window that is counted from a later request ends later.
 */
export const previousWindow = async (context: CheckContext, limitProbe: LimitProbe): Promise<FreshWindow> => {
  const fresh = await startWindow(context, limitProbe);
  const state = limitState(fresh.first);
  const left = (fresh.renewsAt - context.now()) / 1000;
  if (!fresh.shown || state === null || left < pause + timeFor(fresh.most, fresh.first, context))
    return fresh;
  await context.sleep(pause * 1000);
  return { ...fresh, startedAt: context.now(), pause, refillable: Math.max(0, fresh.most - state.remaining) };
};

/** Seconds that the requests take at full concurrency, with a margin. */
const timeFor = (requests: number, { exchange }: ApiResponse, { run }: CheckContext): number =>
  (requests * Math.max(5, exchange.durationMs) * 1.5) / 1000 / run.concurrency + 1;
