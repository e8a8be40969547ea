import type { Reading } from '../../src/oracle/reading.ts';
import { retryWait } from '../../src/oracle/retry-wait.ts';
import type { CaseContext } from '../../src/run/check.ts';
import { beyondAMinute, type LimitState, limitState } from '../../src/run/limit-state.ts';
import { type LimitProbe, limitProbes, sendCounted, unknownWhichCount } from './limit.ts';
import { mostToUseUp } from './window.ts';

/** Requests after which a Remaining that is no lower does not count them. */
const telling = 6;
/** Seconds after which a limit that does not reach 0 is given up. */
const patience = 95;

/** What it came to: Remaining is 0, such requests are not counted, or why Remaining cannot be brought to 0. */
type Spent =
  | { readonly kind: 'used up'; readonly reading: Reading; readonly untilReset: number }
  | { readonly kind: 'uncounted' }
  | { readonly kind: 'unclear'; readonly reason: string };

const unclear = (reason: string): Spent => ({ kind: 'unclear', reason });

/** Why a limit cannot be brought to its Reset; null: it can. */
const obstacleOf = (state: LimitState | null): string | null => {
  if (state === null) return 'the rate limit headers cannot be read';
  if (state.untilReset === null) return 'without a Date, the time until X-RateLimit-Reset is not known';
  if (state.untilReset > beyondAMinute) return 'the headers show a limit that resets in more than a minute';
  return state.limit > mostToUseUp ? `a limit above ${mostToUseUp} requests is not used up` : null;
};

const remainingOf = (reading: Reading): number => limitState(reading)?.remaining ?? Number.POSITIVE_INFINITY;

/** The response that shows the least. */
const lowest = (readings: readonly [Reading, ...Reading[]]): Reading =>
  readings.reduce((a, b) => (remainingOf(b) < remainingOf(a) ? b : a));

/** Sends as many requests at once as half of what remains, so that none is refused. */
const burst = async (
  context: CaseContext,
  limitProbe: LimitProbe,
  latest: Reading,
): Promise<readonly Reading[]> => {
  const half = Math.floor(remainingOf(latest) / 2);
  const size = Math.max(1, Math.min(context.fixtures.concurrency, half));
  return Promise.all(Array.from({ length: size }, () => sendCounted(context, limitProbe('rate-limit'))));
};

/** Sends requests of one kind until Remaining is 0. */
const spendAll = async (context: CaseContext, limitProbe: LimitProbe): Promise<Spent> => {
  const first = await sendCounted(context, limitProbe('rate-limit'));
  const obstacle = obstacleOf(limitState(first));
  if (obstacle !== null) return unclear(obstacle);
  if ([401, 403].includes(first.status)) return unclear(`the rate limit key is refused with ${first.status}`);
  const atMost = 2 * (limitState(first)?.limit ?? 0) + telling;
  const until = context.clock.now() + patience * 1000;
  let reading = first;
  for (let sent = 1; sent <= atMost && context.clock.now() < until; ) {
    const untilReset = limitState(reading)?.untilReset ?? 0;
    if (remainingOf(reading) === 0) return { kind: 'used up', reading, untilReset };
    if (reading.status === 429) return unclear('a request got 429 while requests remained');
    if (sent > telling && remainingOf(reading) >= remainingOf(first)) return { kind: 'uncounted' };
    const readings = await burst(context, limitProbe, reading);
    sent += readings.length;
    const [latest = reading, ...others] = readings;
    reading = readings.find(({ status }) => status === 429) ?? lowest([latest, ...others]);
  }
  return unclear('Remaining does not reach 0: the limit refills as fast as requests are sent');
};

const longer = (context: CaseContext, seconds: number): boolean =>
  seconds * 1000 > context.fixtures.maxWaitMs;

/**
 * RATE-13: brings Remaining to 0 and waits for Reset, so that the run can judge the next request. No request goes over the limit: a
 * correct `Retry-After` would hide a wrong Reset.
 */
export const awaitReset = async (context: CaseContext): Promise<void> => {
  for (const limitProbe of limitProbes(context)) {
    const spent = await spendAll(context, limitProbe);
    if (spent.kind === 'uncounted') continue;
    if (spent.kind === 'unclear') return context.undecided('RATE-13', spent.reason);
    const retry = spent.reading.status === 429 ? retryWait(spent.reading)?.seconds : 0;
    const wait = Math.max(0, spent.untilReset, retry ?? 0);
    if (longer(context, wait))
      return context.undecided('RATE-13', `the limit resets in ${Math.ceil(wait)} s, longer than --max-wait`);
    return context.clock.sleep((wait + 1) * 1000);
  }
  context.undecided('RATE-13', unknownWhichCount);
};
