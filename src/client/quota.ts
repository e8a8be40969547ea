/** What a count of our own says: go, wait for an answer, or wait until a time. */
export type QuotaAnswer = 'go' | 'answer' | { readonly untilMs: number };

/** When our requests were answered: the ground for counts of our own, where headers do not show a limit. */
export interface SendLog {
  /** @returns the number of the request */
  sent(): number;
  answered(request: number, now: number): void;
  /** May another request go out, if at most `limit` may be served in any `windowMs`? */
  ask(limit: number, windowMs: number, now: number): QuotaAnswer;
}

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
  let dropped = 0;
  return {
    sent: () => {
      if (doneAt.length > 2 * KEPT) {
        dropped += KEPT;
        doneAt = doneAt.slice(KEPT);
      }
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
  };
};
