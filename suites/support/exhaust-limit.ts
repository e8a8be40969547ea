import type { Reading } from '../../src/oracle/reading.ts';
import type { CaseContext } from '../../src/run/check.ts';
import { limitState } from '../../src/run/limit-state.ts';
import { CaseEnded } from '../../src/run/session.ts';
import { type LimitProbe, type OverLimit, sendCounted } from './limit.ts';
import type { FreshWindow } from './window.ts';

/** What using up a window came to. `uncounted`: Remaining does not fall by such requests. */
export interface ExhaustResult {
  readonly kind: 'refused' | 'too many' | 'other' | 'silent' | 'uncounted' | 'refillsFaster';
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
  /** By how much more than requests were sent X-RateLimit-Remaining fell: over the requests made aside, and else. */
  readonly lost: { readonly withOtherKey: number; readonly else: number };
  /** What was served from the time on at which X-RateLimit-Remaining was 0; null: it is not, or not of this window. */
  readonly afterZero: AfterZero | null;
}

interface AfterZero {
  readonly served: number;
  /** Requests that may have been refilled meanwhile. */
  readonly refilled: number;
  /** The last that was served. */
  readonly reading: Reading;
}

/** Requests after which a Remaining that is no lower does not count them. */
const telling = 6;
/** Seconds after which a limit that was not met is given up. */
const patience = 95;

/**
 * Sends at full concurrency what remains, then one by one, or as many at once as it takes to outrun what refills: until a request is
 * refused, or more were served than a window holds and refills. So hardly a request follows a 429. `over` is asked once, where nothing
 * remains: where it is refused, nothing else is asked over the limit, and where it is known to count, it counts as served. `aside` sends
 * requests with another key, once, between two bursts.
 */
export const exhaustLimit = async (
  context: CaseContext,
  fresh: FreshWindow,
  { over = null, withOtherKey = null, untilRefused = false }: Besides = {},
): Promise<ExhaustResult> => {
  const { clock, fixtures } = context;
  let use = firstUse(fresh);
  let isOverAsked = false;
  let otherKeySends: 'to come' | 'just made' | 'over' = withOtherKey === null ? 'over' : 'to come';
  for (;;) {
    const burst = await sendBurst(
      context,
      fresh.limitProbe,
      Math.min(fixtures.concurrency, nextOf(fresh, use)),
    );
    const now = clock.now();
    use = useAfter(fresh, use, burst, (now - fresh.startedAt) / 1000, otherKeySends === 'just made');
    if (otherKeySends === 'just made') otherKeySends = 'over';
    const allowed = allowedBy(fresh, use) + (now >= fresh.renewsAt ? fresh.most : 0);
    const end = endOf(fresh, use, burst, allowed, untilRefused);
    if (end !== null) return { ...toldBy(use), ...end, allowed };
    if (otherKeySends === 'to come' && use.falls && use.heard && use.level > fixtures.concurrency) {
      await withOtherKey?.();
      otherKeySends = 'just made';
    }
    if (over === null || isOverAsked || !use.falls || !use.heard || use.level > 0) continue;
    isOverAsked = true;
    const reading = await answerTo(context, over.limitProbe);
    if (reading?.status === 429) return { ...toldBy(use), kind: 'refused', reading, allowed };
    if (reading !== null && over.counts && !hasRequestsLeft(reading))
      use = { ...use, served: use.served + 1 };
    if (reading !== null && use.served > allowed)
      return { ...toldBy(use), kind: 'too many', reading, allowed };
  }
};

interface Besides {
  readonly over?: OverLimit | null;
  readonly withOtherKey?: (() => Promise<unknown>) | null;
  /** Goes on although Remaining does not fall. */
  readonly untilRefused?: boolean;
}

/** An operation may have a limit of its own: where requests remain, its answer says so. */
const hasRequestsLeft = (reading: Reading): boolean => (limitState(reading)?.remaining ?? 0) > 0;

/** How far a window is used up. Times in seconds since its first request. */
interface Use {
  readonly served: number;
  /** X-RateLimit-Remaining at first, and at the last. */
  readonly told: number | null;
  readonly level: number;
  /** By how much X-RateLimit-Remaining fell less than requests were sent. */
  readonly refilled: number;
  readonly elapsed: number;
  readonly roundTrip: number;
  /** The latest answer. */
  readonly reading: Reading;
  readonly falls: boolean;
  /** Each of the latest requests was told what remains. */
  readonly heard: boolean;
  readonly last: ExhaustResult['last'];
  readonly lost: ExhaustResult['lost'];
  readonly afterZero: ExhaustResult['afterZero'];
}

const firstUse = ({ first }: FreshWindow): Use => {
  const told = limitState(first)?.remaining ?? null;
  const roundTrip = first.exchange.durationMs / 1000;
  const progress = { served: 1, told, level: told ?? 0, refilled: 0, elapsed: roundTrip, roundTrip };
  const lost = { withOtherKey: 0, else: 0 };
  return { ...progress, reading: first, falls: false, heard: true, last: null, lost, afterZero: null };
};

const toldBy = ({ served, falls, last, lost, afterZero }: Use) => ({ served, falls, last, lost, afterZero });

/** Requests that were sent at once, and their answers. */
interface Burst {
  readonly sent: number;
  readonly readings: readonly Reading[];
}

