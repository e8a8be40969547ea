import fc, { type Arbitrary } from 'fast-check';
import { distinct } from '../json/equal.ts';
import type { Json } from '../json/json.ts';
import { stringifyJson } from '../json/stringify.ts';
import { boundedFilter } from '../json-schema/generate/bounded-filter.ts';
import { ifSatisfiable } from '../json-schema/schema.ts';

interface Values {
  readonly examples: readonly Json[];
  readonly arbitrary: Arbitrary<Json>;
}

interface Usage {
  write(value: Json): Json;
  fits(value: Json): boolean;
  /** The maximal number of systematic values. Default: all. */
  readonly most?: number;
}

/**
 * The values that fit after they are written; null: none does. If no systematic value fits, none is drawn: a filter would search a
 * thousand values.
 */
export const usableValues = (
  { examples, arbitrary }: Values,
  { write, fits, most = Number.POSITIVE_INFINITY }: Usage,
): Values | null => {
  // Values are drawn from few examples, again and again.
  const known = new Map<string, boolean>();
  const fitsOnce = (value: Json): boolean => {
    const text = stringifyJson(value);
    const result = known.get(text) ?? fits(value);
    known.set(text, result);
    return result;
  };
  const usable = distinct(examples.map(write)).values().filter(fitsOnce).take(most).toArray();
  if (examples.length > 0 && usable.length === 0) return null;
  const filtered = (test: Usage['fits']) => boundedFilter(arbitrary.map(write), test, 'writable');
  if (ifSatisfiable(() => fc.sample(filtered(fitsOnce), { seed: 1, numRuns: 3 })) !== null)
    return { examples: usable, arbitrary: filtered(fits) };
  return usable.length === 0 ? null : { examples: usable, arbitrary: fc.constantFrom(...usable) };
};
