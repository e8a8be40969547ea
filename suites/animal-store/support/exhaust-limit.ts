import { CaseSkipped } from '../../../src/check/case-skipped.ts';
import type { ApiResponse, CheckContext } from '../../../src/check/index.ts';
import { limitState } from '../../../src/check/rate-limits.ts';
import { type LimitProbe, type OverLimit, sendCounted } from './limit.ts';
import type { FreshWindow } from './window.ts';

/** The result of using up a window. `uncounted`: such requests do not lower Remaining. */
export interface ExhaustResult {
  readonly kind: 'refused' | 'too many' | 'other' | 'silent' | 'uncounted' | 'refillsFaster';
  /** The decisive response, or the one before it if there was none. */
  readonly response: ApiResponse;
  /** Including the first request. */
  readonly served: number;
  /** How many requests any kind of limiter may have allowed. */
  readonly allowed: number;
  /** X-RateLimit-Remaining decreased. */
  readonly falls: boolean;
  /** Remaining before the last requests, and how many of these succeeded; null if it does not belong to this window. */
  readonly last: { readonly remaining: number; readonly served: number } | null;
  /** By how much X-RateLimit-Remaining decreased beyond the requests sent: during the requests with the other key, and otherwise. */
  readonly lost: { readonly withOtherKey: number; readonly else: number };
  /** Successful requests after X-RateLimit-Remaining was 0; null if it is not, or not of this window. */
  readonly afterZero: AfterZero | null;
}

interface AfterZero {
  readonly served: number;
  /** How many requests may have been refilled meanwhile. */
  readonly refilled: number;
  /** The last success. */
  readonly response: ApiResponse;
}

/** After this many requests, an unchanged Remaining does not count them. */
const enoughToTell = 6;
/** Seconds after which the check stops if the limit is not reached. */
const maxSeconds = 95;

/**
 * Sends the remaining requests at full concurrency, then one by one, or as many at once as outrun the refill: until a request gets 429, or
 * more succeeded than a window allows and refills. So almost no request follows a 429. `over` is sent once nothing remains: if it gets 429,
 * nothing else is sent over the limit; if it is known to count, it counts as a success. `withOtherKey` sends requests with another key, once,
 * between two bursts.
 */
export const exhaustLimit = async (
  context: CheckContext,
  fresh: FreshWindow,
  { over = null, withOtherKey = null, untilRefused = false, together = false }: Besides = {},
): Promise<ExhaustResult> => {
  const { run } = context;
  let use = firstUse(fresh);
  let isOverSent = false;
  let isAcrossSent = !together;
  let otherKeySends: 'to come' | 'just made' | 'over' = withOtherKey === null ? 'over' : 'to come';
  for (;;) {
    const next = nextOf(fresh, use);
    // Only while a request remains: of two that are over the limit, one would follow a 429.
    const isAcross = !isAcrossSent && fresh.shown && use.falls && use.allShown && use.level > 0;
    const size = isAcross ? acrossLimit(next) : next;
    isAcrossSent ||= size > next;
    const burst = await sendBurst(context, fresh.limitProbe, Math.min(run.concurrency, size));
    const now = context.now();
    use = useAfter(fresh, use, burst, (now - fresh.startedAt) / 1000, otherKeySends === 'just made');
    if (otherKeySends === 'just made') otherKeySends = 'over';
    const allowed = allowedBy(fresh, use) + (now >= fresh.renewsAt ? fresh.most : 0);
    const end = endOf(fresh, use, burst, allowed, untilRefused);
    if (end !== null) return { ...resultOf(use), ...end, allowed };
    if (otherKeySends === 'to come' && use.falls && use.allShown && use.level > run.concurrency) {
      await withOtherKey?.();
      otherKeySends = 'just made';
    }
    if (over === null || isOverSent || !use.falls || !use.allShown || use.level > 0) continue;
    isOverSent = true;
    const response = await responseTo(context, over.limitProbe);
    if (response?.status === 429) return { ...resultOf(use), kind: 'refused', response, allowed };
    if (response !== null && over.counts && !hasRequestsLeft(response))
      use = { ...use, served: use.served + 1 };
    if (response !== null && use.served > allowed)
      return { ...resultOf(use), kind: 'too many', response, allowed };
  }
};

