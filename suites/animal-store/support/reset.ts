import type { ApiResponse, CheckContext, Reason } from '../../../src/check/index.ts';
import { type LimitState, limitState, longerThanMinute, retryWait } from '../../../src/check/rate-limits.ts';
import { type LimitProbe, limitProbes, mostToUseUp, noRequestCounts, sendCounted } from './limit.ts';

/** After this many requests, an unchanged Remaining does not count them. */
const enoughToTell = 6;
/** Seconds after which the check stops if Remaining does not reach 0. */
const maxSeconds = 95;

/** The result: Remaining is 0, such requests do not count, or why Remaining cannot be brought to 0. */
type Spent =
  | { readonly kind: 'used up'; readonly response: ApiResponse; readonly untilReset: number }
  | { readonly kind: 'uncounted' }
  | { readonly kind: 'unclear'; readonly reason: Reason };

const unclear = (reason: Reason): Spent => ({ kind: 'unclear', reason });

/** Why Reset of a limit cannot be awaited; null if it can. */
const obstacleOf = (state: LimitState | null): Reason | null => {
  if (state === null) return { code: 'unknown-rate-limit', detail: 'headers' };
  if (state.untilReset === null) return { code: 'unknown-rate-limit', detail: 'date' };
  if (state.untilReset > longerThanMinute) return { code: 'max-wait', detail: 'long-window' };
  if (state.limit <= mostToUseUp) return null;
  return { code: 'limit-too-high', most: mostToUseUp, limit: null };
};

const remainingOf = (response: ApiResponse): number =>
  limitState(response)?.remaining ?? Number.POSITIVE_INFINITY;

/** The response with the lowest Remaining. */
const lowest = (responses: readonly [ApiResponse, ...ApiResponse[]]): ApiResponse =>
  responses.reduce((a, b) => (remainingOf(b) < remainingOf(a) ? b : a));

/** Sends half of the remaining requests at once, so that none is rejected. */
const burst = async (context: CheckContext, limitProbe: LimitProbe, latest: ApiResponse) => {
  const half = Math.floor(remainingOf(latest) / 2);
  const size = Math.max(1, Math.min(context.run.concurrency, half));
  return Promise.all(Array.from({ length: size }, () => sendCounted(context, limitProbe('rate-limit'))));
};

/** Sends requests of one kind until Remaining is 0. */
const spendAll = async (context: CheckContext, limitProbe: LimitProbe): Promise<Spent> => {
  const first = await sendCounted(context, limitProbe('rate-limit'));
  const obstacle = obstacleOf(limitState(first));
  if (obstacle !== null) return unclear(obstacle);
  if ([401, 403].includes(first.status))
    return unclear({ code: 'rate-limit', detail: 'status', status: first.status });
  const atMost = 2 * (limitState(first)?.limit ?? 0) + enoughToTell;
  const until = context.now() + maxSeconds * 1000;
  let response = first;
  for (let sent = 1; sent <= atMost && context.now() < until; ) {
    const untilReset = limitState(response)?.untilReset ?? 0;
    if (remainingOf(response) === 0) return { kind: 'used up', response, untilReset };
    if (response.status === 429) return unclear({ code: 'limit-not-reached', detail: 'early-429' });
    if (sent > enoughToTell && remainingOf(response) >= remainingOf(first)) return { kind: 'uncounted' };
    const responses = await burst(context, limitProbe, response);
    sent += responses.length;
    const [latest = response, ...others] = responses;
    response = responses.find(({ status }) => status === 429) ?? lowest([latest, ...others]);
  }
  return unclear({ code: 'limit-not-reached', detail: 'remaining-above-0' });
};

const longer = (context: CheckContext, seconds: number): boolean => seconds * 1000 > context.run.maxWaitMs;

/**
 * RATE-13: brings Remaining to 0 and waits for Reset, so that the run can judge the next request. No request goes over the limit: a
 * correct `Retry-After` would hide a wrong Reset.
 */
export const awaitReset = async (context: CheckContext): Promise<void> => {
  for (const limitProbe of limitProbes(context)) {
    const spent = await spendAll(context, limitProbe);
    if (spent.kind === 'uncounted') continue;
    if (spent.kind === 'unclear') return context.inconclusive(spent.reason, 'RATE-13');
    const retry = spent.response.status === 429 ? retryWait(spent.response)?.seconds : 0;
    const wait = Math.max(0, spent.untilReset, retry ?? 0);
    if (longer(context, wait))
      return context.inconclusive({ code: 'max-wait', detail: 'reset', seconds: Math.ceil(wait) }, 'RATE-13');
    return context.sleep((wait + 1) * 1000);
  }
  context.inconclusive(noRequestCounts, 'RATE-13');
};
