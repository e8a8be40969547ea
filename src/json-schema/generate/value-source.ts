import { type Arbitrary, sample } from 'fast-check';
import type { Json } from '../../json/json.ts';
import type { JsonSchema } from '../schema.ts';

/** What generation makes of a schema: random values that shrink to simple ones, and the systematic ones, the simplest first. */
export interface ValueSource {
  readonly arbitrary: Arbitrary<Json>;
  readonly boundaries: () => readonly Json[];
  /** How many values its usual value is made of, itself and all within it; 1 if not given. */
  readonly size?: number;
}

export const sizeOf = ({ size = 1 }: ValueSource): number => size;

/**
 * Keeps the systematic values once they are made, since they are asked for at each level above. Where there are none, a few drawn
 * values stand in.
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

/** Where in a value generation stands, as the arrays and objects there see it. */
export interface Position {
  /** Deep within a schema that contains itself: only what must be there is there. */
  readonly minimal: boolean;
  /** Longer arrays are generated only where the schema asks for them; the deeper, the shorter. */
  readonly usualLength: number;
  /** Names or indices that must be present, whatever the schema says. */
  readonly forced: readonly string[];
  /** The values of a member or item; null where no value meets its schema. `*`: a member of no fixed name. */
  tryChild(step: string | number, schema: JsonSchema): ValueSource | null;
  /** The same with required members only: what replaces values that would make the whole too large. */
  trySmallChild(step: string | number, schema: JsonSchema): ValueSource | null;
  /** The values of property names. */
  tryNames(schema: JsonSchema): ValueSource | null;
  accepts(schema: JsonSchema, value: Json): boolean;
}
