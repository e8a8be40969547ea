import type { Reading } from '../src/oracle/reading.ts';
import { retryWait } from '../src/oracle/retry-wait.ts';
import { otherLimitReason } from '../src/oracle/rules/rate-limit-headers.ts';
import type { CaseContext, Check } from '../src/run/check.ts';
import { type LimitState, limitState, speaksOfTheDay } from '../src/run/limit-state.ts';
import { measureTrend } from './support/counter-trend.ts';
import { type ExhaustResult, exhaustLimit } from './support/exhaust-limit.ts';
import {
  anotherOverLimit,
  figuresOf,
  isPlanFigure,
  type LimitProbe,
  limitProbes,
  listProbe,
  minutesOf,
  refusedAgain,
  sendCounted,
  unknownWhichCount,
  validCreation,
  waitOut,
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
  type FreshWindow,
  freshWindow,
  lingeringWindow,
  windowFrom,
  windowUnderWay,
} from './support/window.ts';

/** RATE-4: what counts with the one key counts with the other, where its plan has a limit. */
const judgeUncounted = async (context: CaseContext): Promise<void> => {
  const { clock, fixtures } = context;
  if (fixtures.plan === 'enterprise') return;
  // Nothing else is sent meanwhile: what falls, falls by this very request.
  if ((await measureTrend(context, () => listProbe('main'))).moved !== 'falls') return;
  const standing = await measureTrend(context, () => listProbe('rate-limit'));
  const before = limitState(standing.last);
  if (standing.moved !== 'stands' || before === null || !isPlanFigure(before.limit)) return;
  // A server may bring what it shows up to date every now and then.
  await clock.sleep(2_200);
  const last = await context.send(listProbe('rate-limit'));
  const after = limitState(last);
  const { limit, remaining, reset } = before;
  if (after?.limit !== limit || after.reset !== reset || after.remaining < remaining) return;
  context.breach({
    requirement: 'RATE-4',
    rule: 'stands still for one key',
    message:
      'X-RateLimit-Remaining does not fall as GET /pets is asked with the rate limit key, as it does with the other key.',
    expected: `an X-RateLimit-Remaining below ${remaining} after several requests in the same window`,
    actual: `X-RateLimit-Remaining: ${after.remaining}`,
    exchange: last.exchange,
  });
};

/** Creations that are served may be all that counts: whether Remaining stands still with some of them. */
const areCreationsUncounted = async (context: CaseContext): Promise<boolean> => {
  const create = validCreation(context);
  return create !== null && (await measureTrend(context, () => create('rate-limit'))).moved === 'stands';
};

/**
 * RATE-5: if Remaining falls with no operation, which ones count is not known. But if each operation serves more requests than the limit
 * allows, no request over the limit gets 429.
 */
const judgeUnlimited = async (context: CaseContext): Promise<void> => {
  if (!(await areCreationsUncounted(context))) return;
  const ends: ExhaustResult[] = [];
  for (const limitProbe of limitProbes(context)) {
    const exhausted = await exhaustLimit(context, await windowUnderWay(context, limitProbe), {
      untilRefused: true,
    });
    if (exhausted.kind !== 'too many') return;
    ends.push(exhausted);
  }
  const [first] = ends;
  if (first === undefined) return;
  context.breach({
    requirement: 'RATE-5',
    rule: 'no 429 at all',
    message: 'No limit is enforced: every operation serves more requests than X-RateLimit-Limit allows.',
    expected: `a 429 after ${first.allowed} requests of one operation at most, refill included`,
    actual: ends
      .map(({ served, reading }) => `${reading.exchange.request.operation}: ${served} requests served`)
      .join(', '),
    exchange: first.reading.exchange,
  });
};

