import type { KeySlot, WireResponse } from './exchange.ts';

/** Which limit a request counts towards: that of its key, or that of requests without a valid key. */
export type PaceSlot = KeySlot | 'anonymous';

/** How long a number of requests with a key take, as far as its limit is known. */
export interface Estimate {
  readonly ms: number;
  /** What it is based on: "60 requests a minute, 12 of them left in this one". */
  readonly note: string;
}

/** What the cost of a request may depend on, besides its status. */
export interface RequestKind {
  readonly name: string;
  /** It changes nothing: sent again, it gets the same status. */
  readonly safe: boolean;
}

/** A request that waits to be sent, as far as rate limits are concerned. */
export interface PacedRequest {
  readonly slot: PaceSlot;
  readonly kind: RequestKind;
  /** Where and how a request without a valid key carries the key: a server may charge it nevertheless. Empty: not at all. */
  readonly keyPlace: string;
  /** It may get a 429: it waits only for the end of `Retry-After`. */
  readonly expects429: boolean;
  /** It is sent during the wait of a 429. */
  readonly duringBackoff: boolean;
}

/** Why a key is no longer used: its limit is used up beyond the longest wait, or it seems to be banned (see `Backoff`). */
export type KeyEnd =
  | { readonly detail: 'used-up'; readonly key: PaceSlot; readonly until: string }
  | { readonly detail: 'banned'; readonly key: PaceSlot; readonly waits: number | null };

/** `response`: ask again after the next response. */
export type Permission =
  | { readonly kind: 'go' }
  | { readonly kind: 'response' }
  | { readonly kind: 'wait'; readonly untilMs: number; readonly reason: string }
  | { readonly kind: 'ended'; readonly end: KeyEnd };

/** To be called when a request is over; null: no response came. */
export type RequestEnded = (response: Pick<WireResponse, 'status' | 'headers'> | null, now: number) => void;

/** Keeps requests within the rate limits of the server. All times are passed in, in milliseconds since the epoch. */
export interface Pacing {
  ask(request: PacedRequest, now: number): Permission;
  /** The request is sent now: only after `ask` allowed it. */
  sent(request: PacedRequest, now: number): RequestEnded;
  /** How long so many requests of a key take. */
  estimate(slot: PaceSlot, requests: number, now: number): Estimate;
  /** Others use the key too: the user said so, or the responses show it. */
  isShared(slot: KeySlot): boolean;
}
