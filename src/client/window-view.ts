/** A request on its way: its place in the order of all sendings and answers. */
export type Tick = number;

/** What is known of the window that the server counts our requests in, from the headers of its answers alone. */
export interface WindowView {
  sent(): Tick;
  /**
   * `remaining` null: the answer did not say. `renewsAt`: our time from which on more is surely to be had. `limit`: whose Remaining it is,
   * for a server may show the limit of the minute now, and that of the day then. `at`: our time.
   *
   * @returns the place of the answer
   */
  answered(sent: Tick, remaining: number | null, renewsAt: number, limit?: number | null, at?: number): Tick;
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

interface Told {
  readonly at: Tick;
  readonly remaining: number;
  readonly renewsAt: number;
}

/** What is told of one limit. */
interface Shown {
  readonly limit: number | null;
  readonly latestSent: Tick;
  readonly told: readonly Told[];
  /** Requests that the server may have counted after what it told last. */
  readonly uncertain: Tick[];
}

/** A minute's, a day's, and one for callers without a key. */
const LIMITS_AT_ONCE = 3;

/** What one request may be charged as. Where Remaining falls by more for each, it is that of another counter. */
const CHARGES = [1, 2, 3] as const;

/**
 * Answers overtake each other, so the last to arrive is not the last that the server made. But whichever that was, it arrived after
 * the latest request known to be answered had been sent; and since then the server has served only what is still in flight.
 * So the least Remaining of those answers, less what is in flight, is a lower bound. It holds for fixed windows, sliding windows and token
 * buckets alike, as in all of them Remaining falls by our own requests only, and across the edges of windows too. Where it falls by more,
 * and the key is ours alone, a request may be charged as several: it is reckoned so from then on.
 */
export const createWindowView = ({ ours }: { readonly ours: boolean }): WindowView => {
  let sentInAll = 0;
  let landedInAll = 0;
  let charge = 1;
  /** How many had come back when each of those under way was sent. */
  const landedBefore = new Map<Tick, number>();
  /** For each charge, the most that Remaining can be now if no request was charged more than that, but for what was sent since. */
  let ceilings: readonly number[] = [];
  /** Limit by limit, the one that was told last in front. */
  let shown: readonly Shown[] = [unheard(null)];

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
    if (ours && !isAnother) charge = Math.max(charge, exceeded.length + 1);
    ceilings = CHARGES.map((each, index) => {
      const ceiling = remaining + each * before;
      return isAnother ? ceiling : Math.max(ceilings[index] ?? ceiling, ceiling);
    });
  };
  /** It may have been counted in the windows of all limits but the one that it tells of. */
  const doubt = (except?: Shown): void => {
    for (const each of shown) if (each !== except) each.uncertain.push(now());
  };
  const hear = (heard: Shown, at: number): void => {
    const others = shown.filter(
      ({ limit, told }) => limit !== heard.limit && (leastOf(told)?.renewsAt ?? 0) > at,
    );
    shown = [heard, ...others].slice(0, LIMITS_AT_ONCE);
  };
  const landed = (sent: Tick): number => {
    const before = landedBefore.get(sent) ?? landedInAll;
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
    answered: (sent, remaining, renewsAt, limit = null, at = 0) => {
      const before = landed(sent);
      const known = shown.find((each) => each.limit === limit);
      doubt(remaining === null ? undefined : known);
      if (remaining === null) return now();
      learnCharge(remaining, before);
      const { told, uncertain, latestSent: earlier } = known ?? unheard(limit);
      const latestSent = Math.max(earlier, sent);
      const isLate = (tick: Tick): boolean => tick > latestSent;
      hear(
        {
          limit,
          latestSent,
          told: [...told, { at: now(), remaining, renewsAt }].filter((each) => isLate(each.at)),
          uncertain: uncertain.filter(isLate),
        },
        at,
      );
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
      shown = [unheard(null)];
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

const unheard = (limit: number | null): Shown => ({ limit, latestSent: -1, told: [], uncertain: [] });

const leastOf = (told: readonly Told[]): Told | undefined =>
  told.reduce<Told | undefined>(
    (low, each) => (low && low.remaining <= each.remaining ? low : each),
    undefined,
  );