/** Uses up a window, a whole one unless another will do, by the first kind of request that counts. */
export const exhaust = async (
  context: CaseContext,
  windowOf: (context: CaseContext, limitProbe: LimitProbe) => Promise<FreshWindow> = freshWindow,
  withOtherKey: (() => Promise<unknown>) | null = null,
): Promise<{ readonly fresh: FreshWindow; readonly exhausted: ExhaustResult }> => {
  for (const limitProbe of limitProbes(context)) {
    const fresh = await windowOf(context, limitProbe);
    const exhausted = await exhaustLimit(context, fresh, { withOtherKey });
    if (exhausted.kind !== 'uncounted') return { fresh, exhausted };
  }
  await judgeUncounted(context);
  await judgeUnlimited(context);
  return context.end(unknownWhichCount);
};

/** A server that fails says of itself that the limit is not what it failed for. */
const saysThatSomeRemain = ({ kind, reading }: ExhaustResult): boolean =>
  kind === 'other' && reading.status >= 500 && (limitState(reading)?.remaining ?? 0) > 0;

/** RATE-5: a request over the limit gets 429. Tells whether it did. */
const judgeLimit = (
  context: CaseContext,
  { most, remaining }: FreshWindow,
  exhausted: ExhaustResult,
): boolean => {
  const { kind, reading, served, allowed } = exhausted;
  const { exchange, status } = reading;
  const refusedElse = (actual: string, message: string) =>
    context.breach({
      requirement: 'RATE-5',
      rule: 'another answer',
      message,
      expected: 'status 429',
      actual,
      exchange,
    });
  if (kind === 'refused') context.met('RATE-5');
  else if (kind === 'refillsFaster' || kind === 'uncounted')
    context.end('requests are answered more slowly than the limit refills');
  else if (kind === 'too many' && !exhausted.falls)
    context.end('X-RateLimit-Remaining does not tell which requests count');
  else if (kind === 'too many') {
    context.breach({
      requirement: 'RATE-5',
      rule: 'no 429',
      message: `More requests are served than the limit of ${most} allows.`,
      expected: `a 429 after ${allowed} requests at most, refill included`,
      actual: `${served} requests served`,
      exchange,
    });
  } else if (served <= remaining - context.fixtures.concurrency || saysThatSomeRemain(exhausted))
    context.end(kind === 'silent' ? 'a request got no answer' : `a request was answered with ${status}`);
  else if (kind === 'silent')
    refusedElse('no answer; the request before it is shown', 'A request over the limit gets no answer.');
  else refusedElse(`status ${status}`, `A request over the limit is answered with ${status}.`);
  return kind === 'refused';
};

/** Requests that a server may round away. */
const rounded = 2;

/** RATE-5: where nothing remains a request is over the limit, whatever the limit is. */
const checkAfterZero = (context: CaseContext, { afterZero }: ExhaustResult): void => {
  if (afterZero === null || afterZero.served <= rounded + afterZero.refilled) return;
  context.breach({
    requirement: 'RATE-5',
    rule: 'served with nothing remaining',
    message: `${afterZero.served} more requests are served in the same window after an answer that says that none remain.`,
    expected: 'a 429 to what follows X-RateLimit-Remaining: 0, but for what is refilled meanwhile',
    actual: `${afterZero.served} requests served`,
    exchange: afterZero.reading.exchange,
  });
};

/** By how much Remaining falls for each request: a fall by more than one passes RATE-4. */
const chargeOf = ({ served, lost }: ExhaustResult): number =>
  Math.max(1, Math.round((served + lost.withOtherKey + lost.else) / Math.max(1, served)));

/** RATE-6: no 429 while requests remain. */
const judgeRemaining = (context: CaseContext, { remaining }: FreshWindow, exhausted: ExhaustResult) => {
  const { reading, served, last } = exhausted;
  const charge = chargeOf(exhausted);
  const isFirstTrue = served * charge > remaining;
  if (isFirstTrue && (last === null || last.served * charge >= last.remaining)) return context.met('RATE-6');
  if (speaksOfTheDay(reading)) return context.undecided('RATE-6', otherLimitReason);
  if (charge > 1 || operations.some(context.fixtures.isChargedAsSeveral))
    return context.undecided('RATE-6', 'a request is charged as several, so how many remain is not known');
  const [shown, afterwards] = isFirstTrue
    ? [`${last?.remaining} at the last`, last?.served]
    : [`${remaining} at first`, served - 1];
  context.breach({
    requirement: 'RATE-6',
    rule: '429 while requests remain',
    message: 'A request gets 429 although requests remain.',
    expected: `as many requests served as X-RateLimit-Remaining showed: ${shown}`,
    actual: `a 429 after ${afterwards} of them`,
    exchange: reading.exchange,
  });
};