interface Besides {
  readonly over?: OverLimit | null;
  readonly withOtherKey?: (() => Promise<unknown>) | null;
  /** Continues although Remaining does not decrease. */
  readonly untilRefused?: boolean;
  /** Sends the last remaining request together with one that is over the limit. */
  readonly together?: boolean;
}

/**
 * Keeps one request back, then sends it with one that is over the limit: a server that counts requests when they end serves both. With
 * more, some would arrive after the 429.
 */
const acrossLimit = (next: number): number => (next <= 1 ? 2 : next - 1);

/** An operation may have a separate limit: its response then shows remaining requests. */
const hasRequestsLeft = (response: ApiResponse): boolean => (limitState(response)?.remaining ?? 0) > 0;

/** How far a window is used up. Times in seconds since its first request. */
interface Use {
  readonly served: number;
  /** X-RateLimit-Remaining at the start, and now. */
  readonly atStart: number | null;
  readonly level: number;
  /** By how much X-RateLimit-Remaining decreased less than requests were sent. */
  readonly refilled: number;
  readonly elapsed: number;
  readonly roundTrip: number;
  /** The latest response. */
  readonly response: ApiResponse;
  readonly falls: boolean;
  /** Every one of the latest responses showed Remaining. */
  readonly allShown: boolean;
  readonly last: ExhaustResult['last'];
  readonly lost: ExhaustResult['lost'];
  readonly afterZero: ExhaustResult['afterZero'];
}

const firstUse = ({ first }: FreshWindow): Use => {
  const atStart = limitState(first)?.remaining ?? null;
  const roundTrip = first.exchange.durationMs / 1000;
  const progress = { served: 1, atStart, level: atStart ?? 0, refilled: 0, elapsed: roundTrip, roundTrip };
  const lost = { withOtherKey: 0, else: 0 };
  return { ...progress, response: first, falls: false, allShown: true, last: null, lost, afterZero: null };
};

const resultOf = ({ served, falls, last, lost, afterZero }: Use) => ({
  served,
  falls,
  last,
  lost,
  afterZero,
});

/** Requests sent at once, and their responses. */
interface Burst {
  readonly sent: number;
  readonly responses: readonly ApiResponse[];
}

const sendBurst = async (context: CheckContext, limitProbe: LimitProbe, sent: number): Promise<Burst> => {
  const responses = await Promise.all(Array.from({ length: sent }, () => responseTo(context, limitProbe)));
  return { sent, responses: responses.filter((response) => response !== null) };
};

const useAfter = (
  fresh: FreshWindow,
  use: Use,
  { sent, responses }: Burst,
  elapsed: number,
  isAfterOtherKey: boolean,
): Use => {
  const { atStart, lost } = use;
  const isServed = ({ status }: ApiResponse): boolean => status === fresh.first.status;
  const served = responses.filter(isServed).length;
  const shown = remainingIn(responses, fresh.first);
  const allShown = shown.length === sent;
  const perSecond = fresh.most / fresh.window;
  // A sudden increase is another window, not a refill.
  const refill = allShown ? Math.min(...shown) - (use.level - sent) : 0;
  const mayRefill = perSecond * (elapsed - use.elapsed);
  const level = Math.min(...shown, ...(allShown ? [] : [use.level - sent]));
  const falls = use.falls || (atStart !== null && shown.some((count) => count < atStart));
  const response = responses.at(-1) ?? use.response;
  const isEmpty = fresh.shown && falls && allShown && level <= 0;
  const durations = responses.map(({ exchange }) => exchange.durationMs / 1000);
  return {
    served: use.served + served,
    atStart,
    level,
    refilled: use.refilled + Math.max(0, Math.min(refill, 1 + mayRefill)),
    elapsed,
    roundTrip: durations.length === 0 ? use.roundTrip : Math.min(...durations),
    response,
    falls,
    allShown,
    lost: isAfterOtherKey
      ? { ...lost, withOtherKey: Math.max(0, -refill) }
      : { ...lost, else: lost.else + Math.max(0, -refill) },
    last: fresh.shown && use.falls && use.allShown ? { remaining: use.level, served } : null,
    afterZero: isEmpty ? servedAfterZero(use, responses.filter(isServed), mayRefill) : null,
  };
};

