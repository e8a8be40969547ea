import { breachOf, explainedByOtherLimit, type Finding } from '../../finding/finding.ts';
import type { Probe } from '../../finding/probe.ts';
import type { KeySlot } from '../../http/exchange.ts';
import { type ParsedResponse, serverTime } from '../../http/parsed-response.ts';
import { retryWait } from '../headers.ts';
import { limitState } from '../limit-state.ts';
import type { OtherLimit } from './other-limit.ts';

/** This many waits in a row must end with another 429 before a failure is reported. */
const maxWaits = 3;
/** A longer wait belongs to the daily limit. */
const longWait = 120;
/** Retry-After has whole seconds. */
const graceMs = 1_000;

/** The wait after a 429. Times are milliseconds by the run's clock. */
interface Wait {
  readonly receivedAt: number;
  readonly waitEndsAt: number;
  /** Earlier waits in a row without a request during the wait or a served request since. Null: unknown, or a request was sent too early. */
  readonly completed: number | null;
}

interface Options {
  isExclusive(slot: KeySlot): boolean;
  readonly otherLimit: Pick<OtherLimit, 'mayExplain'>;
}

/** Returns when a 429 allows the next request. Null: it does not say, or not precisely enough for a failure. */
const waitEndsAt = (response: ParsedResponse, receivedAt: number): number | null => {
  const wait = retryWait(response);
  if (wait === null || wait.seconds > longWait) return null;
  if (!wait.isDate) return receivedAt + wait.seconds * 1000 + graceMs;
  // A Date is rounded by up to a second, which is enough grace.
  return serverTime(response) === null ? null : receivedAt + Math.max(0, wait.seconds) * 1000;
};

/**
 * Tests RATE-8 with unexpected 429s of a key that only this run uses. RATE-8 fails if several requests in a row get 429 although each was
 * sent after the end of Retry-After. After a request during a wait, the key may be banned, so testing stops until a request is served.
 */
export const createRetryAfterMonitor = ({ isExclusive, otherLimit }: Options) => {
  const waits = new Map<KeySlot, Wait>();

  /** Returns the wait that starts or continues with a 429. */
  const waitAfter = (before: Wait | undefined, response: ParsedResponse, expects429: boolean): Wait => {
    const { startedAt, durationMs } = response.exchange;
    const receivedAt = startedAt + durationMs;
    const over = waitEndsAt(response, receivedAt);
    if (expects429 || over === null || before?.completed === null)
      return { receivedAt, waitEndsAt: receivedAt, completed: null };
    if (before === undefined) return { receivedAt, waitEndsAt: over, completed: 0 };
    // The request was already in flight.
    if (startedAt <= before.receivedAt) return { ...before, waitEndsAt: Math.max(before.waitEndsAt, over) };
    const completed = startedAt < before.waitEndsAt ? null : before.completed + 1;
    return { receivedAt, waitEndsAt: over, completed };
  };

  return {
    /** Tests one response, in the order of arrival. `expects429`: the request did not wait, so its 429 is acceptable. */
    observe: (
      response: ParsedResponse,
      { request }: Probe,
      { expects429 }: { readonly expects429: boolean },
    ): readonly Finding[] => {
      const slot = request.credential.chargedTo;
      if (slot === null || !isExclusive(slot)) return [];
      const before = waits.get(slot);
      if (response.status !== 429) {
        if (before !== undefined && response.exchange.startedAt > before.receivedAt) waits.delete(slot);
        return [];
      }
      const wait = waitAfter(before, response, expects429);
      waits.set(slot, wait);
      if (wait === before || (wait.completed ?? 0) < maxWaits) return [];
      return otherLimit.mayExplain(slot, limitState(response), response.exchange.startedAt)
        ? [explainedByOtherLimit('RATE-8')]
        : [refusedEachTime(response)];
    },
  };
};

const refusedEachTime = ({ header, exchange }: ParsedResponse): Finding => {
  const retryAfter = header('retry-after').join(', ');
  return breachOf('RATE-8', { rule: 'refused-after-wait', times: maxWaits, retryAfter }, exchange);
};
