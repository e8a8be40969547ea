import type { NotSent } from './client-types.ts';
import type { Exchange } from './exchange.ts';

/** How often one request is sent again after an unexpected 429. */
const MAX_RETRIES_AFTER_429 = 4;
/** Waits before a refused connection is tried again, about 10 s in all: a process manager restarts a server within that. */
const RECONNECT_WAITS_MS: readonly number[] = [100, 300, 700, 1_200, 2_000, 3_000, 3_000];

/** How long a server that has responded before may refuse connections, in milliseconds. */
const longestAbsenceMs = RECONNECT_WAITS_MS.reduce((sum, ms) => sum + ms, 0);

/** How often a request was sent again so far, by reason. */
export interface RetryCounts {
  readonly limited: number;
  readonly refused: number;
  readonly reset: number;
}

export const noRetries: RetryCounts = { limited: 0, refused: 0, reset: 0 };

/** What follows an attempt: nothing, a retry, or the end of the request without a result. */
export type RetryDecision =
  /** `unreachableReason`: why nothing can be sent to the target any more; null: it can. */
  | { readonly kind: 'done'; readonly unreachableReason: NotSent | null }
  | {
      readonly kind: 'again';
      readonly retries: RetryCounts;
      readonly waitMs: number;
      /** On a new connection. */
      readonly fresh: boolean;
    }
  | { readonly kind: 'not-decided'; readonly reason: NotSent };

/** What the decision depends on besides the exchange. */
export interface RetryContext {
  readonly expects429: boolean;
  /** Its connection had served before. */
  readonly reused: boolean;
  /** The target has responded at least once. */
  readonly hasResponded: boolean;
  /** Nothing can be sent to the target any more. */
  readonly isUnreachable: boolean;
  readonly timeoutMs: number;
}

/** A connection that takes as long as the time-out counts as one. */
export const isTimeOut = ({ failure, durationMs }: Exchange, timeoutMs: number): boolean =>
  failure?.kind === 'timeout' || (failure?.kind === 'unreachable' && durationMs >= timeoutMs);

/** Decides whether a request is sent again after an exchange. `retries`: how often it was sent again so far. */
export const decideRetry = (
  exchange: Exchange,
  retries: RetryCounts,
  context: RetryContext,
): RetryDecision => {
  const { response, failure } = exchange;
  const { hasResponded, isUnreachable } = context;
  if (response?.status === 429 && !context.expects429) {
    const limited = retries.limited + 1;
    return limited <= MAX_RETRIES_AFTER_429
      ? { kind: 'again', retries: { ...retries, limited }, waitMs: 0, fresh: false }
      : { kind: 'not-decided', reason: { code: 'rate-limit', detail: 'repeated', times: limited } };
  }
  if (failure === null) return { kind: 'done', unreachableReason: null };
  if (failure.kind === 'aborted') return { kind: 'not-decided', reason: { code: 'interrupted' } };
  if (failure.kind === 'reset' && context.reused && retries.reset === 0)
    return { kind: 'again', retries: { ...retries, reset: 1 }, waitMs: 0, fresh: true };
  const noConnection = failure.kind === 'refused' || failure.kind === 'unreachable';
  if (!noConnection || (hasResponded && isTimeOut(exchange, context.timeoutMs)))
    return { kind: 'done', unreachableReason: null };
  const waitMs = hasResponded && !isUnreachable ? RECONNECT_WAITS_MS[retries.refused] : undefined;
  if (waitMs !== undefined)
    return { kind: 'again', retries: { ...retries, refused: retries.refused + 1 }, waitMs, fresh: true };
  const unreachableReason: NotSent = hasResponded
    ? { code: 'target-gone', detail: 'gone' }
    : { code: 'target-gone', detail: 'no-connection', failure: failure.message };
  return { kind: 'done', unreachableReason };
};

/** Reports, once each time, that a server that has responded before refuses connections, and that it accepts them again. */
export const createAbsence = (note: (text: string) => void) => {
  let since: number | null = null;
  return {
    refused: (now: number): void => {
      if (since === null)
        note(
          `The server refuses connections: trying again for up to ${Math.round(longestAbsenceMs / 1000)} s`,
        );
      since ??= now;
    },
    responded: (now: number): void => {
      if (since === null) return;
      note(`The server accepts connections again after ${((now - since) / 1000).toFixed(1)} s`);
      since = null;
    },
  };
};
