import type { ApiResponse, CheckContext } from '../../../src/check/index.ts';
import { isDailyLimit, limitState, longerThanMinute, retryWait } from '../../../src/check/rate-limits.ts';
import type { ExhaustResult } from './exhaust-limit.ts';
import { listProbe, sendCounted, waitForReset } from './limit.ts';
import type { FreshWindow } from './window.ts';

/** How many requests the other key must have left. */
const enough = 3;

/**
 * Sends a request with the other key while it has requests left; waits for its next window once if necessary. Null if the key gets no
 * success or has none left.
 */
export const secondKeyReady = async (context: CheckContext): Promise<ApiResponse | null> => {
  const response = await context.send(listProbe('main'));
  if (response.status !== 200) return null;
  const state = limitState(response);
  if (state === null || state.remaining >= enough) return response;
  if (state.untilReset === null || state.untilReset > longerThanMinute) return null;
  await context.sleep((Math.max(0, state.untilReset) + 1.1) * 1000);
  const later = await context.send(listProbe('main'));
  const isServed = later.status === 200 && (limitState(later)?.remaining ?? enough) >= enough;
  return isServed ? later : null;
};

/** When a 429 allows the next request, by the run's clock. */
const waitEndsAt = (context: CheckContext, refused: ApiResponse): number =>
  context.now() + (retryWait(refused)?.seconds ?? 0) * 1000;

/** RATE-9: while one key is exhausted, a request with another succeeds, if necessary after the wait of its own 429. */
export const checkOtherKeyServed = async (
  context: CheckContext,
  before: ApiResponse | null,
  { response: refused, served }: ExhaustResult,
  { remaining }: FreshWindow,
): Promise<void> => {
  if (before === null) return context.inconclusive({ code: 'rate-limit', detail: 'second-key' }, 'RATE-9');
  const exhaustedUntil = waitEndsAt(context, refused);
  let response = await sendCounted(context, listProbe('main'));
  if (response.status === 429 && isDailyLimit(response) && !isDailyLimit(refused))
    return context.inconclusive({ code: 'other-limit', detail: 'day-of-second-key' }, 'RATE-9');
  const wait = retryWait(response);
  if (response.status === 429 && wait !== null && waitEndsAt(context, response) + 2_000 < exhaustedUntil) {
    await waitForReset(context, response);
    response = await sendCounted(context, listProbe('main'));
  }
  if (response.status === 200) return context.passed('RATE-9');
  if (served <= remaining)
    return context.inconclusive({ code: 'limit-not-reached', detail: 'early-429-of-key' }, 'RATE-9');
  context.breach({
    requirement: 'RATE-9',
    problem: {
      rule: 'limit-shared',
      left: limitState(before)?.remaining ?? null,
      wrongStatus: response.status,
    },
    response,
  });
};

/** How many requests are sent with the other key while the window of this one is used up: it surely has as many left. */
const otherKeyCount = 2;

export const sendWithOther = (context: CheckContext): Promise<unknown> =>
  Promise.all(Array.from({ length: otherKeyCount }, () => context.send(listProbe('main'))));

/** RATE-9: requests with the other key do not lower Remaining of this one. */
export const checkIndependence = (context: CheckContext, { response, lost }: ExhaustResult): boolean => {
  const isShared = lost.withOtherKey === otherKeyCount && lost.else === 0;
  if (isShared)
    context.breach({
      requirement: 'RATE-9',
      problem: { rule: 'limit-shared', requests: otherKeyCount },
      response,
    });
  return isShared;
};
