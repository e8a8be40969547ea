import type { Estimate, KeyEnd, PaceNote, PaceSlot, Permission, RequestKind } from '../http/pacing-types.ts';
import type { Plan, PlanLimit } from '../openapi/plans.ts';
import { createBackoff } from './backoff.ts';
import {
  type CountsUp,
  createCountsUp,
  createFallingReset,
  createZeroRemaining,
  type SendReason,
} from './header-quirks.ts';
import type { RateLimit } from './headers.ts';
import { createMinInterval } from './min-interval.ts';
import { createOtherClients } from './other-clients.ts';
import { createSlidingLog } from './own-limits.ts';
import {
  createRequestCosts,
  createRequestLog,
  type LoggedRequest,
  type RequestCosts,
  type RequestLog,
} from './request-log.ts';
import { createServerClock } from './server-clock.ts';
import { createSharedWindow } from './shared-window.ts';
import { createShownLimit, isDaily, MINUTE_MS, type OwnLimit, ownLimits, windowMsOf } from './shown-limit.ts';
import { createWindow, renewsAt, type Sequence } from './window.ts';

export interface PacerOptions {
  readonly slot: PaceSlot;
  readonly plan: Plan | null;
  /** The limit if neither the plan nor the headers name one; null: no limit. */
  readonly fallback: PlanLimit | null;
  readonly sharedKey: boolean;
  readonly maxWaitMs: number;
  /** Length of the plans' minute in milliseconds. Shorter only for a server with shorter windows. */
  readonly minuteMs?: number;
  readonly random: () => number;
  /** Shared by all pacers of a server; absent: for this pacer only. */
  readonly countsUp?: CountsUp;
  /** Shared by all keys, because keys may have a common counter; absent: for this pacer only. */
  readonly requests?: RequestLog;
  readonly costs?: RequestCosts;
  readonly note: (note: PaceNote) => void;
}

/** A request in flight, for its pacer. */
export interface SendTicket {
  readonly place: Sequence;
  /** Number in the own count. */
  readonly number: number;
  readonly sentAt: number;
  readonly expects429: boolean;
  /** Null: requests remained. */
  readonly reason: SendReason | null;
  /** Null: no key is charged. */
  readonly logged: LoggedRequest | null;
}

/** Paces the requests of one key, or without a valid key. All times are milliseconds since the epoch. */
export interface Pacer {
  ask(now: number): Permission;
  /** The same for a request that may get a 429. It waits only for the end of `Retry-After`. */
  askOverLimit(now: number): Permission;
  sent(now: number, kind: RequestKind, expects429?: boolean): SendTicket;
  responded(ticket: SendTicket, status: number, headers: RateLimit, now: number): void;
  lost(ticket: SendTicket, now: number): void;
  /** Records a request without the key that may still be charged to it. */
  sentWithoutKey(now: number): SendTicket;
  /** Records its response. `headers` null: the key was not charged. */
  respondedWithoutKey(ticket: SendTicket, headers: RateLimit | null, now: number): void;
  estimate(requests: number, now: number): Estimate;
  /** Tells whether other clients use the key too, by setting or by the responses. */
  isShared(): boolean;
}

/** Wait this many times longer, so that a bucket that refills one request per wait shows that some remain. */
const EXTRA_WAITS = 2;
/** A wait of a minute needs no longer extension. */
const MAX_EXTRA_MS = 20_000;

/** Reset has whole seconds and may be rounded down. */
export const RENEWAL_MARGIN_MS = 1_050;
/** Responses in a row without Remaining after which the headers count as absent. */
export const ABSENT_AFTER = 3;
/** The share of a shared key's limit for this run. The rest is a reserve for other clients. */
const SHARED_PART = 0.9;
/** The same if no header shows what other clients use. */
export const UNSEEN_PART = 0.5;

export type PacerState = ReturnType<typeof createPacerState>;

