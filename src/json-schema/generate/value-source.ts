import { type Arbitrary, sample } from 'fast-check';
import type { Json } from '../../json/json.ts';
import type { JsonSchema } from '../schema.ts';

/** The values of a schema: random ones that shrink to simple ones, and systematic ones, the simplest first. */
export interface ValueSource {
  readonly arbitrary: Arbitrary<Json>;
  readonly boundaries: () => readonly Json[];
  /** The number of values in a usual value, with itself; absent: 1. */
  readonly size?: number;
}

export const sizeOf = ({ size = 1 }: ValueSource): number => size;

/**
 * Caches the systematic values, because each level above needs them. If there are none, a few drawn values are used instead.
 */
export function memoizedSource({ arbitrary, boundaries, size = 1 }: ValueSource): ValueSource {
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

/** A position in a value during generation, for the arrays and objects there. */
export interface Position {
  /** Deep within a recursive schema: only required parts. */
  readonly minimal: boolean;
  /** The maximal number of systematic values of an object. */
  readonly maxBoundaries: number;
  /** Longer arrays are only generated if the schema needs them. It decreases with the depth. */
  readonly usualLength: number;
  /** Names or indexes that must be present, also if the schema does not require them. */
  readonly forced: readonly string[];
  /** The values of a member or item; null: no value is valid. `*`: a member without a fixed name. */
  tryChild(step: string | number, schema: JsonSchema): ValueSource | null;
  /** The same with required members only, if the whole value would be too large. */
  trySmallChild(step: string | number, schema: JsonSchema): ValueSource | null;
  /** The values of property names. */
  tryNames(schema: JsonSchema): ValueSource | null;
  accepts(schema: JsonSchema, value: Json): boolean;
}
