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
  spared(): void;
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

/** By more than so much for each request, Remaining is that of another counter. */
const MOST_CHARGED = 3;

/**
 * Answers overtake each other, so the last to arrive is not the last that the server made. But whichever that was, it arrived after
 * the latest request known to be answered had been sent; and since then the server has served only what is still in flight.
 * So the least Remaining of those answers, less what is in flight, is a lower bound. It holds for fixed windows, sliding windows and token
 * buckets alike, as in all of them Remaining falls by our own requests only, and across the edges of windows too. Where it falls by more,
 * and the key is ours alone, a request may be charged as several: it is reckoned so from then on.
 */
export const createWindowView = ({ ours }: { readonly ours: boolean }): WindowView => {
  let tick = 0;
  let flying = 0;
  let latestSent = -1;
  let charge = 1;
  /** The last answer that came while nothing else was under way, and how many were sent since. */
  let quiet: { readonly remaining: number } | null = null;
  let sentSince = 0;
  let told: readonly Told[] = [];
  /** Requests that the server may have counted after what it told last. */
  let uncertain: Tick[] = [];

  const least = (): Told | undefined =>
    told.reduce<Told | undefined>(
      (low, each) => (low && low.remaining <= each.remaining ? low : each),
      undefined,
    );
  /** With at least so much for each request that may have been counted since nothing was under way. */
  const learnCharge = (remaining: number): void => {
    const each =
      quiet === null ? 1 : Math.ceil((quiet.remaining - remaining) / (sentSince + uncertain.length));
    if (ours && each <= MOST_CHARGED) charge = Math.max(charge, each);
    if (flying > 0) return;
    quiet = { remaining };
    sentSince = 0;
  };
  const landed = (): void => {
    flying -= 1;
    tick += 1;
  };

  return {
    sent: () => {
      flying += 1;
      sentSince += 1;
      tick += 1;
      return tick;
    },
    answered: (sent, remaining, renewsAt) => {
      landed();
      if (remaining !== null) learnCharge(remaining);
      if (remaining === null) {
        uncertain.push(tick);
        return tick;
      }
      latestSent = Math.max(latestSent, sent);
      told = [...told, { at: tick, remaining, renewsAt }].filter(({ at }) => at > latestSent);
      uncertain = uncertain.filter((at) => at > latestSent);
      return tick;
    },
    lost: () => {
      landed();
      uncertain.push(tick);
    },
    spared: landed,
    forget: () => {
      told = [];
      uncertain = [];
      quiet = null;
    },
    inFlight: () => flying,
    left: () => {
      const low = least();
      if (low === undefined) return null;
      // The next one must be wholly paid for.
      return low.remaining - charge * (flying + uncertain.length + 1) + 1;
    },
    renewsAt: () => least()?.renewsAt ?? 0,
  };
};
