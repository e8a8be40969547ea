import type { KeyEnd, Permission, WaitReason } from '../http/pacing-types.ts';
import type { SendReason } from './header-quirks.ts';
import {
  isShared,
  isUnseen,
  ownLimitsOf,
  type PacerState,
  renewalOf,
  shareOf,
  UNSEEN_PART,
} from './pacer-state.ts';
import { windowMsOf } from './shown-limit.ts';
import { inFlight, remainingIn } from './window.ts';

/** Shared key: headers are out of date after this part of a minute. */
const STALE_PART = 1 / 60;
/** Shared key: for each request in flight, this many must remain above the reserve, because other clients have some in flight, too. */
const REMAINING_FOR_EACH = 8;
/** After a wait this long, a window allows more than one request. */
const LONG_WAIT_MS = 30_000;
/** The latest time of a `Date`. A Retry-After in nanoseconds may be beyond it. */
const LATEST_MS = 8_640_000_000_000_000;

const GO: Permission = { kind: 'go' };
const RESPONSE: Permission = { kind: 'response' };

/** Decides whether a request of the key may be sent now. */
export const askPermission = (state: PacerState, now: number): Permission => {
  const { options, backoff, interval, ended } = state;
  if (ended !== null) return { kind: 'ended', end: ended };
  const banned = backoff.banReason();
  if (banned !== null) return end(state, { detail: 'banned', key: options.slot, ...banned });
  const afterWait = askOverLimit(state, now);
  if (afterWait.kind !== 'go') return afterWait;
  const pausedUntil = options.slot === 'main' ? state.countsUp.pauseUntil() : null;
  if (pausedUntil !== null && inFlight(state.window) > 0) return RESPONSE;
  const opensAt = Math.max(interval.opensAt(), pausedUntil ?? 0);
  if (opensAt > now) return waitUntil(state, opensAt, { kind: 'slower', slot: options.slot }, now);
  const counted = askOwnLimits(state, now);
  return counted.kind === 'go' ? askHeaders(state, now) : counted;
};

/** The same for a request that may get a 429. */
export const askOverLimit = (state: PacerState, now: number): Permission => {
  const until = state.backoff.quietUntil();
  return until <= now ? GO : waitUntil(state, until, { kind: 'after-429', slot: state.options.slot }, now);
};

/** Returns why a request is sent although none remains. Null: some remain, or it is unknown. */
export const sendReason = (state: PacerState, now: number): SendReason | null => {
  const remaining = remainingIn(state.window);
  if (isUnseen(state) || remaining === null || remaining > 0) return null;
  if (now < renewalOf(state)) return 'probe';
  const isLong = now - state.receivedAt >= LONG_WAIT_MS || state.zeroRemaining.needsLongWait();
  return isLong ? 'renewal-after-wait' : 'renewal';
};

const end = (state: PacerState, end: KeyEnd): Permission => {
  state.ended ??= end;
  return { kind: 'ended', end: state.ended };
};

const waitUntil = (state: PacerState, untilMs: number, reason: WaitReason, now: number): Permission => {
  if (untilMs - now <= state.options.maxWaitMs) return { kind: 'wait', untilMs, reason };
  const until = new Date(Math.min(untilMs, LATEST_MS)).toISOString();
  const perDay = dayOf(state, reason);
  return end(state, {
    detail: 'used-up',
    key: state.options.slot,
    until,
    ...(perDay === null ? {} : { perDay }),
  });
};

/** The limit that requests wait for, if it is that of a day; null: it is not. */
const dayOf = ({ shown, minuteMs }: PacerState, reason: WaitReason): number | null => {
  if (reason.kind === 'own-count') return reason.per === 'day' ? reason.limit : null;
  return reason.kind === 'limit' && windowMsOf(shown) > minuteMs ? reason.limit : null;
};

const askOwnLimits = (state: PacerState, now: number): Permission => {
  const { log, minuteMs, options } = state;
  const unseen = isUnseen(state);
  for (const { limit, windowMs } of ownLimitsOf(state, unseen)) {
    const isMinute = windowMs === minuteMs;
    const share = isMinute ? shareOf(state, limit, UNSEEN_PART) : shareOf(state, limit);
    const counted = log.ask(share, windowMs, now);
    const decision = isMinute && counted === 'go' ? log.askEvenly(share, windowMs, now) : counted;
    if (decision === 'response') return RESPONSE;
    const per = isMinute ? 'minute' : 'day';
    if (decision !== 'go') {
      const reason = { kind: 'own-count', slot: options.slot, limit, per, unseen } as const;
      return waitUntil(state, decision.untilMs, reason, now);
    }
  }
  return GO;
};

const askHeaders = (state: PacerState, now: number): Permission => {
  if (isUnseen(state)) return GO;
  const remaining = remainingIn(state.window);
  const isAlone = inFlight(state.window) === 0;
  // Before the first response, and to measure the cost of each request, one request is sent at a time.
  if ((remaining === null || state.others.state() === 'suspected') && !isAlone) return RESPONSE;
  if (remaining === null) return GO;
  if (remaining > 0) return maySendConcurrently(state, remaining, now) ? GO : RESPONSE;
  if (!isAlone) return RESPONSE;
  const renewal = renewalOf(state);
  if (now >= renewal || state.zeroRemaining.mayProbe(renewal - now)) return GO;
  const { limit } = state.shown;
  return waitUntil(state, renewal, { kind: 'limit', slot: state.options.slot, limit }, now);
};

/**
 * Shared key: fewer requests may be in flight near the reserve, and headers are soon out of date. The same if Remaining falls by several for
 * each request: other runs that started at the same time may send as many, and no response proves it.
 */
const maySendConcurrently = (state: PacerState, remaining: number, now: number): boolean => {
  const { cost } = state.window;
  const count = inFlight(state.window);
  if (count === 0 || (cost === 1 && !isShared(state))) return true;
  if (!isShared(state)) return count < remaining / (2 * cost);
  const isStale = now - state.receivedAt > STALE_PART * state.minuteMs;
  return !isStale && count < remaining / REMAINING_FOR_EACH;
};
