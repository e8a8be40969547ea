import type { NotSent } from './client-types.ts';
import type { Exchange } from './exchange.ts';

/** How often one request is sent again after a 429 that nobody asked for. */
const REPEATS_AFTER_429 = 4;
/** Waits before a refused connection is tried again, about 10 s in all: a process manager restarts a server within that. */
const RECONNECT_WAITS_MS: readonly number[] = [100, 300, 700, 1_200, 2_000, 3_000, 3_000];

/** How long a server that has responded before may refuse connections, in milliseconds. */
export const longestAbsenceMs = RECONNECT_WAITS_MS.reduce((sum, ms) => sum + ms, 0);

/** How often a request has been sent again so far, and why. */
export interface RetryCounts {
  readonly limited: number;
  readonly refused: number;
  readonly reset: number;
}

export const noRetries: RetryCounts = { limited: 0, refused: 0, reset: 0 };

/** What is to be done about an attempt: nothing more, send again, or give up with a reason. */
export type Next =
  /** `dead`: why nothing can be sent to the target any more; null: it can. */
  | { readonly kind: 'done'; readonly dead: NotSent | null }
  | {
      readonly kind: 'again';
      readonly repeats: RetryCounts;
      readonly waitMs: number;
      /** On a new connection. */
      readonly fresh: boolean;
    }
  | { readonly kind: 'undecided'; readonly reason: NotSent };

/** What bears on an attempt beside what came of it. */
export interface RunPermissions {
  /** A 429 was wanted. */
  readonly expects429: boolean;
  /** Its connection had served before. */
  readonly reused: boolean;
  /** The target has answered at least once. */
  readonly hasResponded: boolean;
  /** Nothing can be sent to it any more. */
  readonly isDead: boolean;
  readonly timeoutMs: number;
}

/** A connection that takes as long as the time-out hangs as well as an answer that does. */
export const isTimeOut = ({ failure, durationMs }: Exchange, timeoutMs: number): boolean =>
  failure?.kind === 'timeout' || (failure?.kind === 'unreachable' && durationMs >= timeoutMs);

/** What is to be done after an attempt at a request that was sent again so often. */
export const decideRetry = (exchange: Exchange, repeats: RetryCounts, about: RunPermissions): Next => {
  const { response, failure } = exchange;
  const { hasResponded, isDead } = about;
  if (response?.status === 429 && !about.expects429) {
    const limited = repeats.limited + 1;
    return limited <= REPEATS_AFTER_429
      ? { kind: 'again', repeats: { ...repeats, limited }, waitMs: 0, fresh: false }
      : { kind: 'undecided', reason: { code: 'rate-limit', detail: 'repeated', times: limited } };
  }
  if (failure === null) return { kind: 'done', dead: null };
  if (failure.kind === 'aborted') return { kind: 'undecided', reason: { code: 'interrupted' } };
  if (failure.kind === 'reset' && about.reused && repeats.reset === 0)
    return { kind: 'again', repeats: { ...repeats, reset: 1 }, waitMs: 0, fresh: true };
  const noConnection = failure.kind === 'refused' || failure.kind === 'unreachable';
  if (!noConnection || (hasResponded && isTimeOut(exchange, about.timeoutMs)))
    return { kind: 'done', dead: null };
  const waitMs = hasResponded && !isDead ? RECONNECT_WAITS_MS[repeats.refused] : undefined;
  if (waitMs !== undefined)
    return { kind: 'again', repeats: { ...repeats, refused: repeats.refused + 1 }, waitMs, fresh: true };
  const dead: NotSent = hasResponded
    ? { code: 'target-gone', detail: 'gone' }
    : { code: 'target-gone', detail: 'no-connection', failure: failure.message };
  return { kind: 'done', dead };
};
