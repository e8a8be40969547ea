import type { RespondedExchange } from '../http/exchange.ts';
import { memoized } from '../util/memoize.ts';
import { readDraftLimit } from './draft-headers.ts';
import { type RateLimit, rateLimitOf, readCounts, readReset } from './headers.ts';

/** A Date has whole seconds. */
const dateRoundingMs = 999;

const ofDrafts = memoized((exchange: RespondedExchange): RateLimit | null => {
  const { response, startedAt, durationMs } = exchange;
  const draft = readDraftLimit(response.headers);
  if (draft === null) return null;
  const documented = rateLimitOf({ exchange });
  const { date } = documented;
  const serverNow = date === null ? startedAt + durationMs : date + dateRoundingMs;
  return {
    ...documented,
    ...readCounts(draft.limit === null ? null : `${draft.limit}`, `${draft.remaining}`),
    resetAt: draft.reset === null ? null : readReset(`${draft.reset}`, serverNow),
    isUndocumented: true,
  };
});

/** Returns the rate limit of a response for pacing: without `X-RateLimit-Remaining`, that of the drafts of the IETF. */
export const pacedLimitOf = (exchange: RespondedExchange): RateLimit => {
  const documented = rateLimitOf({ exchange });
  return documented.sent.remaining.text !== null ? documented : (ofDrafts(exchange) ?? documented);
};
