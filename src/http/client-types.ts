import type { Clock } from '../time/clock.ts';
import type {
  ApiRequest,
  Exchange,
  FailedExchange,
  FailureDetail,
  Header,
  KeySlot,
  RespondedExchange,
  Transport,
} from './exchange.ts';
import type {
  ConnectionNote,
  Estimate,
  KeyEnd,
  PacedRequest,
  PaceSlot,
  Pacing,
  RequestEnded,
  WaitReason,
} from './pacing-types.ts';

export interface ClientOptions {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly keys: Readonly<Record<KeySlot, string | null>>;
  /** Sent with each request whose credential does not leave them out; absent: none. */
  readonly headers?: readonly Header[];
  readonly transport: Transport;
  readonly clock: Clock;
  /** Sent in the User-Agent header. */
  readonly version: string;
  /** Time limit for a complete response. */
  readonly timeoutMs: number;
  /** Bytes read of a response body. Default: 1 MiB, and more if the run created long animals. */
  readonly maxBodyBytes?: number;
  /** Limit of requests in flight, with any key. */
  readonly concurrency: number;
  /** Limit of requests on the wire, retries included; null: unlimited. */
  readonly budget: number | null;
  readonly pacing: Pacing;
  /** Permits the requests; absent: `createRequestQueue`. */
  readonly createQueue?: (options: QueueOptions) => RequestQueue;
  /** Whether requests are sent one at a time, by the time-outs of all workers; absent: by those of this client. */
  readonly sendsAlone?: () => boolean;
  readonly signal?: AbortSignal;
  /** Called when requests of a key wait. `untilMs`: milliseconds since the epoch. */
  readonly onWait?: (slot: PaceSlot, reason: WaitReason, untilMs: number) => void;
  /** Called with a message for the terminal. */
  readonly onNote?: (note: ConnectionNote) => void;
}

export interface SendOptions {
  /** After a time-out in a group, no more requests of the group are sent. */
  readonly timeoutGroup?: string;
  /** A success is expected. Time-outs of such requests are counted apart, too. Absent: the server may accept or refuse it. */
  readonly expectsSuccess?: boolean;
  /** A 429 is acceptable. The request waits only for the end of an earlier `Retry-After` and is not retried. */
  readonly expects429?: boolean;
  /** Send during the wait after a 429. */
  readonly duringBackoff?: boolean;
  /** Share a connection only with requests with this id. */
  readonly connectionId?: string;
  /** Safe to send twice. Default: true for GET, HEAD, and requests without a valid key. */
  readonly repeatable?: boolean;
  /** The document says which statuses may come. Default: false. */
  readonly isDocumented?: boolean;
  /** Called with each exchange before a retry is sent. */
  readonly observe?: (exchange: Exchange) => void;
}

/** Why a request was not sent, or got no conclusive response. */
export type NotSent =
  | { readonly code: 'budget'; readonly budget: number }
  | ({ readonly code: 'rate-limit' } & KeyEnd)
  | { readonly code: 'rate-limit'; readonly detail: 'others'; readonly key: KeySlot }
  | { readonly code: 'rate-limit'; readonly detail: 'repeated'; readonly times: number }
  | { readonly code: 'timeouts'; readonly detail: 'run' | 'kind' }
  | { readonly code: 'timeouts'; readonly detail: 'operation'; readonly operation: string }
  | { readonly code: 'target-gone'; readonly detail: 'gone' }
  | { readonly code: 'target-gone'; readonly detail: 'no-connection'; readonly failure: FailureDetail }
  | { readonly code: 'interrupted' }
  | { readonly code: 'no-key'; readonly detail: 'slot'; readonly key: KeySlot };

export type NotSentCode = NotSent['code'];

/**
 * The result of a request, with all its exchanges in order. The last exchange decides. `not-sent`: no request was sent, or only attempts
 * without a conclusive response (repeated 429s). Earlier attempts are not evidence: an idle connection may be closed, and a server may
 * restart. An earlier 429 is evidence of the rate limit only.
 */
