/** Rate limits: figures of the plans, and state shown by responses. */

export { otherLimit } from '../finding/reason.ts';
export { planFigures } from '../openapi/plans.ts';
export { isDailyLimit, rateLimitHeaders, retryWait } from '../rate-limit/headers.ts';
export {
  type LimitState,
  limitState,
  longerThanMinute,
  refillAfter,
  windowMayHaveReset,
} from '../rate-limit/limit-state.ts';
export type { CounterTrend } from '../rate-limit/monitors/counter.ts';
