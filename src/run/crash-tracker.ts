import type { Exchange } from '../http/exchange.ts';
import type { ParsedResponse } from '../http/parsed-response.ts';
import type { Probe } from '../oracle/probe.ts';
import type { Cause } from './evidence.ts';
import type { Crash } from './outcome.ts';

/** A request whose connection was dropped before an answer came. */
export interface Dropped {
  readonly probe: Probe;
  readonly exchange: Exchange;
}

/** A request that was answered. */
export interface Answered {
  readonly probe: Probe;
  readonly reading: ParsedResponse;
}

/** What was going on when a target went down: any request that was under way may have done it, or one that had just been answered. */
export interface CrashTracker {
  dropped(lost: Dropped): void;
  answered(answered: Answered): void;
  /** What was dropped since the target last took a request up and answered it; what the document does not describe comes first. */
  suspects(): readonly Dropped[];
  /** Milliseconds from the given time until what is sent no longer meets a process that is going down, or its connections. */
  unsettledFor(now: number): number;
  /** The last answers, in the order in which they came. */
  lastAnswered(): readonly Answered[];
}

const mostAnswered = 3;
const settlingMs = 500;

const endOf = ({ startedAt, durationMs }: Exchange): number => startedAt + durationMs;

/** Nothing is going on yet. */
export const createCrashTracker = (): CrashTracker => {
  let suspects: Dropped[] = [];
  let lastDrop = Number.NEGATIVE_INFINITY;
  const lastAnswered: Answered[] = [];
  return {
    dropped: (lost) => {
      suspects.push(lost);
      lastDrop = Math.max(lastDrop, endOf(lost.exchange));
    },
    answered: (answered) => {
      const { startedAt } = answered.reading.exchange;
      suspects = suspects.filter(({ exchange }) => endOf(exchange) > startedAt);
      lastAnswered.push(answered);
      if (lastAnswered.length > mostAnswered) lastAnswered.shift();
    },
    suspects: () => suspects.toSorted((a, b) => Number(isOrdinary(a)) - Number(isOrdinary(b))),
    unsettledFor: (now) => Math.max(0, lastDrop + settlingMs - now),
    lastAnswered: () => lastAnswered,
  };
};

const isOrdinary = ({ probe }: Dropped): boolean => probe.inputSpace === 'documented';

/**
 * Causes without those of requests that only found the target gone, where others were under way when it went down: those come first, what
 * the document does not describe before the rest.
 */
export const withoutAfterCrash = (causes: readonly Cause[], crashTracker: CrashTracker): readonly Cause[] => {
  const suspects = crashTracker.suspects().map(({ exchange }) => exchange);
  const rank = ({ breach }: Cause): number => suspects.indexOf(breach.exchange);
  if (causes.every((cause) => rank(cause) < 0)) return causes;
  return causes
    .filter(({ breach }) => breach.exchange.failure?.kind !== 'refused')
    .toSorted((a, b) => rank(a) - rank(b));
};

/**
 * What was going on when a target went down: all that is under way then is dropped, and nothing can be sent again, so the request that
 * did it is not known for sure.
 */
export const crashOf = (crashTracker: CrashTracker, exchange: Exchange): Crash => {
  const suspects = crashTracker.suspects();
  return {
    isDuringRequest: suspects.length > 0,
    others: suspects.filter((suspect) => suspect.exchange !== exchange).map(({ probe }) => probe),
    last: crashTracker.lastAnswered().map(({ probe, reading }) => ({ probe, status: reading.status })),
  };
};