/** A key that is locked for good may be refused with another status. */
const isRefused = ({ status }: Reading): boolean => [401, 403, 429].includes(status);

/** Silence after which the limit of a minute explains no 429. */
const minuteMs = 61_000;

/** The request after the wait of a 429; if the limit of a minute that is not shown may explain that it is refused, the one after a minute. */
const afterWait = async (
  context: CaseContext,
  limitProbe: LimitProbe,
  refused: Reading,
): Promise<Reading> => {
  await waitOut(context, refused);
  const reading = await sendCounted(context, limitProbe('rate-limit'));
  const isUnclear = reading.status === 429 && context.fixtures.mayBeOtherLimit(refused, reading);
  if (!isUnclear || speaksOfTheDay(reading)) return reading;
  await context.clock.sleep(minuteMs);
  return sendCounted(context, limitProbe('rate-limit'));
};

/** RATE-8: after the time that Retry-After gives, a request is served. */
const judgeRecovery = async (
  context: CaseContext,
  limitProbe: LimitProbe,
  refused: Reading,
): Promise<Reading | null> => {
  const reading = await afterWait(context, limitProbe, refused);
  if (!isRefused(reading)) {
    context.met('RATE-8');
    return reading;
  }
  if (speaksOfTheDay(reading) || context.fixtures.mayBeOtherLimit(refused, reading))
    context.undecided('RATE-8', otherLimitReason);
  else refusedAgain(context, refused, reading);
  return null;
};

/** Seconds by which clocks of several instances differ, and a window that is spent slowly. */
const early = 5;
/** Of fewer the least that a bucket refills is almost all. */
const fewest = 10;

/** RATE-2: what is whole again was reset, and not before the time that was told. */
const judgeReset = (context: CaseContext, refused: Reading, recovered: Reading): void => {
  const [told, now] = [limitState(refused), limitState(recovered)];
  if (told === null || now === null || now.untilReset === null || told.limit !== now.limit) return;
  const ahead = told.reset - (now.reset - now.untilReset);
  const isWhole = now.limit >= fewest && told.remaining === 0 && now.remaining >= now.limit - 2;
  if (!isWhole || ahead <= early) return;
  context.breach({
    requirement: 'RATE-2',
    rule: 'reset before Reset',
    message: 'The limit resets long before the time that X-RateLimit-Reset told.',
    expected: `an X-RateLimit-Reset at which the limit resets: ${told.reset}, as the 429 said, was ${Math.floor(ahead)} s ahead`,
    actual: `X-RateLimit-Remaining: ${now.remaining} of ${now.limit} by then`,
    exchange: refused.exchange,
  });
};

const isWholeAgain = (before: FreshWindow, { status }: Reading, state: LimitState | null): boolean =>
  status === before.first.status &&
  state?.limit === limitState(before.first)?.limit &&
  (state?.remaining ?? 0) >= before.most - 2;

/** The first answer of a whole window after the wait: what slides is whole as much later as the first request was left alone; null: it is not. */
const firstOfNext = async (
  context: CaseContext,
  before: FreshWindow,
  recovered: Reading,
): Promise<Reading | null> => {
  if (isWholeAgain(before, recovered, limitState(recovered))) return recovered;
  if (before.pause === 0) return null;
  await context.clock.sleep(before.pause * 1000);
  const later = await sendCounted(context, before.limitProbe('rate-limit'));
  return isWholeAgain(before, later, limitState(later)) ? later : null;
};

