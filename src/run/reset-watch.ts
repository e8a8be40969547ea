import { lowerCaseBearer } from '../client/credentials.ts';
import type { KeySlot } from '../client/exchange.ts';
import { createServerClock } from '../client/server-clock.ts';
import type { Finding } from '../oracle/finding.ts';
import type { Probe } from '../oracle/probe.ts';
import { type Reading, serverTime } from '../oracle/reading.ts';
import { retryWait } from '../oracle/retry-wait.ts';
import { explainedByOtherLimit } from '../oracle/rules/rate-limit-headers.ts';
import { type LimitState, limitState } from './limit-state.ts';
import type { OtherLimit } from './other-limit.ts';
import { isOfTheKey } from './said.ts';

/** Reset and Retry-After have whole seconds. */
const graceMs = 1_000;

/** A response with Remaining 0, and no request sent since. */
interface Dry {
  readonly state: LimitState;
  /** When the response came, and from when on the next request must be served, by the run's clock. */
  readonly heardAt: number;
  readonly until: number;
}

/** What the responses to one key have shown so far. */
interface KeyState {
  readonly server: ReturnType<typeof createServerClock>;
  dry: Dry | null;
  /** The limit that the headers show for the key; null: none yet. */
  limit: number | null;
  /** The latest end of all Resets and waits that were shown. */
  until: number;
  /** The 429 whose `Retry-After` has not passed. */
  wait: { readonly heardAt: number; readonly until: number } | null;
  /** A request was sent during a `Retry-After`, and none was served since. */
  mayBeBanned: boolean;
}

interface Options {
  isOursAlone(slot: KeySlot): boolean;
  readonly otherLimit: Pick<OtherLimit, 'mayExplain'>;
  readonly maxWaitMs: number;
}

/** A refusal of the key, for whatever reason, says nothing of when its limit resets. */
const isDenied = ({ status }: Reading): boolean => [401, 403].includes(status);

/**
 * Judges RATE-13 on every response to a key that only this run uses: after Remaining 0 and silence until Reset (and the end of
 * `Retry-After`), the next request is served. Only the first request after the silence counts: a bucket may have room for no more.
 */
export const createResetWatch = ({ isOursAlone, otherLimit, maxWaitMs }: Options) => {
  const keys = new Map<KeySlot, KeyState>();

  const stateOf = (slot: KeySlot): KeyState => {
    const known = keys.get(slot);
    if (known !== undefined) return known;
    const server = createServerClock();
    const state: KeyState = { server, dry: null, limit: null, until: 0, wait: null, mayBeBanned: false };
    keys.set(slot, state);
    return state;
  };

  const judge = (
    slot: KeySlot,
    key: KeyState,
    dry: Dry,
    reading: Reading,
    probe: Probe,
  ): readonly Finding[] => {
    if (isDenied(reading) || !isOfTheKey(reading, probe)) return [];
    if (reading.status !== 429) return [{ kind: 'met', requirement: 'RATE-13' }];
    if (key.mayBeBanned)
      return [
        {
          kind: 'undecided',
          requirement: 'RATE-13',
          reason: { code: 'rate-limit', detail: 'perhaps-banned' },
        },
      ];
    if (otherLimit.mayExplain(slot, dry.state, reading.exchange.startedAt))
      return [explainedByOtherLimit('RATE-13')];
    return [refusedAfterReset(dry.state, reading)];
  };

  /** Starts to wait for Reset, or extends the wait. */
  const noteDry = (key: KeyState, reading: Reading, heardAt: number): void => {
    const state = limitState(reading);
    if (state === null || state.remaining > 0 || state.untilReset === null) return;
    // What is refused in front of authentication may be counted by address, with another limit.
    if (isDenied(reading) || state.limit !== key.limit) return;
    const resetAt = Math.max(heardAt, key.server.surelyAfter(state.reset * 1000));
    key.until = Math.max(key.until, resetAt + graceMs, key.wait?.until ?? 0);
    const isShort = key.until - heardAt <= maxWaitMs + graceMs;
    key.dry = isShort ? { state, heardAt, until: key.until } : null;
  };

  const noteWait = (key: KeyState, reading: Reading, heardAt: number): void => {
    const { startedAt } = reading.exchange;
    if (key.wait !== null && startedAt > key.wait.heardAt && startedAt < key.wait.until - graceMs)
      key.mayBeBanned = true;
    const wait = reading.status === 429 ? retryWait(reading) : null;
    if (wait !== null) key.wait = { heardAt, until: heardAt + Math.max(0, wait.seconds) * 1000 + graceMs };
  };

  return {
    /** Judges one response in the order of arrival. */
    watch: (reading: Reading, probe: Probe): readonly Finding[] => {
      const slot = probe.request.credential.charges;
      if (slot === null || !isOursAlone(slot)) return [];
      const key = stateOf(slot);
      const { startedAt, durationMs } = reading.exchange;
      const heardAt = startedAt + durationMs;
      const date = serverTime(reading);
      if (date !== null) key.server.heard(date, startedAt, heardAt);
      const { dry } = key;
      const wasSentBefore = dry !== null && startedAt <= dry.heardAt;
      const isNext = dry !== null && startedAt >= dry.until && probe.request.credential !== lowerCaseBearer;
      noteWait(key, reading, heardAt);
      const findings = isNext ? judge(slot, key, dry, reading, probe) : [];
      if (reading.status !== 429 && !isDenied(reading)) key.mayBeBanned = false;
      if (!wasSentBefore) key.dry = null;
      if (isOfTheKey(reading, probe)) key.limit = limitState(reading)?.limit ?? key.limit;
      noteDry(key, reading, heardAt);
      return findings;
    },
  };
};

const refusedAfterReset = ({ limit, reset }: LimitState, reading: Reading): Finding => ({
  kind: 'breach',
  requirement: 'RATE-13',
  problem: {
    rule: 'refused-after-reset',
    limit,
    reset,
    shown: {
      reset: reading.header('x-ratelimit-reset').join(', '),
      date: reading.header('date').join(', '),
    },
  },
  exchange: reading.exchange,
});