/** Some requests were in flight when Remaining was 0 first: only requests sent later count. */
const servedAfterZero = (
  { afterZero, response }: Use,
  served: readonly ApiResponse[],
  mayRefill: number,
): AfterZero => ({
  served: afterZero === null ? 0 : afterZero.served + served.length,
  refilled: (afterZero?.refilled ?? 0) + mayRefill,
  response: served.at(-1) ?? afterZero?.response ?? response,
});

/** How many requests any kind of limiter may have allowed so far, without a reset. */
const allowedBy = ({ most, window, refillable }: FreshWindow, { elapsed, refilled, allShown }: Use): number =>
  most + Math.floor((most * elapsed) / window) + (allShown ? Math.min(refillable, refilled) : refillable);

/** The result if a burst has decided the window, otherwise null. */
const endOf = (
  { first }: FreshWindow,
  use: Use,
  { sent, responses }: Burst,
  allowed: number,
  untilRefused: boolean,
): Pick<ExhaustResult, 'kind' | 'response'> | null => {
  const other = responses.find(({ status }) => status !== first.status && status !== 429);
  const refused = responses.find(({ status }) => status === 429);
  const { response } = use;
  if (responses.length < sent) return { kind: 'silent', response };
  if (other !== undefined) return { kind: 'other', response: other };
  if (use.served > allowed) return { kind: 'too many', response };
  if (refused !== undefined) return { kind: 'refused', response: refused };
  const isCounted = use.atStart === null || use.falls;
  if (!untilRefused && !isCounted && use.served > enoughToTell) return { kind: 'uncounted', response };
  return use.elapsed > maxSeconds ? { kind: 'refillsFaster', response } : null;
};

/** Remaining in the responses that show the same limit as the first: others may show the daily or per-minute limit. */
const remainingIn = (responses: readonly ApiResponse[], first: ApiResponse): readonly number[] => {
  const limit = limitState(first)?.limit;
  return responses
    .map(limitState)
    .flatMap((state) => (state?.limit === limit && state ? [state.remaining] : []));
};

/** How many requests to send at once: the remaining ones, or one more than refills meanwhile. */
const nextOf = (fresh: FreshWindow, use: Use): number => {
  const { served, atStart, level, elapsed, roundTrip } = use;
  const surely = fresh.remaining + 1 - served;
  // The headers show the daily limit if more succeeded than the per-minute limit would allow.
  const settled = fresh.least === fresh.most || served > fresh.least * (1 + elapsed / 60) + 3;
  const isTrusted = fresh.shown && atStart !== null && settled;
  const left = isTrusted ? level : surely;
  const refilled = Math.max(0, isTrusted ? use.refilled : -surely);
  const perSecond = elapsed > 0 ? Math.min(refilled / elapsed, fresh.most / fresh.window) : 0;
  return Math.max(left, 1 + Math.floor(perSecond * roundTrip));
};

/** Sends a request. Returns null if this key gets no response while the other one does. */
const responseTo = async (context: CheckContext, limitProbe: LimitProbe): Promise<ApiResponse | null> => {
  try {
    return await sendCounted(context, limitProbe('rate-limit'));
  } catch (error) {
    if (!(error instanceof CaseSkipped)) throw error;
    await context.send(limitProbe('main'));
    return null;
  }
};
