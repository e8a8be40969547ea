import type { KeySlot } from '../../http/exchange.ts';
import { type ParsedResponse, serverTime } from '../../http/parsed-response.ts';
import { breachOf, explainedByOtherLimit, type Finding } from '../../oracle/finding.ts';
import type { Probe } from '../../oracle/probe.ts';
import { retryWait } from '../headers.ts';
import { limitState } from '../limit-state.ts';
import type { OtherLimit } from './other-limit.ts';

/** So many waits in a row must end with another 429 before a failure is reported. */
const maxWaits = 3;
/** A wait this long speaks of the day's limit. */
const longWait = 120;
/** Seconds have no fraction. */
const graceMs = 1_000;

/** A 429 whose time is waited out. By the run's clock, in milliseconds. */
interface Wait {
  readonly receivedAt: number;
  readonly waitEndsAt: number;
  /** Waits before this one that were kept, with nothing served since; null: one was not kept, or nobody can tell. */
  readonly kept: number | null;
}

interface Options {
  isOursAlone(slot: KeySlot): boolean;
  readonly otherLimit: Pick<OtherLimit, 'mayExplain'>;
}

/** When a 429 allows the next request; null: it does not say, or says so that nothing can be held against it. */
const waitEndsAt = (response: ParsedResponse, receivedAt: number): number | null => {
  const wait = retryWait(response);
  if (wait === null || wait.seconds > longWait) return null;
  if (!wait.isDate) return receivedAt + wait.seconds * 1000 + graceMs;
  // A Date cuts off up to a second, which is grace enough.
  return serverTime(response) === null ? null : receivedAt + Math.max(0, wait.seconds) * 1000;
};

/**
 * Judges RATE-8 on the 429s that nobody asked for, of a key that is ours alone: refused again each time that Retry-After was waited
 * out, it is not served after the time given. One request during a wait, and the key may be banned: then nothing is judged until a
 * request is served.
 */
export const createRetryAfterMonitor = ({ isOursAlone, otherLimit }: Options) => {
  const waits = new Map<KeySlot, Wait>();

  /** The wait that begins with a 429, or goes on. */
  const waitAfter = (before: Wait | undefined, response: ParsedResponse, expects429: boolean): Wait => {
    const { startedAt, durationMs } = response.exchange;
    const receivedAt = startedAt + durationMs;
    const over = waitEndsAt(response, receivedAt);
    if (expects429 || over === null || before?.kept === null)
      return { receivedAt, waitEndsAt: receivedAt, kept: null };
    if (before === undefined) return { receivedAt, waitEndsAt: over, kept: 0 };
    // It was under way already.
    if (startedAt <= before.receivedAt) return { ...before, waitEndsAt: Math.max(before.waitEndsAt, over) };
    return { receivedAt, waitEndsAt: over, kept: startedAt < before.waitEndsAt ? null : before.kept + 1 };
  };

  return {
    /** Judges one response in the order of arrival. `expects429`: a 429 may come, so nothing was waited for. */
    observe: (
      response: ParsedResponse,
      { request }: Probe,
      { expects429 }: { readonly expects429: boolean },
    ): readonly Finding[] => {
      const slot = request.credential.chargedTo;
      if (slot === null || !isOursAlone(slot)) return [];
      const before = waits.get(slot);
      if (response.status !== 429) {
        if (before !== undefined && response.exchange.startedAt > before.receivedAt) waits.delete(slot);
        return [];
      }
      const wait = waitAfter(before, response, expects429);
      waits.set(slot, wait);
      if (wait === before || (wait.kept ?? 0) < maxWaits) return [];
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
