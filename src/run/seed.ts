import type { RunSettings } from '../config/settings.ts';
import { hashOf } from '../util/hash.ts';

/** A signed 32-bit integer, as fast-check takes it, from a source of numbers from 0 up to 1. */
export const drawSeed = (random: () => number): number => Math.floor(random() * 2 ** 32) | 0;

/**
 * How the names of what a run creates begin: others in each run, even with the same seed, as a server may refuse names that another
 * animal has; and others in each shard, as shards may run at once.
 */
export const namePrefixFor = (
  seed: number,
  startedAt: number,
  { index, of }: RunSettings['shard'],
): string => {
  // Always of one length, so that nothing else about a request depends on it.
  const run = `conformance-${hashOf(`${startedAt}`, seed).toString(36).padStart(7, '0')}-`;
  return of === 1 ? run : `${run}${index}of${of}-`;
};

/** A source of numbers from 0 up to 1 that depends on the seed alone (mulberry32). */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};