/** The state of a pacer: its key, and what is known about the server's limits. */
export const createPacerState = (options: PacerOptions) => {
  const { slot, minuteMs = MINUTE_MS, requests = createRequestLog(), random } = options;
  const server = createServerClock();
  const others = createOtherClients(requests, options.costs ?? createRequestCosts());
  const countsUp = options.countsUp ?? createCountsUp();
  const isShared = (): boolean => options.sharedKey || others.state() === 'confirmed';
  return {
    options,
    minuteMs,
    server,
    requests,
    others,
    window: createWindow(
      () => !isShared(),
      (limit) => (isShared() && !countsUp.beginsLow() && limit > 0 ? limit - partOf(limit, SHARED_PART) : 0),
    ),
    log: createSlidingLog(),
    backoff: createBackoff({ server, random, countsDenials: slot !== 'anonymous' }),
    shown: createShownLimit(slot, options.plan, minuteMs),
    countsUp,
    fallingReset: createFallingReset(),
    zeroRemaining: createZeroRemaining(slot, isShared),
    sharedWindow: createSharedWindow({ minuteMs, random }),
    interval: createMinInterval(),
    noted: new Set<string>(),
    /** Why the key is no longer used, or null. */
    ended: null as KeyEnd | null,
    /** Remaining of the latest response was a count of requests made. */
    isCorrected: false,
    /** Responses in a row without Remaining. */
    withoutHeaders: 0,
    /** Time of the latest response. */
    receivedAt: 0,
  };
};

export const isShared = ({ options, others }: PacerState): boolean =>
  options.sharedKey || others.state() === 'confirmed';

/** Tells whether no header shows what remains. */
export const isUnseen = ({ withoutHeaders, zeroRemaining }: PacerState): boolean =>
  withoutHeaders >= ABSENT_AFTER || zeroRemaining.isIgnored();

/** Returns this run's share of a limit. */
export const shareOf = (state: PacerState, limit: number, part: number = SHARED_PART): number =>
  isShared(state) ? partOf(limit, part) : limit;

const partOf = (limit: number, part: number): number => Math.max(1, Math.floor(limit * part));

/** Returns how many requests of the shown limit are reserved for other clients. */
export const reserveOf = ({ window, shown }: PacerState): number => window.reserveOf(shown.limit ?? 0);

/** Returns the limits that pacing counts itself. Only the minute includes the cost of requests, which would end a day too early. */
export const ownLimitsOf = (state: PacerState, unseen: boolean): readonly OwnLimit[] =>
  ownLimits(state.shown, state.options.fallback, unseen).map(({ limit, windowMs }) => ({
    limit: windowMs === state.minuteMs ? Math.max(1, Math.floor(limit / state.window.sureCost)) : limit,
    windowMs,
  }));

/** Returns when more requests are allowed, in local time. */
export const renewalOf = (state: PacerState): number => {
  const { window, sharedWindow, receivedAt, shown, zeroRemaining } = state;
  const renewal = renewsAt(window);
  if (isShared(state)) return sharedWindow.renewsAt(renewal, receivedAt, windowMsOf(shown));
  const wait = Math.max(0, renewal - receivedAt);
  return zeroRemaining.needsLongWait() ? renewal + Math.min(EXTRA_WAITS * wait, MAX_EXTRA_MS) : renewal;
};

/** Returns when more requests are allowed by a response, in local time. */
export const shownRenewal = (
  { server, shown, minuteMs }: PacerState,
  resetAt: number | null,
  now: number,
): number => {
  const afterMinute = now + minuteMs + RENEWAL_MARGIN_MS;
  if (resetAt === null) return afterMinute;
  const at = Math.max(now, server.surelyAfter(resetAt)) + RENEWAL_MARGIN_MS;
  const isGuess = !server.known() && !isDaily(shown);
  return isGuess ? Math.min(at, afterMinute) : at;
};

/** Shows a note once. */
export const note = ({ noted, options }: PacerState, about: PaceNote): void => {
  const facts = JSON.stringify(about);
  if (!noted.has(facts)) options.note(about);
  noted.add(facts);
};
