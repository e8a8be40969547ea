import type { RespondedExchange } from '../http/exchange.ts';
import { memoized } from '../util/memoize.ts';
import { readDraftLimit } from './draft-headers.ts';
import { type RateLimit, rateLimitOf, readCounts, readReset } from './headers.ts';

/** A Date has whole seconds. */
const dateRoundingMs = 999;

/** A wait that never ends a run. A later reset may be in another unit, so that only a 429 shows that the limit is used up until then. */
const longestUnconfirmedMs = 70_000;

const ofDrafts = memoized((exchange: RespondedExchange): RateLimit | null => {
  const { response, startedAt, durationMs } = exchange;
  const draft = readDraftLimit(response.headers);
  if (draft === null) return null;
  const documented = rateLimitOf({ exchange });
  const { date } = documented;
  const serverNow = date === null ? startedAt + durationMs : date + dateRoundingMs;
  const counts = readCounts(draft.limit === null ? null : `${draft.limit}`, `${draft.remaining}`);
  const resetAt = draft.reset === null ? null : readReset(`${draft.reset}`, serverNow);
  const isConfirmed = counts.remaining !== 0 || response.status === 429;
  const isNear = resetAt !== null && resetAt <= serverNow + longestUnconfirmedMs;
  return { ...documented, ...counts, resetAt: isConfirmed || isNear ? resetAt : null, isUndocumented: true };
});

/** Returns the rate limit of a response for pacing. Without `X-RateLimit-Remaining`, it is from the headers of the IETF drafts. */
export const pacedLimitOf = (exchange: RespondedExchange): RateLimit => {
  const documented = rateLimitOf({ exchange });
  return documented.sent.remaining.text !== null ? documented : (ofDrafts(exchange) ?? documented);
};
