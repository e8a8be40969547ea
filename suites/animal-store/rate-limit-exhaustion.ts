import { type ApiResponse, type CheckContext, defineCheck, type Problem } from '../../src/check/index.ts';
import {
  isDailyLimit,
  type LimitState,
  limitState,
  otherLimit,
  retryWait,
} from '../../src/check/rate-limits.ts';
import { checkRecovery, checkReset } from './rate-limit-recovery.ts';
import { measureTrend } from './support/counter-trend.ts';
import { type ExhaustResult, exhaustLimit } from './support/exhaust-limit.ts';
import {
  figuresOf,
  isPlanFigure,
  type LimitProbe,
  limitProbes,
  listProbe,
  minutesOf,
  noRequestCounts,
  sendCounted,
  sendOverLimit,
  validCreation,
  waitForReset,
} from './support/limit.ts';
import { operations } from './support/operations.ts';
import { awaitReset } from './support/reset.ts';
import {
  checkIndependence,
  checkOtherKeyServed,
  secondKeyReady,
  sendWithOther,
} from './support/second-key.ts';
import {
  currentWindow,
  type FreshWindow,
  previousWindow,
  startWindow,
  windowFrom,
} from './support/window.ts';

/** RATE-4: an operation that counts with one key counts with the other, if its plan has a limit. */
const checkCountedWithOtherKey = async (context: CheckContext): Promise<void> => {
  const { run } = context;
  if (run.plan === 'enterprise') return;
  // Nothing else is sent meanwhile: this request alone lowers Remaining.
  if ((await measureTrend(context, () => listProbe('main'))).trend !== 'decreasing') return;
  const trend = await measureTrend(context, () => listProbe('rate-limit'));
  const before = limitState(trend.last);
  if (trend.trend !== 'constant' || before === null || !isPlanFigure(before.limit)) return;
  // A server may update its counters only from time to time.
  await context.sleep(2_200);
  const last = await context.send(listProbe('rate-limit'));
  const after = limitState(last);
  const { limit, remaining, reset } = before;
  if (after?.limit !== limit || after.reset !== reset || after.remaining < remaining) return;
  context.breach({
    requirement: 'RATE-4',
    problem: { rule: 'counter-stuck', in: 'rate-limit key', before: remaining, after: after.remaining },
    response: last,
  });
};

/** Only successful creations may count: returns whether some of them leave Remaining unchanged. */
const areCreationsUncounted = async (context: CheckContext): Promise<boolean> => {
  const create = validCreation(context);
  return create !== null && (await measureTrend(context, () => create('rate-limit'))).trend === 'constant';
};

/**
 * RATE-5: if no operation lowers Remaining, it is unknown which ones count. But if each operation accepts more requests than the limit
 * allows, no request over the limit gets 429.
 */
const checkLimitedAtAll = async (context: CheckContext): Promise<void> => {
  if (!(await areCreationsUncounted(context))) return;
  const ends: ExhaustResult[] = [];
  for (const limitProbe of limitProbes(context)) {
    const exhausted = await exhaustLimit(context, await currentWindow(context, limitProbe), {
      untilRefused: true,
    });
    if (exhausted.kind !== 'too many') return;
    ends.push(exhausted);
  }
  const [first] = ends;
  if (first === undefined) return;
  context.breach({
    requirement: 'RATE-5',
    problem: {
      rule: 'limit-not-enforced',
      in: 'every operation',
      allowed: first.allowed,
      served: ends.map(({ served, response }) => ({
        operation: response.exchange.request.operation,
        count: served,
      })),
    },
    response: first.response,
  });
};

/** Uses up a window (a full one by default) with the first kind of request that counts. */
export const exhaust = async (
  context: CheckContext,
  windowOf: (context: CheckContext, limitProbe: LimitProbe) => Promise<FreshWindow> = startWindow,
  besides: Parameters<typeof exhaustLimit>[2] = {},
): Promise<{ readonly fresh: FreshWindow; readonly exhausted: ExhaustResult }> => {
  for (const limitProbe of limitProbes(context)) {
    const fresh = await windowOf(context, limitProbe);
    const exhausted = await exhaustLimit(context, fresh, besides);
    if (exhausted.kind !== 'uncounted') return { fresh, exhausted };
  }
  await checkCountedWithOtherKey(context);
  await checkLimitedAtAll(context);
  return context.skipCase(noRequestCounts);
};

