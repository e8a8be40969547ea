/** Today at the target: a setting, else the target's `Date` at the first answer, else the run's own clock. */
export interface Today {
  now(): number;
  /** The target's own time, in milliseconds, from its first `Date` header. */
  learn(serverTime: number): void;
}

/** `override` in milliseconds since the Unix epoch. */
export const createToday = (override: number | null, clock: () => number): Today => {
  let skew: number | null = null;
  return {
    now: () => override ?? clock() + (skew ?? 0),
    learn: (serverTime) => {
      skew ??= serverTime - clock();
    },
  };
};
