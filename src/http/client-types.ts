import type { Clock } from '../time/clock.ts';
import type { Answered, ApiRequest, Exchange, KeySlot, Transport, Unanswered } from './exchange.ts';
import type { Estimate, KeyEnd, PaceSlot, Pacing } from './pacing.ts';

export interface ClientOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly keys: Readonly<Record<KeySlot, string | null>>;
  readonly transport: Transport;
  readonly clock: Clock;
  /** Stands in the User-Agent. */
  readonly version: string;
  /** Milliseconds for one whole response. */
  readonly timeoutMs: number;
  /** Bytes of a response body that are read; 1 MiB unless given, and more if the run created long animals. */
  readonly maxBodyBytes?: number;
  /** Requests under way at once, at most, whatever their key. */
  readonly concurrency: number;
  /** Requests on the wire in all, retries included; null: unlimited. */
  readonly budget: number | null;
  /** Keeps to the rate limits. */
  readonly pacing: Pacing;
  readonly signal?: AbortSignal;
  /** Requests of a key wait: why, and until when by the clock (ms since the epoch). */
  readonly onWait?: (slot: PaceSlot, reason: string, untilMs: number) => void;
  /** A message that is shown once. */
  readonly onNote?: (text: string) => void;
}

export interface SendOptions {
  /** After one time-out in a group nothing more of that group is sent. */
  readonly timeoutGroup?: string;
  /** A 429 may come: no pacing but the wait of an earlier 429, no retry. */
  readonly expects429?: boolean;
  /** It is sent during the wait of a 429. */
  readonly duringBackoff?: boolean;
  /** Only requests with this id share the connection. */
  readonly connectionId?: string;
  /** Safe to send twice. Default: GET, HEAD, and requests without a valid key are. */
  readonly repeatable?: boolean;
  /** Sees each exchange as soon as it is complete, before the request is sent again. */
  readonly observe?: (exchange: Exchange) => void;
}

/** What kept a request from being sent, or from getting a response that decides anything. */
export type NotSent =
  | { readonly code: 'budget'; readonly budget: number }
  | ({ readonly code: 'rate-limit' } & KeyEnd)
  | { readonly code: 'rate-limit'; readonly detail: 'others'; readonly key: KeySlot }
  | { readonly code: 'rate-limit'; readonly detail: 'repeated'; readonly times: number }
  | { readonly code: 'timeouts'; readonly detail: 'run' | 'kind' }
  | { readonly code: 'timeouts'; readonly detail: 'operation'; readonly operation: string }
  | { readonly code: 'target-gone'; readonly detail: 'gone' }
  | { readonly code: 'target-gone'; readonly detail: 'no-connection'; readonly failure: string }
  | { readonly code: 'interrupted' }
  | { readonly code: 'no-key'; readonly detail: 'slot'; readonly key: KeySlot };

export type NotSentCode = NotSent['code'];

/**
 * What came of a request, with all its exchanges in order. The last one decides, unless it is `not-sent`: then nothing went out, or only
 * attempts that decide nothing (429 again and again). An earlier attempt without a response is no evidence, because an idle connection
 * may be closed, and a server may restart; an earlier 429 is evidence of the rate limit only.
 */
export type SendResult = { readonly exchanges: readonly Exchange[] } & (
  | { readonly kind: 'responded'; readonly exchange: Answered }
  | { readonly kind: 'no-response'; readonly exchange: Unanswered }
  | { readonly kind: 'not-sent'; readonly reason: NotSent }
);

export interface ClientState {
  /** A response has come at least once. */
  readonly hasResponded: boolean;
  /** Why no connection can be made any more; null: it can. */
  readonly unreachableReason: NotSent | null;
  /** Why sending stopped because of time-outs; null: it did not. */
  readonly timeoutReason: NotSent | null;
  /** Why a key is no longer used; null: it is. */
  readonly ended: Readonly<Record<PaceSlot, KeyEnd | null>>;
  /** Requests on the wire so far, how many of them are done, and how many carry no valid key. */
  readonly sent: number;
  readonly done: number;
  readonly unauthenticated: number;
}

export interface ClientTraffic {
  readonly requests: number;
  readonly byOperation: Readonly<Record<string, number>>;
  /** Responses by status. */
  readonly byStatus: Readonly<Record<string, number>>;
  /** Attempts without a response, by the kind of their failure. */
  readonly unanswered: Readonly<Record<string, number>>;
  readonly rateLimited: number;
  readonly rateLimitedUnasked: number;
  /** Milliseconds by operation, of requests with a response; within 3 % except for the exact `max`. */
  readonly latency: Readonly<Record<string, { p50: number; p90: number; p99: number; max: number }>>;
}

export interface Client {
  /** Sends one request as soon as the queue allows it. Never rejects for what the target does. */
  send(request: ApiRequest, options?: SendOptions): Promise<SendResult>;
  state(): ClientState;
  traffic(): ClientTraffic;
  estimate(requests: number, slot?: PaceSlot): Estimate;
  /** Others use the key too: the user said so, or the responses show it. */
  isShared(slot: KeySlot): boolean;
  /** Ends all pending requests. The transport stays open. */
  end(): void;
}