/** A server error that shows remaining requests is not caused by the limit. */
const failsWithRequestsLeft = ({ kind, response }: ExhaustResult): boolean =>
  kind === 'other' && response.status >= 500 && (limitState(response)?.remaining ?? 0) > 0;

/** RATE-5: a request over the limit gets 429. Returns whether it did. */
const checkLimit = (context: CheckContext, { most, remaining }: FreshWindow, exhausted: ExhaustResult) => {
  const { kind, response, served, allowed } = exhausted;
  const { status } = response;
  const fail = (problem: Problem) => context.breach({ requirement: 'RATE-5', problem, response });
  if (kind === 'refused') context.passed('RATE-5');
  else if (kind === 'refillsFaster' || kind === 'uncounted')
    context.skipCase({ code: 'limit-not-reached', detail: 'refills-faster' });
  else if (kind === 'too many' && !exhausted.falls)
    context.skipCase({ code: 'counting-unclear', detail: 'which-count' });
  else if (kind === 'too many')
    fail({ rule: 'limit-not-enforced', in: 'window', limit: most, allowed, served });
  else if (served <= remaining - context.run.concurrency || failsWithRequestsLeft(exhausted))
    context.skipCase(
      kind === 'silent' ? { code: 'no-response' } : { code: 'limit-not-reached', detail: 'status', status },
    );
  else fail({ rule: 'wrong-status-over-limit', wrongStatus: kind === 'silent' ? null : status });
  return kind === 'refused';
};

/** How many requests a server may lose by rounding. */
const rounded = 2;

/** RATE-5: if nothing remains, a request is over the limit, for any limit. */
const checkAfterZero = (context: CheckContext, { afterZero }: ExhaustResult): void => {
  if (afterZero === null || afterZero.served <= rounded + afterZero.refilled) return;
  context.breach({
    requirement: 'RATE-5',
    problem: { rule: 'limit-not-enforced', in: 'Remaining 0', served: afterZero.served },
    response: afterZero.response,
  });
};

/** By how much each request lowers Remaining: more than one passes RATE-4. */
const chargeOf = ({ served, lost }: ExhaustResult): number =>
  Math.max(1, Math.round((served + lost.withOtherKey + lost.else) / Math.max(1, served)));

/** RATE-6: no 429 while requests remain. */
const checkRemaining = (context: CheckContext, { remaining }: FreshWindow, exhausted: ExhaustResult) => {
  const { response, served, last } = exhausted;
  const charge = chargeOf(exhausted);
  const isFirstTrue = served * charge > remaining;
  if (isFirstTrue && (last === null || last.served * charge >= last.remaining))
    return context.passed('RATE-6');
  if (isDailyLimit(response)) return context.inconclusive(otherLimit, 'RATE-6');
  if (charge > 1 || operations.some(context.run.isChargedAsSeveral))
    return context.inconclusive({ code: 'counting-unclear', detail: 'several-each' }, 'RATE-6');
  const shown = isFirstTrue
    ? ({ shownAt: 'end', shown: last?.remaining, succeeded: last?.served } as const)
    : ({ shownAt: 'start', shown: remaining, succeeded: served - 1 } as const);
  context.breach({
    requirement: 'RATE-6',
    problem: { rule: '429-while-remaining', in: 'window', ...shown },
    response,
  });
};

const isWholeAgain = (before: FreshWindow, { status }: ApiResponse, state: LimitState | null): boolean =>
  status === before.first.status &&
  state?.limit === limitState(before.first)?.limit &&
  (state?.remaining ?? 0) >= before.most - 2;

/** The first response of a full window after the wait, or null. A sliding window is full later, by the pause after its first request. */
const firstOfNext = async (context: CheckContext, before: FreshWindow, recovered: ApiResponse) => {
  if (isWholeAgain(before, recovered, limitState(recovered))) return recovered;
  if (before.pause === 0) return null;
  await context.sleep(before.pause * 1000);
  const later = await sendCounted(context, before.limitProbe('rate-limit'));
  return isWholeAgain(before, later, limitState(later)) ? later : null;
};

/** How many requests use up what a bucket has refilled in a short wait. */
const fewRequests = 5;

/** A bucket is not full after its wait: once a few requests have used up what it refilled, a request of another operation is over the limit. */
const sendOverRefilled = async (context: CheckContext, { limitProbe }: FreshWindow): Promise<void> => {
  const over = sendOverLimit(context);
  for (let sent = 0; over !== null && sent < fewRequests; sent += 1) {
    const response = await sendCounted(context, limitProbe('rate-limit'));
    const remaining = limitState(response)?.remaining;
    if (response.status === 429 || remaining === undefined) return;
    if (remaining === 0) return void (await sendCounted(context, over.limitProbe('rate-limit')));
  }
};

