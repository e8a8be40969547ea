/** What a count of our own says: go, wait for an answer, or wait until a time. */
export type QuotaAnswer = 'go' | 'answer' | { readonly untilMs: number };

/** When our requests were answered: the ground for counts of our own, where headers do not show a limit. */
export interface SendLog {
  /** @returns the number of the request */
  sent(now: number): number;
  answered(request: number, now: number): void;
  /** May another request go out, if at most `limit` may be served in any `windowMs`? */
  ask(limit: number, windowMs: number, now: number): QuotaAnswer;
  /** The same for a window of which neither the kind nor the beginning is known: evenly, for some limiters take for granted that it is so. */
  askEvenly(limit: number, windowMs: number, now: number): QuotaAnswer;
}

/** How much of a limit is used evenly, and in one go. Together they stay below it, whatever part of two windows is looked at. */
const EVENLY = 0.94;
const AT_ONCE = 0.05;

/** Milliseconds that so many requests take if they are sent evenly. */
export const evenlyMs = (requests: number, limit: number, windowMs: number): number =>
  (requests * windowMs) / (limit * EVENLY);

/** More than the largest limit of any plan. */
const KEPT = 131_072;
/** For clocks that do not run alike. */
const MARGIN_MS = 50;

/**
 * Two requests are served at least a window apart if the later is sent a window after the earlier was answered, however long
 * either was on its way. So no window of the server, wherever it begins, sees more than the limit.
 */
export const createSendLog = (): SendLog => {
  let doneAt: number[] = [];
  let sentAt: number[] = [];
  let dropped = 0;
  return {
    sent: (now) => {
      if (doneAt.length > 2 * KEPT) {
        dropped += KEPT;
        doneAt = doneAt.slice(KEPT);
        sentAt = sentAt.slice(KEPT);
      }
      sentAt.push(now);
      return dropped + doneAt.push(Number.POSITIVE_INFINITY) - 1;
    },
    answered: (request, now) => {
      if (request >= dropped) doneAt[request - dropped] = now;
    },
    ask: (limit, windowMs, now) => {
      const earlier = doneAt[doneAt.length - limit];
      if (earlier === undefined) return 'go';
      if (earlier === Number.POSITIVE_INFINITY) return 'answer';
      const untilMs = earlier + windowMs + MARGIN_MS;
      return now >= untilMs ? 'go' : { untilMs };
    },
    askEvenly: (limit, windowMs, now) => {
      const atOnce = Math.max(1, Math.floor(limit * AT_ONCE));
      const earlier = sentAt[sentAt.length - atOnce];
      const untilMs = earlier === undefined ? now : Math.ceil(earlier + evenlyMs(atOnce, limit, windowMs));
      return now >= untilMs ? 'go' : { untilMs };
    },
  };
};
