/** Returns a seed for fast-check, a signed 32-bit integer. `random` returns numbers in [0, 1). */
export const drawSeed = (random: () => number): number => Math.floor(random() * 2 ** 32) | 0;

/** Creates a source of numbers in [0, 1) that depends only on the seed (mulberry32). */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};
