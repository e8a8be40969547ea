import type { Probe } from '../finding/probe.ts';
import type { Exchange } from '../http/exchange.ts';
import type { ParsedResponse } from '../http/parsed-response.ts';
import { isFlaky } from './evidence.ts';
import type { Crash, FoundFailure } from './found-outcome.ts';

/** A request whose connection was dropped before a response came. */
export interface DroppedRequest {
  readonly probe: Probe;
  readonly exchange: Exchange;
}

/** A request with its response. */
export interface RespondedRequest {
  readonly probe: Probe;
  readonly response: ParsedResponse;
}

export type CrashTracker = ReturnType<typeof createCrashTracker>;

const maxResponses = 3;
const settlingMs = 500;

const endOf = ({ startedAt, durationMs }: Exchange): number => startedAt + durationMs;

/** Remembers the requests that may have brought a target down: any in flight at the time, or one that just got its response. */
export const createCrashTracker = () => {
  let suspects: DroppedRequest[] = [];
  let lastDrop = Number.NEGATIVE_INFINITY;
  const lastResponses: RespondedRequest[] = [];
  return {
    dropped: (lost: DroppedRequest): void => {
      suspects.push(lost);
      lastDrop = Math.max(lastDrop, endOf(lost.exchange));
    },
    responded: (responded: RespondedRequest): void => {
      const { startedAt } = responded.response.exchange;
      suspects = suspects.filter(({ exchange }) => endOf(exchange) > startedAt);
      lastResponses.push(responded);
      if (lastResponses.length > maxResponses) lastResponses.shift();
    },
    /** Requests that were dropped since the target last accepted a request and responded; undocumented requests come first. */
    suspects: (): readonly DroppedRequest[] =>
      suspects.toSorted((a, b) => Number(isOrdinary(a)) - Number(isOrdinary(b))),
    /** Milliseconds from the given time until a request no longer reaches a process that is going down, or its connections. */
    settleTimeLeft: (now: number): number => Math.max(0, lastDrop + settlingMs - now),
    /** The last responses, in the order of arrival. */
    lastResponses: (): readonly RespondedRequest[] => lastResponses,
  };
};

const isOrdinary = ({ probe }: DroppedRequest): boolean => probe.inputSpace === 'documented';

/**
 * The failures without requests that only found the target gone, if other requests were in flight when it went down. Suspects come first,
 * undocumented ones before the others.
 */
export const withoutAfterCrash = (
  failures: readonly FoundFailure[],
  crashTracker: CrashTracker,
): readonly FoundFailure[] => {
  const suspects = crashTracker.suspects().map(({ exchange }) => exchange);
  const rank = ({ breach }: FoundFailure): number => suspects.indexOf(breach.exchange);
  if (failures.every((failure) => rank(failure) < 0)) return failures;
  return failures
    .filter(({ breach }) => breach.exchange.failure?.kind !== 'refused')
    .toSorted((a, b) => rank(a) - rank(b));
};

/**
 * What was sent when a target went down. Everything in flight is dropped, and nothing can be sent again, so the request that did it is not
 * certain.
 */
export const crashOf = (crashTracker: CrashTracker, exchange: Exchange): Crash => {
  const suspects = crashTracker.suspects();
  return {
    inFlight: suspects.map(({ probe }) => probe),
    isAlone: suspects.length > 0 && suspects.every((suspect) => suspect.exchange === exchange),
    last: crashTracker.lastResponses().map(({ probe, response }) => ({ probe, status: response.status })),
  };
};

/** One failure may be an accident. */
const fewestFailures = 2;

const isOrdinaryList = ({ request, inputSpace }: Probe): boolean =>
  request.operation === 'listPets' && inputSpace === 'documented' && request.credential.chargedTo !== null;

/** A creation that failed may be stored, too. */
const mayHaveStored = ({ request }: Probe, { status }: ParsedResponse): boolean =>
  request.operation === 'createPet' && (status === 201 || status >= 500);

/** The first list that failed, and what came after it. */
interface Breakage {
  readonly list: Exchange;
  failed: number;
  listed: number;
  /** Other requests were served: the server as a whole works. */
  others: number;
}

/**
 * The last creation before the list; or one in flight with it, if a list succeeded after the last one before.
 *
 * @param lastServed when the last successful list started
 */
const culpritOf = (list: Exchange, stored: readonly Exchange[], lastServed: number): Exchange | null => {
  const isBefore = (creation: Exchange) => creation.id < list.id && endOf(creation) <= list.startedAt;
  const isDuring = (creation: Exchange) => !isBefore(creation);
  const [before = null, during = null] = [isBefore, isDuring].map((fits) => stored.findLast(fits));
  if (before === null) return during;
  return endOf(before) <= lastServed ? (during ?? before) : before;
};

/**
 * Finds the creation since which lists fail: a store may keep a name that it cannot list. The creation itself looks fine, and every
 * failure after it points at the list.
 */
export const createListBreakage = () => {
  const stored: Exchange[] = [];
  let lastServed: number | null = null;
  let breakage: Breakage | null = null;

  const noteList = ({ status, exchange }: ParsedResponse): void => {
    if (status >= 500 && breakage === null) breakage = { list: exchange, failed: 1, listed: 0, others: 0 };
    else if (status >= 500 && breakage !== null) breakage.failed += 1;
    else if (status === 200 && breakage !== null) breakage.listed += 1;
    else if (status === 200) lastServed = Math.max(lastServed ?? exchange.startedAt, exchange.startedAt);
  };

  return {
    /** To be called for every response, in the order of arrival. */
    responded: ({ probe, response }: RespondedRequest): void => {
      if (isOrdinaryList(probe)) noteList(response);
      else if (breakage !== null && response.status < 300) breakage.others += 1;
      const isEarly = breakage === null || response.exchange.startedAt < endOf(breakage.list);
      if (isEarly && mayHaveStored(probe, response)) stored.push(response.exchange);
    },
    /** Null: lists never failed, or failed in another way. */
    culprit: (): Exchange | null => {
      if (breakage === null || lastServed === null) return null;
      const { list, failed, listed, others } = breakage;
      return failed >= fewestFailures && failed > listed && others > 0
        ? culpritOf(list, stored, lastServed)
        : null;
    },
  };
};

const hasTimedOut = ({ breach }: FoundFailure): boolean => breach.exchange.failure?.kind === 'timeout';

const isDropped = ({ breach }: FoundFailure): boolean => breach.exchange.failure?.kind === 'reset';

/**
 * Returns the failures without bystanders: a server that crashes on one request drops the connections of the others. A dropped connection
 * that did not repeat is left out if another one did. Time-outs come last, because they are not sent again.
 */
export const withoutSideEffects = (failures: readonly FoundFailure[]): readonly FoundFailure[] => {
  const isCrashing = failures.some((failure) => isDropped(failure) && !isFlaky(failure));
  return failures
    .filter((failure) => !(isCrashing && isDropped(failure) && isFlaky(failure)))
    .toSorted((a, b) => Number(hasTimedOut(a)) - Number(hasTimedOut(b)));
};