/** Tests the next full window, too: some servers let requests slip through only after their first 429. */
const checkNextWindow = async (context: CheckContext, before: FreshWindow, recovered: ApiResponse) => {
  if (!before.shown) return null;
  const first = await firstOfNext(context, before, recovered);
  if (first === null) {
    if (before.pause === 0) await sendOverRefilled(context, before);
    return null;
  }
  const fresh = windowFrom(before.limitProbe, first, before, before.renewsAt < Number.POSITIVE_INFINITY);
  const exhausted = await exhaustLimit(context, fresh, { over: sendOverLimit(context) });
  if (!checkLimit(context, fresh, exhausted)) return null;
  checkAfterZero(context, exhausted);
  checkRemaining(context, fresh, exhausted);
  return exhausted;
};

/** Even refill or fixed windows allow less than two limits in a minute; a window that is too short allows more. */
const checkMinute = async (context: CheckContext, fresh: FreshWindow, spent: readonly ExhaustResult[]) => {
  const last = spent.at(-1);
  const wait = last === undefined ? null : retryWait(last.response);
  const isWithin = (seconds: number) => context.now() + seconds * 1000 < fresh.startedAt + 58_000;
  if (
    last === undefined ||
    wait === null ||
    figuresOf(context.run)?.perMinute !== fresh.most ||
    !isWithin(wait.seconds + 1)
  )
    return;
  await waitForReset(context, last.response);
  let served = spent.reduce((sum, each) => sum + each.served, 0);
  while (isWithin(0)) {
    const response = await sendCounted(context, fresh.limitProbe('rate-limit'));
    if (response.status !== fresh.first.status) return;
    served += 1;
    if (served <= 2 * fresh.most) continue;
    return context.breach({
      requirement: 'RATE-5',
      problem: {
        rule: 'limit-not-enforced',
        in: 'minute',
        limit: fresh.most,
        served,
        seconds: Math.ceil((context.now() - fresh.startedAt) / 1000),
      },
      response,
    });
  }
};

/** Seconds: as short as a constant in place of the time to wait may be. */
const shortWait = 5;

/** The 429 gives a short wait that ends before Reset: it is right for a bucket, and too short for a window. */
const isSoonerThanReset = ({ response }: ExhaustResult): boolean => {
  const wait = retryWait(response)?.seconds ?? Number.POSITIVE_INFINITY;
  return wait <= shortWait && wait + 1 < (limitState(response)?.untilReset ?? 0);
};

/** RATE-5, RATE-6, RATE-8, RATE-9, and RATE-13. Its 429s are checked for RATE-7, RATE-10, and RATE-14. */
export const limitIsEnforced = defineCheck({
  id: 'rate-5-over-limit',
  title: 'a request over the limit gets 429, and succeeds after the wait',
  requirement: 'RATE-5',
  covers: ['RATE-2', 'RATE-4', 'RATE-6', 'RATE-7', 'RATE-8', 'RATE-9', 'RATE-10', 'RATE-13', 'RATE-14'],
  phase: 'exhaust-limit',
  cost: minutesOf(3, 8),
  retry: false,
  run: async (_, context) => {
    await awaitReset(context);
    const other = await secondKeyReady(context);
    const isSure = other !== null && context.run.isKeyExclusive('main');
    const withOtherKey = isSure ? () => sendWithOther(context) : null;
    const { fresh, exhausted } = await exhaust(context, previousWindow, { withOtherKey, together: true });
    const isShared = checkIndependence(context, exhausted);
    if (isShared && exhausted.kind !== 'refused')
      return context.skipCase({ code: 'shared-key', detail: 'counted-together' });
    if (!checkLimit(context, fresh, exhausted)) return;
    if (!isShared) {
      checkAfterZero(context, exhausted);
      checkRemaining(context, fresh, exhausted);
      await checkOtherKeyServed(context, other, exhausted, fresh);
    }
    const recovered = await checkRecovery(context, fresh.limitProbe, exhausted.response);
    if (recovered === null) return;
    checkReset(context, exhausted.response, recovered);
    const next = await checkNextWindow(context, fresh, recovered);
    if (next === null) return;
    // The first 429 may have come just before Reset.
    if (isSoonerThanReset(next)) await checkRecovery(context, fresh.limitProbe, next.response);
    await checkMinute(context, fresh, [exhausted, next]);
  },
});
