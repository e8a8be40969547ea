import { MINUTE_MS } from './limit-reading.ts';

/** A request on its way: its place in the order of all sendings and answers. */
export type Tick = number;

/** What is known of the window that the server counts our requests in, from the headers of its answers alone. */
export interface WindowView {
  sent(): Tick;
  /** @returns the place of the answer */
  answered(sent: Tick, heard: Heard): Tick;
  lost(sent: Tick): void;
  /** It was not counted in this window after all. */
  spared(sent: Tick): void;
  /** What was known no longer counts. */
  forget(): void;
  inFlight(): number;
  /** How many more requests the server is sure to serve; null: nothing is known. */
  left(): number | null;
  renewsAt(): number;
}

/** What an answer says, with our time at which it came. */
export interface Heard {
  /** Whose Remaining it is: a server may show the limit of the minute now, and that of the day then. */
  readonly limit: number | null;
  /** Null: the answer did not say. */
  readonly remaining: number | null;
  /** The very Reset of the answer. */
  readonly resetAt: number | null;
  /** Our time from which on more is surely to be had. */
  readonly renewsAt: number;
  readonly at: number;
  /** Else it was sent without the key, and is perhaps not charged to it. */
  readonly withKey: boolean;
}

interface Told extends Pick<Heard, 'resetAt' | 'renewsAt' | 'withKey'> {
  readonly at: Tick;
  readonly remaining: number;
  readonly heardAt: number;
}

/** What is told of one limit, or of one of several counters with the same limit. */
interface Shown {
  readonly limit: number | null;
  readonly latestSent: Tick;
  readonly told: readonly Told[];
  /** Requests that the server may have counted after what it told last. */
  readonly uncertain: readonly Tick[];
}

/** A minute's and a day's of each operation. */
const COUNTERS_AT_ONCE = 8;
/** Each operation may have a counter of its own. More of them than this, with one limit, are noise. */
const MOST_OF_A_LIMIT = 4;
/** In no less than this a whole limit is refilled, short of a new window. */
const REFILL_MS = MINUTE_MS / 1.5;

/** What one request may be charged as. Where Remaining falls by more for each, it is that of another counter. */
const CHARGES = [1, 2, 3] as const;

/**
 * Answers overtake each other, so the last to arrive is not the last that the server made. But whichever that was, it arrived after
 * the latest request known to be answered had been sent; and since then the server has served only what is still in flight.
 * So the least Remaining of those answers, less what is in flight, is a lower bound. It holds for fixed windows, sliding windows and token
 * buckets alike, as in all of them Remaining falls by our own requests only, and across the edges of windows too. Where it falls by more,
 * and the key is ours alone, a request may be charged as several: it is reckoned so from then on. Where it rises within one window, and
 * faster than anything refills, it is told of another counter of the same limit: operations may be counted apart.
 */