/** Once more, where the window after the wait is whole: a server that lets some slip through shows it after its first 429. */
const judgeNextWindow = async (
  context: CaseContext,
  before: FreshWindow,
  recovered: Reading,
): Promise<ExhaustResult | null> => {
  const first = before.shown ? await firstOfNext(context, before, recovered) : null;
  if (first === null) return null;
  const fresh = windowFrom(before.limitProbe, first, before, before.renewsAt < Number.POSITIVE_INFINITY);
  const exhausted = await exhaustLimit(context, fresh, { over: anotherOverLimit(context) });
  if (!judgeLimit(context, fresh, exhausted)) return null;
  checkAfterZero(context, exhausted);
  judgeRemaining(context, fresh, exhausted);
  return exhausted;
};

/** What refills evenly, or all at once, lets less through in a minute than two limits; a window that is too short does not. */
const judgeMinute = async (
  context: CaseContext,
  fresh: FreshWindow,
  spent: readonly ExhaustResult[],
): Promise<void> => {
  const last = spent.at(-1);
  const wait = last === undefined ? null : retryWait(last.reading);
  const isWithin = (seconds: number) => context.clock.now() + seconds * 1000 < fresh.startedAt + 58_000;
  if (
    last === undefined ||
    wait === null ||
    figuresOf(context.fixtures)?.perMinute !== fresh.most ||
    !isWithin(wait.seconds + 1)
  )
    return;
  await waitOut(context, last.reading);
  let served = spent.reduce((sum, each) => sum + each.served, 0);
  while (isWithin(0)) {
    const reading = await sendCounted(context, fresh.limitProbe('rate-limit'));
    if (reading.status !== fresh.first.status) return;
    served += 1;
    if (served <= 2 * fresh.most) continue;
    return context.breach({
      requirement: 'RATE-5',
      rule: 'minute too short',
      message: `More than twice the limit of ${fresh.most} requests per minute is served within a minute.`,
      expected: `a 429 until a minute has passed, or ${2 * fresh.most} requests at most where it begins anew meanwhile`,
      actual: `${served} requests served in ${Math.ceil((context.clock.now() - fresh.startedAt) / 1000)} s`,
      exchange: reading.exchange,
    });
  }
};

/** RATE-5, RATE-6, RATE-8, RATE-9 and RATE-13; the 429s that come are judged for RATE-7, RATE-10 and RATE-14. */
export const limitHolds: Check<null> = {
  name: 'RATE-5 a request over the limit is refused, and served again in time',
  gives: [
    'RATE-2',
    'RATE-4',
    'RATE-5',
    'RATE-6',
    'RATE-7',
    'RATE-8',
    'RATE-9',
    'RATE-10',
    'RATE-13',
    'RATE-14',
  ],
  phase: 'exhaust',
  toll: minutesOf(3, 8),
  once: true,
  examples: () => [null],
  attempt: async (_, context) => {
    await awaitReset(context);
    const other = await secondKeyReady(context);
    const isSure = other !== null && context.fixtures.isKeyExclusive('main');
    const withOtherKey = isSure ? () => sendWithOther(context) : null;
    const { fresh, exhausted } = await exhaust(context, lingeringWindow, withOtherKey);
    const isShared = checkIndependence(context, exhausted);
    if (isShared && exhausted.kind !== 'refused')
      return context.end('keys are counted together: whose limit holds is not known');
    if (!judgeLimit(context, fresh, exhausted)) return;
    if (!isShared) {
      checkAfterZero(context, exhausted);
      judgeRemaining(context, fresh, exhausted);
      await checkOtherKeyServed(context, other, exhausted, fresh);
    }
    const recovered = await judgeRecovery(context, fresh.limitProbe, exhausted.reading);
    if (recovered === null) return;
    judgeReset(context, exhausted.reading, recovered);
    const next = await judgeNextWindow(context, fresh, recovered);
    if (next !== null) await judgeMinute(context, fresh, [exhausted, next]);
  },
};
