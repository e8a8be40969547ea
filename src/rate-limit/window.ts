import type { RateLimit } from './headers.ts';

/** Position in the order of all requests sent and all responses received. */
export type Sequence = number;

/**
 * The window shown by a response, with the local time of the response. The limit identifies a counter: a server may show the limit of the
 * minute now, and the limit of the day later.
 */
export interface WindowReading extends Pick<RateLimit, 'limit' | 'remaining' | 'resetAt'> {
  /** Local time after which more requests are certainly allowed. */
  readonly renewsAt: number;
  readonly at: number;
  /** False: the request was sent without the key, and may not be charged to it. */
  readonly withKey: boolean;
}

interface Sample extends Pick<WindowReading, 'resetAt' | 'renewsAt' | 'withKey'> {
  readonly at: Sequence;
  readonly remaining: number;
  readonly receivedAt: number;
}

/** The samples of one counter. Several counters may have the same limit. */
export interface Counter {
  readonly limit: number | null;
  readonly latestSent: Sequence;
  readonly samples: readonly Sample[];
  /** Requests that the server may have counted after the latest sample. */
  readonly unaccounted: readonly Sequence[];
}

/** Counters of a minute and of a day for each operation. */
const COUNTERS_AT_ONCE = 8;
/** Each operation may have a separate counter. */
const MOST_OF_A_LIMIT = 4;
/** A whole limit takes at least this long to refill, except by a new window. */
const REFILL_MS = 40_000;
/** Possible costs of a request. If Remaining falls by more for each, it belongs to another counter. */
const COSTS = [1, 2, 3] as const;

/** Number of unknown requests that may have been charged to the key. */
const FEW = 3;

const unknown: Counter = { limit: null, latestSent: -1, samples: [], unaccounted: [] };

/**
 * The windows in which the server counts the requests of a key, from response headers only.
 *
 * Responses arrive out of order, so the last to arrive may not be the last that the server made. Take the latest request that has a
 * response. The server's last response arrived after this request was sent. Since that response, the server has counted only requests that
 * are still in flight. So the lowest Remaining of these responses, minus the requests in flight, is a lower bound. It is valid for fixed
 * windows, sliding windows, and token buckets, and across the edges of windows.
 *
 * If Remaining falls by more, and only this run uses the key, a request may be charged as several. If it rises faster than a refill within
 * a window, it belongs to another counter with the same limit, for example of another operation.
 */
export const createWindow = (
  /** Tells whether only this run uses the key. */
  isExclusive: () => boolean,
  /** Returns how many requests of a limit are reserved for other clients. */
  reserveOf: (limit: number) => number = () => 0,
) => ({
  isExclusive,
  reserveOf,
  sent: 0,
  ended: 0,
  /** The highest cost of a request so far. */
  cost: 1,
  /** The highest cost that a few unknown requests cannot explain. */
  sureCost: 1,
  /** For each request in flight: the number of responses that had arrived when it was sent. */
  endedBefore: new Map<Sequence, number>(),
  /** For each cost: the highest possible Remaining, minus requests sent since, if no request costs more. */
  ceilings: [] as readonly number[],
  /** The counter of the latest response comes first. */
  counters: [unknown] as readonly Counter[],
  /** There are too many counters to distinguish them. */
  isNoisy: false,
});

type Window = ReturnType<typeof createWindow>;

const positionOf = ({ sent, ended }: Window): Sequence => sent + ended;

export const inFlight = ({ sent, ended }: Window): number => sent - ended;

/** Returns a higher cost while requests are in flight, because their responses may show it and arrive soon. */
const costNow = (window: Window): number => (inFlight(window) > 0 ? window.cost + 1 : window.cost);

/** Returns the counter that allows this run the fewest requests. */
const lowestCounter = (window: Window): { readonly lowest: Sample; readonly sure: number } | undefined => {
  const lows = window.counters.flatMap(({ limit, samples, unaccounted }) => {
    const lowest = lowestOf(samples);
    if (lowest === undefined) return [];
    const charged = costNow(window) * unaccounted.length;
    return [{ lowest, sure: lowest.remaining - window.reserveOf(limit ?? 0) - charged }];
  });
  return least(lows, ({ sure }) => sure);
};

/** Returns how many more requests the server certainly serves, besides those reserved for other clients. Null: unknown. */
export const remainingIn = (window: Window): number | null => {
  const lowest = lowestCounter(window);
  // The full cost of the next request must remain.
  return lowest === undefined ? null : lowest.sure - costNow(window) * (inFlight(window) + 1) + 1;
};

export const renewsAt = (window: Window): number => lowestCounter(window)?.lowest.renewsAt ?? 0;

export const recordSent = (window: Window): Sequence => {
  window.sent += 1;
  window.endedBefore.set(positionOf(window), window.ended);
  return positionOf(window);
};

const recordEnded = (window: Window, sent: Sequence): number => {
  const before = window.endedBefore.get(sent);
  if (before === undefined) throw new Error(`No request is in flight since ${sent}: it came back before.`);
  window.endedBefore.delete(sent);
  window.ended += 1;
  return before;
};

