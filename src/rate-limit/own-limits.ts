/** The decision of an own count: send, wait for a response, or wait until a time. */
type OwnLimitDecision = 'go' | 'response' | { readonly untilMs: number };

/** Shares of a limit for steady requests and for one burst. Together they stay below the limit in any part of two windows. */
const STEADY_SHARE = 0.94;
const BURST_SHARE = 0.05;

/** Returns how long requests take if they are sent evenly, in milliseconds. */
export const evenlyMs = (requests: number, limit: number, windowMs: number): number =>
  (requests * windowMs) / (limit * STEADY_SHARE);

/** More than the largest limit of any plan. */
const KEPT = 131_072;
/** Allows for clocks that run at different speeds. */
const MARGIN_MS = 50;

/**
 * Logs the times of requests and responses, to count requests for limits that headers do not show. If a request is sent one window after the response to an earlier one, the server served them at least one window apart. So no window of
 * the server, at any start, serves more than the limit.
 */
export const createSlidingLog = () => {
  let respondedAt: number[] = [];
  let sentAt: number[] = [];
  let dropped = 0;
  return {
    /** Returns the number of the request. */
    sent: (now: number): number => {
      if (respondedAt.length > 2 * KEPT) {
        dropped += KEPT;
        respondedAt = respondedAt.slice(KEPT);
        sentAt = sentAt.slice(KEPT);
      }
      sentAt.push(now);
      return dropped + respondedAt.push(Number.POSITIVE_INFINITY) - 1;
    },
    responded: (request: number, now: number): void => {
      if (request >= dropped) respondedAt[request - dropped] = now;
    },
    /** Decides whether a request may be sent if any `windowMs` may serve at most `limit`. */
    ask: (limit: number, windowMs: number, now: number): OwnLimitDecision => {
      const earlier = respondedAt[respondedAt.length - limit];
      if (earlier === undefined) return 'go';
      if (earlier === Number.POSITIVE_INFINITY) return 'response';
      const untilMs = earlier + windowMs + MARGIN_MS;
      return now >= untilMs ? 'go' : { untilMs };
    },
    /** The same for a window of unknown kind and start. Requests are sent evenly, because some limiters require it. */
    askEvenly: (limit: number, windowMs: number, now: number): OwnLimitDecision => {
      const atOnce = Math.max(1, Math.floor(limit * BURST_SHARE));
      const earlier = sentAt[sentAt.length - atOnce];
      const untilMs = earlier === undefined ? now : Math.ceil(earlier + evenlyMs(atOnce, limit, windowMs));
      return now >= untilMs ? 'go' : { untilMs };
    },
  };
};
