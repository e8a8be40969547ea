import { type Arbitrary, sample } from 'fast-check';
import type { Json } from '../../json/json.ts';

/** What generation makes of a schema: random values that shrink to simple ones, and the systematic ones, the simplest first. */
export interface Material {
  readonly arbitrary: Arbitrary<Json>;
  readonly boundaries: () => readonly Json[];
  /** How many values its usual value is made of, itself and all within it; 1 if not given. */
  readonly size?: number;
}

export const sizeOf = ({ size = 1 }: Material): number => size;

/**
 * Keeps the systematic values once they are made, since they are asked for at each level above. Where there are none, a few drawn
 * values stand in.
 */
export function remembering({ arbitrary, boundaries, size = 1 }: Material): Material {
  let known: readonly Json[] | null = null;
  return {
    arbitrary,
    size,
    boundaries: () => {
      if (known !== null) return known;
      const values = boundaries();
      known = values.length > 0 ? values : sample(arbitrary, { seed: 1, numRuns: 3 });
      return known;
    },
  };
}
