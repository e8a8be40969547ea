import type { Header } from '../http/exchange.ts';
import type { Estimate, PaceSlot, Permission, RequestKind } from '../http/pacing.ts';
import type { Plan, PlanLimit } from '../openapi/plans.ts';
import type { CountsUp, SendReason } from './header-quirks.ts';
import type { RequestCosts } from './request-costs.ts';
import type { LoggedRequest, RequestLog } from './request-log.ts';
import type { Sequence } from './window.ts';

export interface PacerOptions {
  readonly slot: PaceSlot;
  readonly plan: Plan | null;
  /** What is kept to if neither the plan nor the headers name a limit; null: nothing. */
  readonly fallback: PlanLimit | null;
  readonly sharedKey: boolean;
  readonly maxWaitMs: number;
  /** Milliseconds of the plans' minute: shorter only for a server with shorter windows. */
  readonly minuteMs?: number;
  readonly random: () => number;
  /** Of the server, for all pacers; absent: of this pacer only. */
  readonly countsUp?: CountsUp;
  /** Of all keys, because they may share a counter; absent: of this pacer only. */
  readonly requests?: RequestLog;
  readonly costs?: RequestCosts;
  readonly note: (text: string) => void;
}

/** A request in flight, as its pacer knows it. */
export interface SendTicket {
  readonly place: Sequence;
  /** In the own count. */
  readonly number: number;
  readonly sentAt: number;
  readonly expects429: boolean;
  /** Null: requests remained. */
  readonly reason: SendReason | null;
  /** Null: no key is charged. */
  readonly logged: LoggedRequest | null;
}

/** The pacing of one key, or of requests without a valid one. All times are passed in, in milliseconds since the epoch. */
export interface Pacer {
  ask(now: number): Permission;
  /** The same for a request that may get a 429: it waits only for the end of `Retry-After`. */
  askOverLimit(now: number): Permission;
  sent(now: number, kind: RequestKind, expects429?: boolean): SendTicket;
  answered(ticket: SendTicket, status: number, headers: readonly Header[], now: number): void;
  lost(ticket: SendTicket, now: number): void;
  /** A request without the key that may be charged to it. */
  sentWithoutKey(now: number): SendTicket;
  /** Its response; `headers` null: the key was not charged. */
  answeredWithoutKey(ticket: SendTicket, headers: readonly Header[] | null, now: number): void;
  estimate(requests: number, now: number): Estimate;
  /** Others use the key too: the user said so, or the responses show it. */
  isShared(): boolean;
}
