import type { Plan, PlanLimit } from '../document/plans.ts';
import type { Estimate, KeyEnd, PaceSlot } from './client-types.ts';
import type { Despite } from './doubt.ts';
import type { Header } from './exchange.ts';
import type { RemainingSense } from './remaining-sense.ts';
import type { RequestCosts } from './request-costs.ts';
import type { LoggedRequest, RequestKind, RequestLog } from './request-log.ts';
import type { Tick } from './window-view.ts';

export interface PaceOptions {
  readonly slot: PaceSlot;
  readonly plan: Plan | null;
  readonly fallback: PlanLimit | null;
  readonly sharedKey: boolean;
  readonly maxWaitMs: number;
  /** Milliseconds of the plans' minute: shorter only against a server whose windows are. */
  readonly minuteMs?: number;
  readonly random: () => number;
  /** Of the server, whichever key or none is used; this pace's own unless given. */
  readonly sense?: RemainingSense;
  /** Of all keys: they may share a counter. This pace's own unless given. */
  readonly requests?: RequestLog;
  readonly costs?: RequestCosts;
  readonly note: (text: string) => void;
}

/** `answer`: ask again once something in flight has come back. */
export type Permission =
  | { readonly kind: 'go' }
  | { readonly kind: 'answer' }
  | { readonly kind: 'wait'; readonly untilMs: number; readonly reason: string }
  | { readonly kind: 'ended'; readonly end: KeyEnd };

/** A request on its way, as its pace knows it. */
export interface Ticket {
  readonly tick: Tick;
  readonly number: number;
  readonly sentAt: number;
  readonly asked429: boolean;
  readonly despite: Despite | null;
  /** Null: no key is charged with it. */
  readonly logged: LoggedRequest | null;
}

/** The pace of one key. A pure state machine: all times come in, in milliseconds since the epoch. */
export interface Pace {
  ask(now: number): Permission;
  /** The same for a request that may get a 429: it waits for the end of `Retry-After` only. */
  askOverLimit(now: number): Permission;
  /** `asked429`: a 429 is wanted. */
  sent(now: number, kind: RequestKind, asked429?: boolean): Ticket;
  answered(ticket: Ticket, status: number, headers: readonly Header[], now: number): void;
  lost(ticket: Ticket, now: number): void;
  /** A request without the key, which may be charged to it all the same. */
  sentWithoutKey(now: number): Ticket;
  /** What came of it; `headers` null: it was not charged. */
  answeredWithoutKey(ticket: Ticket, headers: readonly Header[] | null, now: number): void;
  estimate(requests: number, now: number): Estimate;
  /** Others use the key as well: that was declared, or has shown. */
  isShared(): boolean;
}
