/** What an own count says: send, wait for a response, or wait until a time. */
export type OwnLimitDecision = 'go' | 'response' | { readonly untilMs: number };

/** When requests were sent and answered: the basis of own counts, for limits that headers do not show. */
export interface SlidingLog {
  /** Returns the number of the request. */
  sent(now: number): number;
  answered(request: number, now: number): void;
  /** Whether another request may be sent if any `windowMs` may serve at most `limit`. */
  ask(limit: number, windowMs: number, now: number): OwnLimitDecision;
  /** The same for a window of unknown kind and beginning: evenly, because some limiters assume it. */
  askEvenly(limit: number, windowMs: number, now: number): OwnLimitDecision;
}

/** How much of a limit is used steadily, and in one burst. Together they stay below it in any part of two windows. */
const STEADY_SHARE = 0.94;
const BURST_SHARE = 0.05;

/** How long so many requests take if they are sent evenly, in milliseconds. */
export const evenlyMs = (requests: number, limit: number, windowMs: number): number =>
  (requests * windowMs) / (limit * STEADY_SHARE);

/** More than the largest limit of any plan. */
const KEPT = 131_072;
/** For clocks that do not run alike. */
const MARGIN_MS = 50;

/**
 * Two requests are served at least a window apart if the later is sent a window after the earlier was answered, however long each was in
 * flight. So no window of the server, wherever it begins, serves more than the limit.
 */
export const createSlidingLog = (): SlidingLog => {
  let answeredAt: number[] = [];
  let sentAt: number[] = [];
  let dropped = 0;
  return {
    sent: (now) => {
      if (answeredAt.length > 2 * KEPT) {
        dropped += KEPT;
        answeredAt = answeredAt.slice(KEPT);
        sentAt = sentAt.slice(KEPT);
      }
      sentAt.push(now);
      return dropped + answeredAt.push(Number.POSITIVE_INFINITY) - 1;
    },
    answered: (request, now) => {
      if (request >= dropped) answeredAt[request - dropped] = now;
    },
    ask: (limit, windowMs, now) => {
      const earlier = answeredAt[answeredAt.length - limit];
      if (earlier === undefined) return 'go';
      if (earlier === Number.POSITIVE_INFINITY) return 'response';
      const untilMs = earlier + windowMs + MARGIN_MS;
      return now >= untilMs ? 'go' : { untilMs };
    },
    askEvenly: (limit, windowMs, now) => {
      const atOnce = Math.max(1, Math.floor(limit * BURST_SHARE));
      const earlier = sentAt[sentAt.length - atOnce];
      const untilMs = earlier === undefined ? now : Math.ceil(earlier + evenlyMs(atOnce, limit, windowMs));
      return now >= untilMs ? 'go' : { untilMs };
    },
  };
};
