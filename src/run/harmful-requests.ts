import type { Exchange } from '../http/exchange.ts';
import type { ParsedResponse } from '../http/parsed-response.ts';
import type { Probe } from '../oracle/probe.ts';
import { type Cause, isFlaky } from './evidence.ts';
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

/**
 * Finds the creation since which lists fail: a store may keep a name that it cannot list. The creation itself looks fine, and every
 * failure after it points at the list.
 */
export interface ListBreakage {
  /** To be called for every response, in the order of arrival. */
  answered(answered: Answered): void;
  /** Null: lists never failed, or failed in another way. */
  culprit(): Exchange | null;
}

/** One failure may be an accident. */
const fewestFailures = 2;

const isOrdinaryList = ({ request, inputSpace }: Probe): boolean =>
  request.operation === 'listPets' && inputSpace === 'documented' && request.credential.charges !== null;

/** A creation that failed may be stored, too. */
const mayHaveStored = ({ request }: Probe, { status }: ParsedResponse): boolean =>
  request.operation === 'createPet' && (status === 201 || status >= 500);

/** What came after the first list that failed. */
interface Since {
  readonly creation: Exchange;
  failed: number;
  listed: number;
  /** Other requests were served: the server as a whole works. */
  others: number;
}

/** No list has failed yet. */
export const createListBreakage = (): ListBreakage => {
  let hasListed = false;
  let isDecided = false;
  let lastStored: Exchange | null = null;
  let since: Since | null = null;

  const beginAt = (list: Exchange): void => {
    isDecided = true;
    if (hasListed && lastStored !== null && lastStored.id < list.id)
      since = { creation: lastStored, failed: 1, listed: 0, others: 0 };
  };

  const noteList = ({ status, exchange }: ParsedResponse): void => {
    const fails = status >= 500;
    if (fails && !isDecided) beginAt(exchange);
    else if (since !== null && fails) since.failed += 1;
    else if (since !== null && status === 200) since.listed += 1;
    hasListed ||= status === 200;
  };

  return {
    answered: ({ probe, reading }) => {
      if (isOrdinaryList(probe)) noteList(reading);
      else if (since !== null && reading.status < 300) since.others += 1;
      if (mayHaveStored(probe, reading)) lastStored = reading.exchange;
    },
    culprit: () =>
      since !== null && since.failed >= fewestFailures && since.failed > since.listed && since.others > 0
        ? since.creation
        : null,
  };
};

const hasTimedOut = ({ breach }: Cause): boolean => breach.exchange.failure?.kind === 'timeout';

const isDropped = ({ breach }: Cause): boolean => breach.exchange.failure?.kind === 'reset';

/**
 * Returns the causes without bystanders: a server that crashes on one request drops the connections of the others. A dropped connection
 * that did not repeat is left out if another one did. Time-outs come last, because they are not sent again.
 */
export const withoutSideEffects = (causes: readonly Cause[]): readonly Cause[] => {
  const isCrashing = causes.some((cause) => isDropped(cause) && !isFlaky(cause));
  return causes
    .filter((cause) => !(isCrashing && isDropped(cause) && isFlaky(cause)))
    .toSorted((a, b) => Number(hasTimedOut(a)) - Number(hasTimedOut(b)));
};
