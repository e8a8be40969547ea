/** Today at the target: a setting, else by the target's `Date` headers, else by the run's own clock. */
export interface Today {
  now(): number;
  /** What a `Date` header says of the target's own time, in milliseconds. */
  learn(serverTime: number): void;
}

/** Milliseconds that an answer may have been on its way. One that tells more than so much above the others is wrong. */
const longestWay = 60_000;

/**
 * `override` in milliseconds since the Unix epoch. An answer that was long on its way tells an earlier time than it is: so the latest that
 * one has told counts.
 */
export const createToday = (override: number | null, clock: () => number): Today => {
  let skew: number | null = null;
  return {
    now: () => override ?? clock() + (skew ?? 0),
    learn: (serverTime) => {
      const told = serverTime - clock();
      if (skew === null || (told > skew && told <= skew + longestWay)) skew = told;
    },
  };
};
