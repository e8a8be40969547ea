/** Place in the order of all requests sent and all responses received. */
export type Sequence = number;

/** What a response says of a window, and when it came by our clock. */
export interface WindowReading {
  /** Tells counters apart: a server may show the limit of the minute now, and that of the day later. */
  readonly limit: number | null;
  /** Null: the response does not show it. */
  readonly remaining: number | null;
  /** Reset exactly as shown. */
  readonly resetAt: number | null;
  /** Our time from which on more requests are certainly allowed. */
  readonly renewsAt: number;
  readonly at: number;
  /** False: it was sent without the key, and may not be charged to it. */
  readonly withKey: boolean;
}

interface Sample extends Pick<WindowReading, 'resetAt' | 'renewsAt' | 'withKey'> {
  readonly at: Sequence;
  readonly remaining: number;
  readonly receivedAt: number;
}

/** The samples of one limit, or of one of several counters with the same limit. */
interface Counter {
  readonly limit: number | null;
  readonly latestSent: Sequence;
  readonly samples: readonly Sample[];
  /** Requests that the server may have counted after the latest sample. */
  readonly unaccounted: readonly Sequence[];
}

/**
 * What is known of the windows in which the server counts the requests of a key, from response headers only.
 *
 * Responses overtake each other, so the last to arrive need not be the last that the server made. But that one arrived after the latest
 * request known to be answered was sent, and since then the server has counted only requests that are still in flight. So the lowest
 * Remaining of those responses, less the requests in flight, is a lower bound. It holds for fixed windows, sliding windows and token
 * buckets, and across the edges of windows. If Remaining falls by more than that, and only this run uses the key, a request may be charged
 * as several. If it rises within one window faster than anything refills, it is that of another counter with the same limit, for example
 * that of another operation.
 */
export interface Window {
  /** Only this run uses the key. */
  readonly isExclusive: () => boolean;
  sent: number;
  landed: number;
  /** The most that a request was charged as. */
  cost: number;
  /** The same, but for what a few requests that nobody knows of may explain. */
  sureCost: number;
  /** How many responses had come when each of the requests in flight was sent. */
  readonly landedBefore: Map<Sequence, number>;
  /** For each cost, the most that Remaining can be now if no request was charged as more, but for what was sent since. */
  ceilings: readonly number[];
  /** The one that a response showed last comes first. */
  counters: readonly Counter[];
  /** There are too many counters to tell them apart. */
  isNoisy: boolean;
}

/** A minute's and a day's of each operation. */
const COUNTERS_AT_ONCE = 8;
/** Each operation may have a counter of its own. */
const MOST_OF_A_LIMIT = 4;
/** A whole limit is refilled in no less than this, except by a new window. */
const REFILL_MS = 40_000;
/** What one request may be charged as. If Remaining falls by more for each, it is that of another counter. */
const COSTS = [1, 2, 3] as const;

/** So many requests may be charged that were not sent with the key. */
const FEW = 3;

const unknown: Counter = { limit: null, latestSent: -1, samples: [], unaccounted: [] };

export const createWindow = (isExclusive: () => boolean): Window => ({
  isExclusive,
  sent: 0,
  landed: 0,
  cost: 1,
  sureCost: 1,
  landedBefore: new Map(),
  ceilings: [],
  counters: [unknown],
  isNoisy: false,
});

const now = ({ sent, landed }: Window): Sequence => sent + landed;

/** The number of requests in flight. */
export const inFlight = ({ sent, landed }: Window): number => sent - landed;

/** While requests are in flight, their responses may show a higher cost: waiting for them is short. */
const costNow = (window: Window): number => (inFlight(window) > 0 ? window.cost + 1 : window.cost);

/** The counter that surely allows the fewest requests. */
const lowestCounter = (window: Window): { readonly lowest: Sample; readonly sure: number } | undefined => {
  const lows = window.counters.flatMap(({ samples, unaccounted }) => {
    const lowest = lowestOf(samples);
    return lowest === undefined
      ? []
      : [{ lowest, sure: lowest.remaining - costNow(window) * unaccounted.length }];
  });
  return least(lows, ({ sure }) => sure);
};

/** How many more requests the server certainly serves; null: not known. */
export const remainingIn = (window: Window): number | null => {
  const lowest = lowestCounter(window);
  // The next request must be paid for in full.
  return lowest === undefined ? null : lowest.sure - costNow(window) * (inFlight(window) + 1) + 1;
};

