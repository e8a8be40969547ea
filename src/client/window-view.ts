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

/**
 * Answers overtake each other, so the last to arrive is not the last that the server made. But whichever that was, it arrived after
 * the latest request known to be answered had been sent; and since then the server has served only what is still in flight.
 * So the least Remaining of those answers, less what is in flight, is a lower bound. It holds for fixed windows, sliding windows and token
 * buckets alike, as in all of them Remaining falls by our own requests only, and across the edges of windows too.
 */
export const createWindowView = (): WindowView => {
  let tick = 0;
  let flying = 0;
  let latestSent = -1;
  let told: readonly Told[] = [];
  /** Requests that the server may have counted after what it told last. */
  let uncertain: Tick[] = [];

  const least = (): Told | undefined =>
    told.reduce<Told | undefined>(
      (low, each) => (low && low.remaining <= each.remaining ? low : each),
      undefined,
    );
  const landed = (): void => {
    flying -= 1;
    tick += 1;
  };

  return {
    sent: () => {
      flying += 1;
      tick += 1;
      return tick;
    },
    answered: (sent, remaining, renewsAt) => {
      landed();
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
    },
    inFlight: () => flying,
    left: () => {
      const low = least();
      return low === undefined ? null : low.remaining - flying - uncertain.length;
    },
    renewsAt: () => least()?.renewsAt ?? 0,
  };
};
