import { breachOf, explainedByOtherLimit, type Finding, inconclusive } from '../../finding/finding.ts';
import type { Probe } from '../../finding/probe.ts';
import type { KeySlot } from '../../http/exchange.ts';
import { type ParsedResponse, serverTime } from '../../http/parsed-response.ts';
import { memoizedByValue } from '../../util/memoize.ts';
import { retryWait } from '../headers.ts';
import { type LimitState, limitState } from '../limit-state.ts';
import { createServerClock } from '../server-clock.ts';
import { belongsToKey } from './limit-sample.ts';
import type { OtherLimit } from './other-limit.ts';

/** Reset and Retry-After have whole seconds. */
const graceMs = 1_000;

/** A response with Remaining 0, after which no request was sent. */
interface UsedUp {
  readonly state: LimitState;
  /** The time of the response, and the time after which the next request must be served, by the run's clock. */
  readonly receivedAt: number;
  readonly until: number;
}

/** What the responses to one key show so far. */
type KeyState = ReturnType<typeof newKey>;

interface Options {
  isExclusive(slot: KeySlot): boolean;
  readonly otherLimit: Pick<OtherLimit, 'mayExplain'>;
  readonly maxWaitMs: number;
}

/** A response that rejects the key says nothing about when its limit resets. */
const isDenied = ({ status }: ParsedResponse): boolean => [401, 403].includes(status);

/**
 * Tests RATE-13 with every response to a key that only this run uses. After Remaining 0 and no request until Reset and the end of
 * `Retry-After`, the next request must be served. Only the first request counts, because a bucket may allow no more.
 */
export const createResetMonitor = (options: Options) => {
  const keyOf = memoizedByValue((_slot: KeySlot) => newKey());
  return {
    /** Tests one response, in the order of arrival. */
    observe: (response: ParsedResponse, probe: Probe): readonly Finding[] => {
      const slot = probe.request.credential.chargedTo;
      if (slot === null || !options.isExclusive(slot)) return [];
      return observe(options, slot, keyOf(slot), response, probe);
    },
  };
};

const newKey = () => ({
  server: createServerClock(),
  usedUp: null as UsedUp | null,
  /** The limit that the headers show for the key; null: none yet. */
  limit: null as number | null,
  /** The latest end of all Resets and waits. */
  until: 0,
  /** The 429 whose `Retry-After` has not passed. */
  wait: null as Pick<UsedUp, 'receivedAt' | 'until'> | null,
  /** A request was sent during a `Retry-After`, and none was served since. */
  mayBeBanned: false,
});

const observe = (options: Options, slot: KeySlot, key: KeyState, response: ParsedResponse, probe: Probe) => {
  const { startedAt, durationMs } = response.exchange;
  const receivedAt = startedAt + durationMs;
  const date = serverTime(response);
  if (date !== null) key.server.observe(date, startedAt, receivedAt);
  const { usedUp } = key;
  const wasSentBefore = usedUp !== null && startedAt <= usedUp.receivedAt;
  const isNext =
    usedUp !== null && startedAt >= usedUp.until && probe.request.credential.mayCountElsewhere !== true;
  recordWait(key, response, receivedAt);
  const findings = isNext ? judge(options, slot, key, usedUp, response, probe) : [];
  if (response.status !== 429 && !isDenied(response)) key.mayBeBanned = false;
  if (!wasSentBefore) key.usedUp = null;
  if (belongsToKey(response, probe)) key.limit = limitState(response)?.limit ?? key.limit;
  recordUsedUp(options, key, response, receivedAt);
  return findings;
};

const judge = (
  { otherLimit }: Options,
  slot: KeySlot,
  key: KeyState,
  usedUp: UsedUp,
  response: ParsedResponse,
  probe: Probe,
): readonly Finding[] => {
  if (isDenied(response) || !belongsToKey(response, probe)) return [];
  if (response.status !== 429) return [{ kind: 'passed', requirement: 'RATE-13' }];
  if (key.mayBeBanned) return [inconclusive('RATE-13', { code: 'rate-limit', detail: 'perhaps-banned' })];
  if (otherLimit.mayExplain(slot, usedUp.state, response.exchange.startedAt))
    return [explainedByOtherLimit('RATE-13')];
  return [refusedAfterReset(usedUp.state, response)];
};

/** Starts to wait for Reset, or extends the wait. */
const recordUsedUp = (
  { maxWaitMs }: Options,
  key: KeyState,
  response: ParsedResponse,
  receivedAt: number,
): void => {
  const state = limitState(response);
  if (state === null || state.remaining > 0 || state.untilReset === null) return;
  // A request that is rejected before authentication may be counted by address, with another limit.
  if (isDenied(response) || state.limit !== key.limit) return;
  const resetAt = Math.max(receivedAt, key.server.surelyAfter(state.reset * 1000));
  key.until = Math.max(key.until, resetAt + graceMs, key.wait?.until ?? 0);
  const isShort = key.until - receivedAt <= maxWaitMs + graceMs;
  key.usedUp = isShort ? { state, receivedAt, until: key.until } : null;
};

const recordWait = (key: KeyState, response: ParsedResponse, receivedAt: number): void => {
  const { startedAt } = response.exchange;
  if (key.wait !== null && startedAt > key.wait.receivedAt && startedAt < key.wait.until - graceMs)
    key.mayBeBanned = true;
  const wait = response.status === 429 ? retryWait(response) : null;
  if (wait !== null)
    key.wait = { receivedAt, until: receivedAt + Math.max(0, wait.seconds) * 1000 + graceMs };
};

const refusedAfterReset = ({ limit, reset }: LimitState, { header, exchange }: ParsedResponse): Finding => {
  const shown = { reset: header('x-ratelimit-reset').join(', '), date: header('date').join(', ') };
  return breachOf('RATE-13', { rule: 'refused-after-reset', limit, reset, shown }, exchange);
};
