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
  /** Milliseconds for one whole answer. */
  readonly timeoutMs: number;
  /** Bytes of a response body that are read; 1 MiB unless given, and more if the run created long animals. */
  readonly maxBodyBytes?: number;
  /** Requests under way at once, at most, whatever their key. */
  readonly concurrency: number;
  /** Requests on the wire in all, retries included; null: unlimited. */
  readonly budget: number | null;
  /** Keeps to the rate limits. */
  readonly pacing: Pacing;
  /** What time-outs may cost in all, in milliseconds of the clock; 30 000 unless given. */
  readonly hangAllowanceMs?: number;
  readonly signal?: AbortSignal;
  /**
   * Every attempt on the wire. `asked`: a 429 was wanted. `final`: false where the request is sent again; such an attempt is no evidence
   * if it brought no response (an idle connection closed, a server that restarts), and only of the rate limit if it brought a 429.
   */
  readonly onExchange?: (
    exchange: Exchange,
    about: { readonly asked: boolean; readonly final: boolean },
  ) => void;
  /** Why sending stands still, and until when by the clock (ms since the epoch). */
  readonly onWait?: (reason: string, untilMs: number) => void;
  /** A message that is shown once. */
  readonly onNote?: (text: string) => void;
}

export interface SendOptions {
  /** After one time-out in a class nothing more of that class is sent. */
  readonly hangClass?: string;
  /** A 429 is wanted: no pacing but the wait of an earlier 429, no repetition. */
  readonly expects429?: boolean;
  /** It is meant to be sent in the wait of a 429. */
  readonly duringBackoff?: boolean;
  /** On the connection that requests of this name have to themselves. */
  readonly line?: string;
  /** Safe to send twice. Taken for granted of GET, of HEAD, and of requests whose credential is meant to be refused. */
  readonly repeatable?: boolean;
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

/** `not-sent`: nothing went out, or nothing but responses that decide nothing (429 again and again). */
export type SendResult =
  | { readonly kind: 'answered'; readonly exchange: Answered }
  | { readonly kind: 'no-answer'; readonly exchange: Unanswered }
  | { readonly kind: 'not-sent'; readonly reason: NotSent };

export interface ClientState {
  /** A response has come at least once. */
  readonly hasResponded: boolean;
  /** Why nothing more can be sent to the target; null: it can. */
  readonly dead: NotSent | null;
  /** Why nothing more is sent for the time that time-outs have cost; null: it is. */
  readonly hanging: NotSent | null;
  /** Why a key is no longer used; null: it is. */
  readonly ended: Readonly<Record<PaceSlot, KeyEnd | null>>;
  /** Requests on the wire so far, those of them that are done, and those that carry no valid key. */
  readonly sent: number;
  readonly done: number;
  readonly keyless: number;
}

export interface ClientTraffic {
  readonly requests: number;
  readonly byOperation: Readonly<Record<string, number>>;
  /** Answers by status. */
  readonly byStatus: Readonly<Record<string, number>>;
  /** Attempts without an answer, by the kind of their failure. */
  readonly unanswered: Readonly<Record<string, number>>;
  readonly rateLimited: number;
  readonly rateLimitedUnasked: number;
  /** Milliseconds by operation, of answered requests; within 3 % except for the exact `max`. */
  readonly latency: Readonly<Record<string, { p50: number; p90: number; p99: number; max: number }>>;
}

export interface Client {
  /** Sends one request as soon as its turn comes. Never rejects for what the target does. */
  send(request: ApiRequest, options?: SendOptions): Promise<SendResult>;
  state(): ClientState;
  traffic(): ClientTraffic;
  estimate(requests: number, slot?: PaceSlot): Estimate;
  /** Others use the key as well: that was declared, or has shown. */
  isShared(slot: KeySlot): boolean;
  /** Ends everything under way; the transport is left to whoever made it. */
  end(): void;
}
