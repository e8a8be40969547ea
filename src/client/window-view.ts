/** A request on its way: its place in the order of all sendings and answers. */
export type Tick = number;

/** What is known of the window that the server counts our requests in, from the headers of its answers alone. */
export interface WindowView {
  sent(): Tick;
  /**
   * `remaining` null: the answer did not say. `renewsAt`: our time from which on more is surely to be had.
   *
   * @returns the place of the answer
   */
  answered(sent: Tick, remaining: number | null, renewsAt: number): Tick;
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
  let latestSent = -1;
  let charge = 1;
  /** How many had come back when each of those under way was sent. */
  const landedBefore = new Map<Tick, number>();
  /** For each charge, the most that Remaining can be now if no request was charged more than that, but for what was sent since. */
  let ceilings: readonly number[] = [];
  let told: readonly Told[] = [];
  /** Requests that the server may have counted after what it told last. */
  let uncertain: Tick[] = [];

  const now = (): Tick => sentInAll + landedInAll;
  const flying = (): number => sentInAll - landedInAll;
  const least = (): Told | undefined =>
    told.reduce<Told | undefined>(
      (low, each) => (low && low.remaining <= each.remaining ? low : each),
      undefined,
    );
  /**
   * Between two answers the server can have counted only what had not come back when the first of them was sent. Where Remaining fell by
   * more than that, some request was charged as several.
   */
  const learnCharge = (remaining: number, before: number): void => {
    const counted = sentInAll - 1 + uncertain.length;
    const exceeded = CHARGES.filter((each, index) => (ceilings[index] ?? 0) > remaining + each * counted);
    const isAnother = exceeded.length === CHARGES.length;
    if (ours && !isAnother) charge = Math.max(charge, exceeded.length + 1);
    ceilings = CHARGES.map((each, index) => {
      const ceiling = remaining + each * before;
      return isAnother ? ceiling : Math.max(ceilings[index] ?? ceiling, ceiling);
    });
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
    answered: (sent, remaining, renewsAt) => {
      const before = landed(sent);
      if (remaining !== null) learnCharge(remaining, before);
      if (remaining === null) {
        uncertain.push(now());
        return now();
      }
      latestSent = Math.max(latestSent, sent);
      told = [...told, { at: now(), remaining, renewsAt }].filter(({ at }) => at > latestSent);
      uncertain = uncertain.filter((at) => at > latestSent);
      return now();
    },
    lost: (sent) => {
      landed(sent);
      uncertain.push(now());
    },
    spared: (sent) => {
      landed(sent);
    },
    forget: () => {
      told = [];
      uncertain = [];
      ceilings = [];
    },
    inFlight: flying,
    left: () => {
      const low = least();
      if (low === undefined) return null;
      // While others are under way, they may tell of a higher charge yet: it costs a moment to wait for them.
      const each = flying() > 0 ? charge + 1 : charge;
      // The next one must be wholly paid for.
      return low.remaining - each * (flying() + uncertain.length + 1) + 1;
    },
    renewsAt: () => least()?.renewsAt ?? 0,
  };
};
