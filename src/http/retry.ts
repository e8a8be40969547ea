import type { NotSent } from './client-types.ts';
import type { Exchange } from './exchange.ts';
import type { ConnectionNote } from './pacing-types.ts';

const MAX_RETRIES_AFTER_429 = 4;
/** Waits after a refused connection, about 10 s in total. A process manager restarts a server within that time. */
const RECONNECT_WAITS_MS: readonly number[] = [100, 300, 700, 1_200, 2_000, 3_000, 3_000];

const maxAbsenceMs = RECONNECT_WAITS_MS.reduce((sum, ms) => sum + ms, 0);

/** Retries of a request so far, by reason. */
export interface RetryCounts {
  readonly limited: number;
  readonly refused: number;
  readonly reset: number;
}

export const noRetries: RetryCounts = { limited: 0, refused: 0, reset: 0 };

/** What follows an attempt: a result, a retry, or the end of the request without one. */
export type RetryDecision =
  /** `unreachableReason`: why the target is unreachable, or null. */
  | { readonly kind: 'done'; readonly unreachableReason: NotSent | null }
  | {
      readonly kind: 'retry';
      readonly retries: RetryCounts;
      readonly waitMs: number;
      /** The retry needs a new connection. */
      readonly fresh: boolean;
    }
  | { readonly kind: 'given-up'; readonly reason: NotSent };

export interface RetryContext {
  readonly expects429: boolean;
  /** The connection had served an earlier request. */
  readonly reused: boolean;
  /** The target has responded at least once. */
  readonly hasResponded: boolean;
  readonly isUnreachable: boolean;
  readonly timeoutMs: number;
}

/** A connection attempt that takes as long as the time-out counts as a time-out. */
const isTimeOut = ({ failure, durationMs }: Exchange, timeoutMs: number): boolean =>
  failure?.kind === 'timeout' || (failure?.kind === 'unreachable' && durationMs >= timeoutMs);

/** A connection that ends without a response after this many milliseconds costs a run like a time-out. */
const LONG_SILENCE_MS = 1_000;

/** No response came for long: until the time-out, or until the server closed the connection. */
export const isLongSilence = (exchange: Exchange, timeoutMs: number): boolean =>
  isTimeOut(exchange, timeoutMs) || (exchange.failure !== null && exchange.durationMs >= LONG_SILENCE_MS);

/** Decides whether to retry a request after an exchange. `retries`: the retries so far. */
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
      ? { kind: 'retry', retries: { ...retries, limited }, waitMs: 0, fresh: false }
      : { kind: 'given-up', reason: { code: 'rate-limit', detail: 'repeated', times: limited } };
  }
  if (failure === null) return { kind: 'done', unreachableReason: null };
  if (failure.kind === 'aborted') return { kind: 'given-up', reason: { code: 'interrupted' } };
  if (failure.kind === 'reset' && context.reused && retries.reset === 0)
    return { kind: 'retry', retries: { ...retries, reset: 1 }, waitMs: 0, fresh: true };
  const noConnection = failure.kind === 'refused' || failure.kind === 'unreachable';
  if (!noConnection || (hasResponded && isTimeOut(exchange, context.timeoutMs)))
    return { kind: 'done', unreachableReason: null };
  const waitMs = hasResponded && !isUnreachable ? RECONNECT_WAITS_MS[retries.refused] : undefined;
  if (waitMs !== undefined)
    return { kind: 'retry', retries: { ...retries, refused: retries.refused + 1 }, waitMs, fresh: true };
  const unreachableReason: NotSent = hasResponded
    ? { code: 'target-gone', detail: 'gone' }
    : { code: 'target-gone', detail: 'no-connection', failure: failure.detail };
  return { kind: 'done', unreachableReason };
};

/** Notes that a server refuses connections after it has responded, and later that it accepts them again. */
export const createAbsence = (note: (about: ConnectionNote) => void) => {
  let since: number | null = null;
  return {
    refused: (now: number): void => {
      if (since === null) note({ kind: 'server-away', longestMs: maxAbsenceMs });
      since ??= now;
    },
    responded: (now: number): void => {
      if (since === null) return;
      note({ kind: 'server-back', afterMs: now - since });
      since = null;
    },
  };
};