const sendBurst = async (context: CaseContext, limitProbe: LimitProbe, sent: number): Promise<Burst> => {
  const answers = await Promise.all(Array.from({ length: sent }, () => answerTo(context, limitProbe)));
  return { sent, readings: answers.filter((answer) => answer !== null) };
};

const useAfter = (
  fresh: FreshWindow,
  use: Use,
  { sent, readings }: Burst,
  elapsed: number,
  isAfterAside: boolean,
): Use => {
  const { told, lost } = use;
  const isServed = ({ status }: Reading): boolean => status === fresh.first.status;
  const served = readings.filter(isServed).length;
  const shown = remainingIn(readings, fresh.first);
  const heard = shown.length === sent;
  const perSecond = fresh.most / fresh.window;
  // What comes all at once is no refill, but another window.
  const refill = heard ? Math.min(...shown) - (use.level - sent) : 0;
  const mayRefill = perSecond * (elapsed - use.elapsed);
  const level = Math.min(...shown, ...(heard ? [] : [use.level - sent]));
  const falls = use.falls || (told !== null && shown.some((count) => count < told));
  const reading = readings.at(-1) ?? use.reading;
  const isDry = fresh.shown && falls && heard && level <= 0;
  const durations = readings.map(({ exchange }) => exchange.durationMs / 1000);
  return {
    served: use.served + served,
    told,
    level,
    refilled: use.refilled + Math.max(0, Math.min(refill, 1 + mayRefill)),
    elapsed,
    roundTrip: durations.length === 0 ? use.roundTrip : Math.min(...durations),
    reading,
    falls,
    heard,
    lost: isAfterAside
      ? { ...lost, withOtherKey: Math.max(0, -refill) }
      : { ...lost, else: lost.else + Math.max(0, -refill) },
    last: fresh.shown && use.falls && use.heard ? { remaining: use.level, served } : null,
    afterZero: isDry ? servedAfterZero(use, readings.filter(isServed), mayRefill) : null,
  };
};

/** Of the first answers that say 0 some were on their way before: the requests that count are those sent from then on. */
const servedAfterZero = (
  { afterZero, reading }: Use,
  served: readonly Reading[],
  mayRefill: number,
): AfterZero => ({
  served: afterZero === null ? 0 : afterZero.served + served.length,
  refilled: (afterZero?.refilled ?? 0) + mayRefill,
  reading: served.at(-1) ?? afterZero?.reading ?? reading,
});

/** What a limiter of any kind may have let through by now, if the window has not been renewed. */
const allowedBy = ({ most, window, idled }: FreshWindow, { elapsed, refilled, heard }: Use): number =>
  most + Math.floor((most * elapsed) / window) + (heard ? Math.min(idled, refilled) : idled);

/** What a burst has shown, by which the window is done with; null: it is not. */
const endOf = (
  { first }: FreshWindow,
  use: Use,
  { sent, readings }: Burst,
  allowed: number,
  untilRefused: boolean,
): Pick<ExhaustResult, 'kind' | 'reading'> | null => {
  const other = readings.find(({ status }) => status !== first.status && status !== 429);
  const refused = readings.find(({ status }) => status === 429);
  const { reading } = use;
  if (readings.length < sent) return { kind: 'silent', reading };
  if (other !== undefined) return { kind: 'other', reading: other };
  if (use.served > allowed) return { kind: 'too many', reading };
  if (refused !== undefined) return { kind: 'refused', reading: refused };
  const isCounted = use.told === null || use.falls;
  if (!untilRefused && !isCounted && use.served > telling) return { kind: 'uncounted', reading };
  return use.elapsed > patience ? { kind: 'refillsFaster', reading } : null;
};

/** What answers say of the window that the first one shows: others may show that of the day, or of the minute. */
const remainingIn = (readings: readonly Reading[], first: Reading): readonly number[] => {
  const limit = limitState(first)?.limit;
  return readings
    .map(limitState)
    .flatMap((state) => (state?.limit === limit && state ? [state.remaining] : []));
};

/** How many requests are worth sending at once: those that remain, or one more than is refilled on their way. */
const nextOf = (fresh: FreshWindow, use: Use): number => {
  const { served, told, level, elapsed, roundTrip } = use;
  const surely = fresh.remaining + 1 - served;
  // Whether the headers show the day's limit is settled once more was served than the minute's would allow.
  const settled = fresh.least === fresh.most || served > fresh.least * (1 + elapsed / 60) + 3;
  const isTrusted = fresh.shown && told !== null && settled;
  const left = isTrusted ? level : surely;
  const refilled = Math.max(0, isTrusted ? use.refilled : -surely);
  const perSecond = elapsed > 0 ? Math.min(refilled / elapsed, fresh.most / fresh.window) : 0;
  return Math.max(left, 1 + Math.floor(perSecond * roundTrip));
};

/** Null: the key gets no answer, while the other one does. */
const answerTo = async (context: CaseContext, limitProbe: LimitProbe): Promise<Reading | null> => {
  try {
    return await sendCounted(context, limitProbe('rate-limit'));
  } catch (error) {
    if (!(error instanceof CaseEnded)) throw error;
    await context.send(limitProbe('main'));
    return null;
  }
};