export const renewsAt = (window: Window): number => lowestCounter(window)?.lowest.renewsAt ?? 0;

export const recordSent = (window: Window): Sequence => {
  window.sent += 1;
  window.landedBefore.set(now(window), window.landed);
  return now(window);
};

const recordLanded = (window: Window, sent: Sequence): number => {
  const before = window.landedBefore.get(sent);
  if (before === undefined) throw new Error(`No request is in flight since ${sent}: it came back before.`);
  window.landedBefore.delete(sent);
  window.landed += 1;
  return before;
};

/** A response. Returns its place in the order of all. */
export const recordResponse = (window: Window, sent: Sequence, reading: WindowReading): Sequence => {
  const { limit, remaining, resetAt, renewsAt, at, withKey } = reading;
  const before = recordLanded(window, sent);
  const known = counterOf(window, sent, reading);
  // Another counter was charged, not that of the key.
  if (!withKey && known === undefined && window.counters.some((each) => each.limit === limit))
    return now(window);
  recordUnaccounted(window, remaining === null ? undefined : known);
  if (remaining === null) return now(window);
  // Another counter may have the same limit: that of requests without a key.
  if (withKey) learnCost(window, remaining, before);
  const { samples, unaccounted, latestSent: earlier } = known ?? firstSeen(window, before, limit);
  const latestSent = Math.max(earlier, sent);
  const isLater = (place: Sequence): boolean => place > latestSent;
  const sample = { at: now(window), receivedAt: at, remaining, resetAt, renewsAt, withKey };
  const kept = [...samples, sample].filter((each) => isLater(each.at));
  putFirst(window, { limit, latestSent, samples: kept, unaccounted: unaccounted.filter(isLater) }, known, at);
  return now(window);
};

/** No response came: the server may have counted the request. */
export const recordLost = (window: Window, sent: Sequence): void => {
  recordLanded(window, sent);
  recordUnaccounted(window);
};

/** The request was not charged to the key. */
export const recordNotCharged = (window: Window, sent: Sequence): void => {
  recordLanded(window, sent);
};

/** Forgets all samples. */
export const resetWindow = (window: Window): void => {
  window.counters = [unknown];
  window.ceilings = [];
};

/** A request may be charged to every counter except the one that its response shows. */
const recordUnaccounted = (window: Window, except?: Counter): void => {
  window.counters = window.counters.map((each) =>
    each === except ? each : { ...each, unaccounted: [...each.unaccounted, now(window)] },
  );
};

/**
 * Between two responses the server can have counted only requests that were in flight when the first of them was sent. If Remaining fell by
 * more, some request was charged as several.
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

/** The counter that a response may show; of several, the one with the lowest Remaining. */
const counterOf = (window: Window, sent: Sequence, reading: WindowReading): Counter | undefined => {
  const ofLimit = window.counters.filter(({ limit }) => limit === reading.limit);
  if (window.isNoisy) return ofLimit[0];
  const possible = ofLimit.filter(({ samples }) =>
    samples.every((each) => each.at > sent || !isRaised(each, reading)),
  );
  return least(possible, ({ samples }) => lowestOf(samples)?.remaining ?? 0);
};

/** A counter that is shown for the first time: it may have been charged for what came back since the request was sent. */
const firstSeen = (window: Window, before: number, limit: number | null): Counter => ({
  ...unknown,
  limit,
  unaccounted: Array.from({ length: window.landed - before - 1 }, () => now(window)),
});

/** Remaining rose by more than a refill. Compared only within the same Reset: a new window has another. */
const isRaised = (before: Sample, { limit, remaining, resetAt, at, withKey }: WindowReading): boolean => {
  // Then it is the earlier response that showed another counter.
  if (withKey && !before.withKey) return false;
  const refilled = 1 + ((limit ?? 0) * (at - before.receivedAt)) / REFILL_MS;
  return resetAt !== null && resetAt === before.resetAt && (remaining ?? 0) > before.remaining + refilled;
};

const lowestOf = (samples: readonly Sample[]): Sample | undefined =>
  least(samples, ({ remaining }) => remaining);

/** The first item with the smallest value. */
const least = <Item>(items: readonly Item[], numberOf: (item: Item) => number): Item | undefined =>
  items.reduce<Item | undefined>(
    (low, each) => (low !== undefined && numberOf(low) <= numberOf(each) ? low : each),
    undefined,
  );
