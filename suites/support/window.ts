import type { Reading } from '../../src/oracle/reading.ts';
import type { CaseContext } from '../../src/run/check.ts';
import { CaseEnded } from '../../src/run/session.ts';
import {
  type Ask,
  beyondAMinute,
  figuresOf,
  type LimitState,
  limitState,
  type OverLimit,
  planFigures,
  spend,
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
export interface Fresh extends Allowance {
  readonly ask: Ask;
  readonly first: Reading;
  /** What the first answer said of the requests that are left. */
  readonly remaining: number;
  readonly startedAt: number;
  /** When everything may be renewed at once. */
  readonly renewsAt: number;
}

/** The limit of a minute, from the headers and the plan. Ends the case where neither tells. */
const allowanceOf = (context: CaseContext, state: LimitState | null): Allowance => {
  const plan = figuresOf(context);
  const ofPlan = plan === null ? null : { most: plan.minute, least: plan.minute, window: 60, shown: false };
  const advice = 'name the plan of the key with --rate-limit-plan';
  if (state === null) return ofPlan ?? context.end(`the rate limit headers cannot be read: ${advice}`);
  const { limit } = state;
  const until = state.untilReset ?? (limit === plan?.day ? Number.POSITIVE_INFINITY : 60);
  if (until > beyondAMinute) {
    const shows = `the headers show a limit of ${limit} that resets in more than a minute`;
    return ofPlan ?? context.end(`${shows}, and that of a minute is not known: ${advice}`);
  }
  const ofDay = Object.values(planFigures).find(({ day }) => day === limit);
  return {
    most: Math.max(limit, plan?.minute ?? 0),
    least: limit === plan?.minute ? limit : (ofDay?.minute ?? limit),
    window: plan === null ? Math.max(1, Math.min(60, until)) : 60,
    shown: true,
  };
};

/** The window that the first request of it tells of. `renewed`: never all at once, where false. */
export const windowFrom = (ask: Ask, first: Reading, allowance: Allowance, renewed = true): Fresh => {
  const { startedAt, durationMs } = first.exchange;
  const state = limitState(first);
  // Where the minute is not shown it may begin at any time. Dates have whole seconds.
  const left = allowance.shown ? (state?.untilReset ?? 0) - 1 : 0;
  return {
    ...allowance,
    ask,
    first,
    remaining: Math.min(state?.remaining ?? Number.POSITIVE_INFINITY, allowance.least - 1),
    startedAt,
    renewsAt: renewed ? startedAt + durationMs + left * 1000 : Number.POSITIVE_INFINITY,
  };
};

/** Spends a request of the window under way. */
export const windowUnderWay = async (context: CaseContext, ask: Ask): Promise<Fresh> => {
  const first = await spend(context, ask('rate-limit'));
  return windowFrom(ask, first, allowanceOf(context, limitState(first)));
};

/** Spends a request; waits, at most twice, for a window that is whole, and long enough to be used up. */
export const freshWindow = async (context: CaseContext, ask: Ask): Promise<Fresh> => {
  for (let tries = 0; ; tries += 1) {
    const last = tries === 2;
    const first = await spend(context, ask('rate-limit'));
    if (first.status === 429 && !last) {
      await waitOut(context, first);
      continue;
    }
    if ([401, 403, 429].includes(first.status) || first.status >= 500)
      return context.end(`the rate limit key is answered with ${first.status}`);
    const state = limitState(first);
    const left = state?.untilReset ?? 0;
    const allowance = allowanceOf(context, state);
    const { most, shown, window } = allowance;
    const isWhole = (state?.remaining ?? 0) >= most - 2;
    const roomy = left >= Math.max(2, Math.min(timeFor(most, first, context), window / 2));
    if (!shown || (isWhole && roomy)) return windowFrom(ask, first, allowance);
    // A minute that is always about to reset refills evenly; where the server's time is not known, it may reset at any.
    const unknown = (state?.untilReset ?? null) === null || figuresOf(context) === null;
    if (last) return windowFrom(ask, first, allowance, roomy || unknown);
    await context.clock.sleep((Math.max(0, Math.min(left, beyondAMinute)) + 1.1) * 1000);
  }
};

/** Seconds that so many requests take at full concurrency, with some to spare. */
const timeFor = (requests: number, { exchange }: Reading, { fixtures }: CaseContext): number =>
  (requests * Math.max(5, exchange.durationMs) * 1.5) / 1000 / fixtures.concurrency + 1;

/** What using up a window came to. `uncounted`: Remaining does not fall by such requests. */
export interface Exhausted {
  readonly kind: 'refused' | 'too many' | 'other' | 'silent' | 'uncounted' | 'outpaced';
  /** The answer that tells; where there was none, the one before it. */
  readonly reading: Reading;
  /** With the first. */
  readonly served: number;
  /** Requests that a limiter of any kind may have let through. */
  readonly allowed: number;
  /** X-RateLimit-Remaining was seen to fall. */
  readonly falls: boolean;
  /** What it was before the last requests were sent, and how many of these were served; null: it does not speak of this window. */
  readonly last: { readonly remaining: number; readonly served: number } | null;
}

/** Requests after which a Remaining that is no lower does not count them. */
const telling = 6;

/**
 * Sends at full concurrency what remains, then one by one, or as many at once as it takes to outrun what refills: until a request is
 * refused, or more were served than a window holds and refills. So hardly a request follows a 429. `over` is asked once, where nothing
 * remains: where it is refused, nothing else is asked over the limit, and where it is known to count, it counts as served.
 */
export const useUp = async (
  context: CaseContext,
  fresh: Fresh,
  over: OverLimit | null = null,
): Promise<Exhausted> => {
  const { clock, fixtures } = context;
  const { ask, first, most } = fresh;
  const told = limitState(first)?.remaining ?? null;
  let [served, level, refilled, falls, heard] = [1, told ?? 0, 0, false, true];
  let roundTrip = first.exchange.durationMs / 1000;
  let elapsed = roundTrip;
  let reading = first;
  let isOverAsked = false;
  for (;;) {
    const before = elapsed;
    const together = Math.min(
      fixtures.concurrency,
      nextOf(fresh, { served, told, level, refilled, elapsed, roundTrip }),
    );
    const answers = await Promise.all(Array.from({ length: together }, () => answerTo(context, ask)));
    const readings = answers.filter((answer) => answer !== null);
    elapsed = (clock.now() - fresh.startedAt) / 1000;
    const durations = readings.map(({ exchange }) => exchange.durationMs);
    roundTrip = durations.length === 0 ? roundTrip : Math.min(...durations) / 1000;
    const servedNow = readings.filter(({ status }) => status === first.status).length;
    served += servedNow;
    const last = fresh.shown && falls && heard ? { remaining: level, served: servedNow } : null;
    reading = readings.at(-1) ?? reading;
    const shown = remainingIn(readings, first);
    heard = shown.length === together;
    falls ||= told !== null && shown.some((count) => count < told);
    // What comes all at once is no refill, but another window.
    const refill = heard ? Math.min(...shown) - (level - together) : 0;
    refilled += Math.max(0, Math.min(refill, 1 + (most * (elapsed - before)) / fresh.window));
    level = Math.min(...shown, ...(heard ? [] : [level - together]));
    const renewal = clock.now() >= fresh.renewsAt ? most : 0;
    const allowed = most + Math.floor((most * elapsed) / fresh.window) + renewal;
    const come = (kind: Exhausted['kind'], at = reading): Exhausted => ({
      kind,
      reading: at,
      served,
      allowed,
      falls,
      last,
    });
    const other = readings.find(({ status }) => status !== first.status && status !== 429);
    const refused = readings.find(({ status }) => status === 429);
    if (readings.length < together) return come('silent');
    if (other !== undefined) return come('other', other);
    if (served > allowed) return come('too many');
    if (refused !== undefined) return come('refused', refused);
    if (told !== null && !falls && served > telling) return come('uncounted');
    if (elapsed > 95) return come('outpaced');
    if (over !== null && !isOverAsked && falls && heard && level === 0) {
      isOverAsked = true;
      const answer = await answerTo(context, over.ask);
      if (answer?.status === 429) return come('refused', answer);
      if (answer !== null && over.counts) served += 1;
      if (answer !== null && served > allowed) return come('too many', answer);
    }
  }
};

/** What answers say of the window that the first one shows: others may show that of the day, or of the minute. */
const remainingIn = (readings: readonly Reading[], first: Reading): readonly number[] => {
  const limit = limitState(first)?.limit;
  return readings
    .map(limitState)
    .flatMap((state) => (state?.limit === limit && state ? [state.remaining] : []));
};

interface Progress {
  readonly served: number;
  /** X-RateLimit-Remaining at first, and at the last. */
  readonly told: number | null;
  readonly level: number;
  /** By how much X-RateLimit-Remaining fell less than requests were sent. */
  readonly refilled: number;
  /** Seconds. */
  readonly elapsed: number;
  readonly roundTrip: number;
}

/** How many requests are worth sending at once: those that remain, or one more than is refilled on their way. */
const nextOf = (fresh: Fresh, progress: Progress): number => {
  const { served, told, level, elapsed, roundTrip } = progress;
  const surely = fresh.remaining + 1 - served;
  // Whether the headers show the day's limit is settled once more was served than the minute's would allow.
  const settled = fresh.least === fresh.most || served > fresh.least * (1 + elapsed / 60) + 3;
  const isTrusted = fresh.shown && told !== null && settled;
  const left = isTrusted ? level : surely;
  const refilled = Math.max(0, isTrusted ? progress.refilled : -surely);
  const perSecond = elapsed > 0 ? Math.min(refilled / elapsed, fresh.most / fresh.window) : 0;
  return Math.max(left, 1 + Math.floor(perSecond * roundTrip));
};

/** Null: the key gets no answer, while the other one does. */
const answerTo = async (context: CaseContext, ask: Ask): Promise<Reading | null> => {
  try {
    return await spend(context, ask('rate-limit'));
  } catch (error) {
    if (!(error instanceof CaseEnded)) throw error;
    await context.send(ask('main'));
    return null;
  }
};