export type SendResult = { readonly exchanges: readonly Exchange[] } & (
  | { readonly kind: 'responded'; readonly exchange: RespondedExchange }
  | { readonly kind: 'no-response'; readonly exchange: FailedExchange }
  | { readonly kind: 'not-sent'; readonly reason: NotSent }
);

export interface ClientState {
  /** The target has responded at least once. */
  readonly hasResponded: boolean;
  /** Why the target is unreachable, or null. */
  readonly unreachableReason: NotSent | null;
  /** Reason sending stopped because of time-outs, or null. */
  readonly timeoutReason: NotSent | null;
  /** Requests that were in flight together timed out, so that one is sent at a time. */
  readonly sendsAlone: boolean;
  /** Why a key is no longer used, or null. */
  readonly ended: Readonly<Record<PaceSlot, KeyEnd | null>>;
  /** Requests sent so far, how many of them are done, and how many of them have no valid key. */
  readonly sent: number;
  readonly done: number;
  readonly unauthenticated: number;
}

export interface ClientTraffic {
  readonly requests: number;
  readonly byOperation: Readonly<Record<string, number>>;
  /** Responses by status. */
  readonly byStatus: Readonly<Record<string, number>>;
  /** Attempts without a response, by kind of failure. */
  readonly unanswered: Readonly<Record<string, number>>;
  /** All 429s, and the ones that no check expected. */
  readonly rateLimited: number;
  readonly rateLimitedUnasked: number;
  /** Milliseconds by operation, for requests with a response. Percentiles are within 3 %, `max` is exact. */
  readonly latency: Readonly<Record<string, { p50: number; p90: number; p99: number; max: number }>>;
}

export interface Client {
  /** Sends a request as soon as the queue permits it. Never rejects because of the target. */
  send(request: ApiRequest, options?: SendOptions): Promise<SendResult>;
  /** Returns a view, which follows the run. */
  state(): ClientState;
  /** The number of the latest request that was sent, by any worker. Exchanges have these numbers as their ids. */
  latestRequest(): number;
  traffic(): ClientTraffic;
  /** Estimates how long requests with the API key wait. */
  estimate(requests: number): Estimate;
  /** Tells whether other clients use the key too, by setting or by the responses. */
  isShared(slot: KeySlot): boolean;
  /** Tells whether X-RateLimit-Remaining is the number of requests made. */
  countsUp(): boolean;
  /** Ends all pending requests. The transport stays open. */
  end(): void;
}

/** Permission to send a request, or why it is not sent. `number` counts the requests sent, from 1. */
export type SendPermit =
  | {
      readonly kind: 'go';
      /** Call this with the response, for pacing. Other processes may need a moment to hear of it. */
      readonly ended: (...args: Parameters<RequestEnded>) => void | Promise<void>;
      readonly number: number;
    }
  | { readonly kind: 'refused'; readonly reason: NotSent };

/** A decision about requests with any key. `response`: ask again after the next response. `isAlone`: with no other in flight. */
export type Gate =
  | { readonly kind: 'go'; readonly isAlone: boolean }
  | { readonly kind: 'response' }
  | { readonly kind: 'refused'; readonly reason: NotSent };

/** How a request waits. `refusal` returns why it must not be sent any more, or null. */
interface QueuePlace {
  readonly isRetry: boolean;
  readonly refusal: () => NotSent | null;
}

/** Permits requests, one at a time. */
export interface RequestQueue {
  /** Waits until a request may be sent. Requests of one key are sent in order, retries first. */
  next(paced: PacedRequest, how: QueuePlace): Promise<SendPermit>;
  /** Call this when a request is complete, after its `ended`. */
  done(): void;
  /** Asks the gate again about waiting requests. */
  recheck(): void;
  /** The number of the latest request that was sent. */
  latest(): number;
}

export interface QueueOptions {
  readonly clock: Clock;
  readonly pacing: Pacing;
  /** Limit of requests in flight. */
  readonly concurrency: number;
  readonly gate: (now: number, sent: number) => Gate;
  readonly onWait: (slot: PaceSlot, reason: WaitReason, untilMs: number) => void;
  readonly onEnded: (slot: PaceSlot, end: KeyEnd) => void;
  readonly signal: AbortSignal;
}