/** Records a response. Returns its position in the order of all. */
export const recordResponse = (window: Window, sent: Sequence, reading: WindowReading): Sequence => {
  const { limit, remaining, resetAt, renewsAt, at, withKey } = reading;
  const before = recordEnded(window, sent);
  const known = counterOf(window, sent, reading);
  // Another counter was charged, not the counter of the key.
  if (!withKey && known === undefined && window.counters.some((each) => each.limit === limit))
    return positionOf(window);
  recordUnaccounted(window, remaining === null ? undefined : known);
  if (remaining === null) return positionOf(window);
  // The counter of requests without a key may have the same limit.
  if (withKey) learnCost(window, remaining, before);
  const { samples, unaccounted, latestSent: earlier } = known ?? firstSeen(window, before, limit);
  const latestSent = Math.max(earlier, sent);
  const isLater = (place: Sequence): boolean => place > latestSent;
  const sample = { at: positionOf(window), receivedAt: at, remaining, resetAt, renewsAt, withKey };
  const kept = [...samples, sample].filter((each) => isLater(each.at));
  putFirst(window, { limit, latestSent, samples: kept, unaccounted: unaccounted.filter(isLater) }, known, at);
  return positionOf(window);
};

/** Records a request without a response. The server may have counted it. */
export const recordLost = (window: Window, sent: Sequence): void => {
  recordEnded(window, sent);
  recordUnaccounted(window);
};

/** Records a request that was not charged to the key. */
export const recordNotCharged = (window: Window, sent: Sequence): void => {
  recordEnded(window, sent);
};

/** Forgets all samples. */
export const resetWindow = (window: Window): void => {
  window.counters = [unknown];
  window.ceilings = [];
};

/** A request may be charged to every counter, except the counter that its response shows. */
const recordUnaccounted = (window: Window, except?: Counter): void => {
  window.counters = window.counters.map((each) =>
    each === except ? each : { ...each, unaccounted: [...each.unaccounted, positionOf(window)] },
  );
};

/**
 * Between two responses, the server can have counted only requests that were in flight when the first of them was sent. If Remaining fell
 * by more, a request was charged as several.
 */
const learnCost = (window: Window, remaining: number, before: number): void => {
  const { ceilings, counters, sent } = window;
  const counted = sent - 1 + (counters[0]?.unaccounted.length ?? 0);
  const exceeded = (unknown: number): number =>
    COSTS.filter((cost, index) => (ceilings[index] ?? 0) > remaining + cost * counted + unknown).length;
  const isOtherCounter = exceeded(0) === COSTS.length;
  if (window.isExclusive() && !isOtherCounter) {
    window.cost = Math.max(window.cost, exceeded(0) + 1);
    window.sureCost = Math.max(window.sureCost, exceeded(FEW) + 1);
  }
  window.ceilings = COSTS.map((cost, index) => {
    const ceiling = remaining + cost * before;
    return isOtherCounter ? ceiling : Math.max(ceilings[index] ?? ceiling, ceiling);
  });
};

const putFirst = (window: Window, latest: Counter, known: Counter | undefined, at: number): void => {
  const others = window.counters.filter(
    (each) => each !== known && (lowestOf(each.samples)?.renewsAt ?? 0) > at,
  );
  const ofLimit = others.filter(({ limit }) => limit === latest.limit);
  window.isNoisy ||= ofLimit.length >= MOST_OF_A_LIMIT;
  const kept = window.isNoisy ? others.filter((each) => !ofLimit.includes(each)) : others;
  window.counters = [latest, ...kept].slice(0, COUNTERS_AT_ONCE);
};

/** Returns the counter that a response may show. Of several, the lowest Remaining wins. */
const counterOf = (window: Window, sent: Sequence, reading: WindowReading): Counter | undefined => {
  const ofLimit = window.counters.filter(({ limit }) => limit === reading.limit);
  if (window.isNoisy) return ofLimit[0];
  const possible = ofLimit.filter(({ samples }) =>
    samples.every((each) => each.at > sent || !isRaised(each, reading)),
  );
  return least(possible, ({ samples }) => lowestOf(samples)?.remaining ?? 0);
};

/** Creates a counter that appears for the first time. It may have been charged for all responses since the request was sent. */
const firstSeen = (window: Window, before: number, limit: number | null): Counter => ({
  ...unknown,
  limit,
  unaccounted: Array.from({ length: window.ended - before - 1 }, () => positionOf(window)),
});

/** Tells whether Remaining rose by more than a refill within the same window, which has the same Reset. */
const isRaised = (before: Sample, { limit, remaining, resetAt, at, withKey }: WindowReading): boolean => {
  // The earlier response showed another counter.
  if (withKey && !before.withKey) return false;
  const refilled = 1 + ((limit ?? 0) * (at - before.receivedAt)) / REFILL_MS;
  return resetAt !== null && resetAt === before.resetAt && (remaining ?? 0) > before.remaining + refilled;
};

const lowestOf = (samples: readonly Sample[]): Sample | undefined =>
  least(samples, ({ remaining }) => remaining);

/** Returns the first item with the smallest value. */
const least = <Item>(items: readonly Item[], numberOf: (item: Item) => number): Item | undefined =>
  items.reduce<Item | undefined>(
    (low, each) => (low !== undefined && numberOf(low) <= numberOf(each) ? low : each),
    undefined,
  );
