import type { RequestKind } from '../http/pacing-types.ts';
import { memoizedByValue } from '../util/memoize.ts';
import type { Sequence } from './window.ts';

export type RequestCosts = ReturnType<typeof createRequestCosts>;

const LIMITED = 429;

/** Learns the highest cost of requests by kind and status: the smallest fall of Remaining over one request alone. */
export const createRequestCosts = () => {
  const costsOf = memoizedByValue((_kind: string) => new Map<number, number>());
  /** By kind, and of all: a window asks for them with each response. */
  const highestOf = new Map<string, number>();
  let highest = 1;

  return {
    /** Records the fall of Remaining over this one request. */
    learn: ({ kind, status }: LoggedRequest, fall: number): void => {
      if (status === null) return;
      const known = costsOf(kind);
      known.set(status, Math.min(known.get(status) ?? fall, fall));
      highestOf.set(kind, Math.max(1, ...known.values()));
      highest = Math.max(...highestOf.values());
    },
    /** Returns the highest cost, or infinity if it is unknown. */
    most: ({ kind, safe, status }: LoggedRequest): number => {
      if (kind === keyless.name) return highest;
      if (status !== null && status !== LIMITED) {
        const known = costsOf(kind).get(status);
        return known === undefined ? Number.POSITIVE_INFINITY : Math.max(1, known);
      }
      // The status is unknown, or says nothing about the cost.
      return (safe ? highestOf.get(kind) : undefined) ?? Number.POSITIVE_INFINITY;
    },
  };
};

/** A request of this run that may be charged to a key. */
export interface LoggedRequest {
  readonly kind: string;
  readonly safe: boolean;
  readonly sentAt: Sequence;
  /** When the oldest request was sent that was in flight at `sentAt`. */
  readonly oldestInFlight: Sequence;
  /** Infinite while it is in flight. */
  endedAt: Sequence;
  /** Null: no response, or not yet. */
  status: number | null;
}

export type RequestLog = ReturnType<typeof createRequestLog>;

/** A request without a valid key. */
export const keyless: RequestKind = { name: 'keyless', safe: true };

const KEPT = 1_000;

/** The latest requests of a run, with any key, because two keys may share a counter. */
export const createRequestLog = () => {
  let requests: LoggedRequest[] = [];
  let droppedUntil: Sequence = 0;
  let place: Sequence = 0;
  /** In the order of sending. */
  const inFlight = new Set<LoggedRequest>();

  const dropOldest = (): void => {
    const dropped = requests.slice(0, -KEPT);
    droppedUntil = Math.max(droppedUntil, ...dropped.map(({ endedAt }) => Math.min(endedAt, place)));
    requests = requests.slice(-KEPT);
  };

  return {
    sent: ({ name, safe }: RequestKind): LoggedRequest => {
      place += 1;
      const [oldest] = inFlight;
      const request: LoggedRequest = {
        kind: name,
        safe,
        sentAt: place,
        oldestInFlight: oldest?.sentAt ?? place,
        endedAt: Number.POSITIVE_INFINITY,
        status: null,
      };
      requests.push(request);
      inFlight.add(request);
      if (requests.length >= 2 * KEPT) dropOldest();
      return request;
    },
    ended: (request: LoggedRequest, status: number | null): void => {
      place += 1;
      inFlight.delete(request);
      request.endedAt = place;
      request.status = status;
    },
    /** Returns the requests that the server may have counted after `earlier`, up to and including `later`. Null: no longer known. */
    between: (earlier: LoggedRequest, later: LoggedRequest): readonly LoggedRequest[] | null => {
      if (earlier.sentAt < droppedUntil) return null;
      const from = requests.findLastIndex(({ sentAt }) => sentAt < earlier.oldestInFlight) + 1;
      return requests
        .slice(from)
        .filter((each) => each !== earlier && each.endedAt > earlier.sentAt && each.sentAt < later.endedAt);
    },
    inFlight: (): number => inFlight.size,
  };
};