export const createWindowView = ({ ours }: { readonly ours: () => boolean }): WindowView => {
  let sentInAll = 0;
  let landedInAll = 0;
  let charge = 1;
  /** How many had come back when each of those under way was sent. */
  const landedBefore = new Map<Tick, number>();
  /** For each charge, the most that Remaining can be now if no request was charged more than that, but for what was sent since. */
  let ceilings: readonly number[] = [];
  /** Counter by counter, the one that was told last in front. */
  let shown: readonly Shown[] = [unheard];
  let isNoise = false;

  const now = (): Tick => sentInAll + landedInAll;
  const flying = (): number => sentInAll - landedInAll;
  /** The limit of which the least is left for sure. */
  const tightest = (): { readonly low: Told; readonly sure: number } | undefined => {
    const lows = shown.flatMap(({ told, uncertain }) => {
      const low = leastOf(told);
      return low === undefined ? [] : [{ low, sure: low.remaining - chargeNow() * uncertain.length }];
    });
    return lows.reduce<(typeof lows)[number] | undefined>(
      (a, b) => (a && a.sure <= b.sure ? a : b),
      undefined,
    );
  };
  // While others are under way, they may tell of a higher charge yet: it costs a moment to wait for them.
  const chargeNow = (): number => (flying() > 0 ? charge + 1 : charge);
  /**
   * Between two answers the server can have counted only what had not come back when the first of them was sent. Where Remaining fell by
   * more than that, some request was charged as several.
   */
  const learnCharge = (remaining: number, before: number): void => {
    const counted = sentInAll - 1 + (shown[0]?.uncertain.length ?? 0);
    const exceeded = CHARGES.filter((each, index) => (ceilings[index] ?? 0) > remaining + each * counted);
    const isAnother = exceeded.length === CHARGES.length;
    if (ours() && !isAnother) charge = Math.max(charge, exceeded.length + 1);
    ceilings = CHARGES.map((each, index) => {
      const ceiling = remaining + each * before;
      return isAnother ? ceiling : Math.max(ceilings[index] ?? ceiling, ceiling);
    });
  };
  /** It may have been counted in the windows of all limits but the one that it tells of. */
  const doubt = (except?: Shown): void => {
    shown = shown.map((each) =>
      each === except ? each : { ...each, uncertain: [...each.uncertain, now()] },
    );
  };
  const show = (latest: Shown, known: Shown | undefined, at: number): void => {
    const others = shown.filter((each) => each !== known && (leastOf(each.told)?.renewsAt ?? 0) > at);
    const ofLimit = others.filter(({ limit }) => limit === latest.limit);
    isNoise ||= ofLimit.length >= MOST_OF_A_LIMIT;
    const kept = isNoise ? others.filter((each) => !ofLimit.includes(each)) : others;
    shown = [latest, ...kept].slice(0, COUNTERS_AT_ONCE);
  };
  /** The counter that an answer may be told of: of several, the one with the least left. */
  const counterOf = (sent: Tick, heard: Heard): Shown | undefined => {
    const ofLimit = shown.filter(({ limit }) => limit === heard.limit);
    if (isNoise) return ofLimit[0];
    return ofLimit
      .filter(({ told }) => told.every((each) => each.at > sent || !isRisen(each, heard)))
      .reduce<Shown | undefined>(
        (a, b) => (a && leastRemaining(a.told) <= leastRemaining(b.told) ? a : b),
        undefined,
      );
  };
  /** A limit that is told for the first time: what came back since that request was sent may be counted after it. */
  const unheardSince = (before: number, limit: number | null): Shown => ({
    ...unheard,
    limit,
    uncertain: Array.from({ length: landedInAll - before - 1 }, now),
  });
  const landed = (sent: Tick): number => {
    const before = landedBefore.get(sent);
    if (before === undefined) throw new Error(`No request is on its way since ${sent}: it came back before.`);
    landedBefore.delete(sent);
    landedInAll += 1;
    return before;
  };

  return {
    sent: () => {
      sentInAll += 1;
      landedBefore.set(now(), landedInAll);
      return now();
    },
    answered: (sent, heard) => {
      const { limit, remaining, resetAt, renewsAt, at, withKey } = heard;
      const before = landed(sent);
      const known = counterOf(sent, heard);
      // What is plainly told of another counter was not charged to the key.
      if (!withKey && known === undefined && shown.some((each) => each.limit === limit)) return now();
      doubt(remaining === null ? undefined : known);
      if (remaining === null) return now();
      learnCharge(remaining, before);
      const { told, uncertain, latestSent: earlier } = known ?? unheardSince(before, limit);
      const latestSent = Math.max(earlier, sent);
      const isLate = (tick: Tick): boolean => tick > latestSent;
      const telling = { at: now(), heardAt: at, remaining, resetAt, renewsAt, withKey };
      const latest = [...told, telling].filter((each) => isLate(each.at));
      show({ limit, latestSent, told: latest, uncertain: uncertain.filter(isLate) }, known, at);
      return now();
    },
    lost: (sent) => {
      landed(sent);
      doubt();
    },
    spared: (sent) => {
      landed(sent);
    },
    forget: () => {
      shown = [unheard];
      ceilings = [];
    },
    inFlight: flying,
    left: () => {
      const least = tightest();
      // The next one must be wholly paid for.
      return least === undefined ? null : least.sure - chargeNow() * (flying() + 1) + 1;
    },
    renewsAt: () => tightest()?.low.renewsAt ?? 0,
  };
};

const unheard: Shown = { limit: null, latestSent: -1, told: [], uncertain: [] };

/** More is left than one counter can have got since. Only where the Reset is the very same: a new window has another. */
const isRisen = (before: Told, { limit, remaining, resetAt, at, withKey }: Heard): boolean => {
  // Then it is the other answer that was told of another counter.
  if (withKey && !before.withKey) return false;
  const refilled = 1 + ((limit ?? 0) * (at - before.heardAt)) / REFILL_MS;
  return resetAt !== null && resetAt === before.resetAt && (remaining ?? 0) > before.remaining + refilled;
};

const leastRemaining = (told: readonly Told[]): number => leastOf(told)?.remaining ?? 0;

const leastOf = (told: readonly Told[]): Told | undefined =>
  told.reduce<Told | undefined>(
    (low, each) => (low && low.remaining <= each.remaining ? low : each),
    undefined,
  );
