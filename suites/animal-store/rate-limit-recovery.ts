import type { ApiResponse, CheckContext } from '../../src/check/index.ts';
import { isDailyLimit, limitState, otherLimit } from '../../src/check/rate-limits.ts';
import { failRejectedAgain, type LimitProbe, sendCounted, waitForReset } from './support/limit.ts';

/** A permanently locked key may get another status. */
const isRefused = ({ status }: ApiResponse): boolean => [401, 403, 429].includes(status);

/** Time without requests after which the per-minute limit cannot explain a 429. */
const minuteMs = 61_000;

/** The request after the wait of a 429. If a hidden per-minute limit may explain another 429, the request after a minute. */
const afterWait = async (context: CheckContext, limitProbe: LimitProbe, refused: ApiResponse) => {
  await waitForReset(context, refused);
  const response = await sendCounted(context, limitProbe('rate-limit'));
  const isUnclear = response.status === 429 && context.run.mayBeOtherLimit(refused, response);
  if (!isUnclear || isDailyLimit(response)) return response;
  await context.sleep(minuteMs);
  return sendCounted(context, limitProbe('rate-limit'));
};

/** RATE-8: a request after Retry-After succeeds. */
export const checkRecovery = async (
  context: CheckContext,
  limitProbe: LimitProbe,
  refused: ApiResponse,
): Promise<ApiResponse | null> => {
  const response = await afterWait(context, limitProbe, refused);
  if (!isRefused(response)) {
    context.passed('RATE-8');
    return response;
  }
  if (isDailyLimit(response) || context.run.mayBeOtherLimit(refused, response))
    context.inconclusive(otherLimit, 'RATE-8');
  else failRejectedAgain(context, refused, response);
  return null;
};

/** Seconds of tolerance for clocks of several instances, and for windows that are used up slowly. */
const early = 5;
/** With smaller limits, the smallest refill of a bucket is almost the whole limit. */
const fewest = 10;

/** RATE-2: a limit that is full again was reset, and not before the announced time. */
export const checkReset = (context: CheckContext, refused: ApiResponse, recovered: ApiResponse): void => {
  const [announced, now] = [limitState(refused), limitState(recovered)];
  if (announced === null || now === null || now.untilReset === null || announced.limit !== now.limit) return;
  const ahead = announced.reset - (now.reset - now.untilReset);
  const isWhole = now.limit >= fewest && announced.remaining === 0 && now.remaining >= now.limit - 2;
  if (!isWhole || ahead <= early) return;
  context.breach({
    requirement: 'RATE-2',
    problem: {
      rule: 'reset-too-early',
      seconds: Math.floor(ahead),
      reset: announced.reset,
      remaining: now.remaining,
      limit: now.limit,
    },
    response: refused,
  });
};
