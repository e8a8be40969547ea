import type { KeySlot, WireResponse } from './exchange.ts';

/** The rate limit that a request counts towards: the limit of a key, or of requests without a valid key. */
export type PaceSlot = KeySlot | 'anonymous';

/** The estimated time for a number of requests with a key. */
export interface Estimate {
  readonly ms: number;
  /** The basis of the estimate: "60 requests a minute, 12 of them left in this one". */
  readonly note: string;
}

/** What the rate-limit cost of a request may depend on, apart from its status. */
export interface RequestKind {
  readonly name: string;
  /** The request changes nothing, so that a repeat gets the same status. */
  readonly safe: boolean;
}

/** A waiting request, as pacing sees it. */
export interface PacedRequest {
  readonly slot: PaceSlot;
  readonly kind: RequestKind;
  /** Where a request without a valid key has the key anyway, because a server may count it. Empty: nowhere. */
  readonly keyPlace: string;
  /** A 429 is acceptable. The request waits only for the end of `Retry-After`. */
  readonly expects429: boolean;
  /** Send during the wait after a 429. */
  readonly duringBackoff: boolean;
}

/** Why a key is no longer used: its limit is used up for longer than the longest wait, or it seems banned (see `Backoff`). */
export type KeyEnd =
  | { readonly detail: 'used-up'; readonly key: PaceSlot; readonly until: string }
  | { readonly detail: 'banned'; readonly key: PaceSlot; readonly waits: number | null };

/** `response`: ask again after the next response. */
export type Permission =
  | { readonly kind: 'go' }
  | { readonly kind: 'response' }
  | { readonly kind: 'wait'; readonly untilMs: number; readonly reason: string }
  | { readonly kind: 'ended'; readonly end: KeyEnd };

/** Call this when a request has ended; null: no response. */
export type RequestEnded = (response: Pick<WireResponse, 'status' | 'headers'> | null, now: number) => void;

/** Keeps requests within the rate limits of the server. All times are milliseconds since the epoch. */
export interface Pacing {
  ask(request: PacedRequest, now: number): Permission;
  /** Records that a request is sent now. Call it only after `ask` returned `go`. */
  sent(request: PacedRequest, now: number): RequestEnded;
  estimate(slot: PaceSlot, requests: number, now: number): Estimate;
  /** Tells whether other clients use the key too, by setting or by the responses. */
  isShared(slot: KeySlot): boolean;
}
