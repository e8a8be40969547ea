import type { Exchange, KeySlot } from './exchange.ts';

/** The rate limit that a request counts towards: the limit of a key, or of requests without a valid key. */
export type PaceSlot = KeySlot | 'anonymous';

/** The estimated time for a number of requests with a key. */
export interface Estimate {
  readonly ms: number;
  readonly basis: EstimateBasis;
}

/** The limit that an estimate is based on. `evenly`: requests are counted and spread here, because no header shows what is left. */
export type EstimateBasis =
  | { readonly kind: 'none' }
  | { readonly kind: 'evenly'; readonly limit: number }
  | {
      readonly kind: 'window';
      readonly limit: number;
      readonly left: number;
      readonly per: 'minute' | 'day';
      /** The limit resets later than a run waits. Absent: it does not. */
      readonly isBeyondRun?: true;
    };

/** Why a request waits. */
export type WaitReason =
  | { readonly kind: 'limit'; readonly slot: PaceSlot; readonly limit: number | null }
  | { readonly kind: 'after-429' | 'slower'; readonly slot: PaceSlot }
  | {
      /** A limit that is counted here. */
      readonly kind: 'own-count';
      readonly slot: PaceSlot;
      readonly limit: number;
      readonly per: 'minute' | 'day';
      /** No header shows what is left. */
      readonly unseen: boolean;
    };

/** What a user should know of the pace of a run. */
export type PaceNote =
  | { readonly kind: 'others-use-key' | 'zero-ignored'; readonly slot: PaceSlot }
  | { readonly kind: 'slowed-down'; readonly slot: PaceSlot; readonly perSecond: number }
  | {
      /** The headers do not show the limit of a minute. `absent`: no response had them. `gaps`: some have. `daily`: they show a day's. */
      readonly kind: 'limit-unseen';
      readonly slot: PaceSlot;
      readonly headers: 'absent' | 'gaps' | 'daily';
      /** Requests a minute; null: at full speed. */
      readonly perMinute: number | null;
      readonly planIsUnknown: boolean;
    };

/** What a user should know of the connection to the server. `not-found`: GET /pets returned 404. */
export type ConnectionNote =
  | { readonly kind: 'waiting-for-target'; readonly baseUrl: string; readonly seconds: number }
  | { readonly kind: 'not-found'; readonly baseUrl: string }
  | { readonly kind: 'server-away'; readonly longestMs: number }
  | { readonly kind: 'server-back'; readonly afterMs: number };

export type RunNote = PaceNote | ConnectionNote;

/** What the rate-limit cost of a request may depend on, apart from its status. */
export interface RequestKind {
  readonly name: string;
  /** The request changes nothing, so that a repeat gets the same status. */
  readonly safe: boolean;
}

/** A waiting request, as pacing sees it. */
export interface PacedRequest {
  readonly slot: PaceSlot;
  readonly operation: string;
  readonly kind: RequestKind;
  /** Where a request without a valid key has the key anyway, because a server may count it. Empty: nowhere. */
  readonly keyPlace: string;
  /** The server may find no key in a valid credential. */
  readonly mayCountElsewhere: boolean;
  /** A 429 is acceptable. The request waits only for the end of `Retry-After`. */
  readonly expects429: boolean;
  /** Send during the wait after a 429. */
  readonly duringBackoff: boolean;
  /** The document says which statuses may come. */
  readonly isDocumented: boolean;
}

/** Why a key is no longer used: its limit is used up for longer than the longest wait, or it seems banned (see `Backoff`). */
export type KeyEnd = {
  /** The only operation that is affected. Absent if all are. */
  readonly operation?: string;
} & (
  | {
      readonly detail: 'used-up';
      readonly key: PaceSlot;
      readonly until: string;
      /** The limit, if it is that of a day. */
      readonly perDay?: number;
    }
  | { readonly detail: 'banned'; readonly key: PaceSlot; readonly waits: number | null }
);

/** `response`: ask again after the next response. `ofRoute`: requests to other operations need not wait. */
export type Permission =
  | { readonly kind: 'go' }
  | { readonly kind: 'response' }
  | {
      readonly kind: 'wait';
      readonly untilMs: number;
      readonly reason: WaitReason;
      readonly ofRoute?: true;
    }
  | { readonly kind: 'ended'; readonly end: KeyEnd; readonly ofRoute?: true };

/** Call this when a request has ended; null: it could not be sent. */
export type RequestEnded = (exchange: Exchange | null, now: number) => void;

/** Keeps requests within the rate limits of the server. All times are milliseconds since the epoch. */
export interface Pacing {
  ask(request: PacedRequest, now: number): Permission;
  /** Records that a request is sent now. Call it only after `ask` returned `go`. */
  sent(request: PacedRequest, now: number): RequestEnded;
  estimate(slot: PaceSlot, requests: number, now: number): Estimate;
  /** Tells whether other clients use the key too, by setting or by the responses. */
  isShared(slot: KeySlot): boolean;
  /** Tells whether X-RateLimit-Remaining is the number of requests made. */
  countsUp(): boolean;
}
