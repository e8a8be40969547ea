import { Arbitrary, type Random, type Stream, sample, type Value } from 'fast-check';
import { noValue } from '../refusals.ts';
import { UnsatisfiableSchema } from '../schema.ts';

/** A filter gives up after this many unfit values in a row. */
const maxTries = 1000;

/**
 * Like fast-check's `filter`, but throws UnsatisfiableSchema after 1,000 unfit values in a row instead of searching forever.
 */
export function boundedFilter<T>(
  source: Arbitrary<T>,
  fits: (value: T) => boolean,
  wanted: string,
): Arbitrary<T> {
  return new BoundedFilter(source, fits, wanted);
}

/** A bounded filter that draws one value immediately, so that it throws when it is built if there are no values. */
export function filterNow<T>(
  source: Arbitrary<T>,
  fits: (value: T) => boolean,
  wanted: string,
): Arbitrary<T> {
  const filtered = boundedFilter(source, fits, wanted);
  sample(filtered, { seed: 1, numRuns: 1 });
  return filtered;
}

class BoundedFilter<T> extends Arbitrary<T> {
  readonly #source: Arbitrary<T>;
  readonly #fits: (value: T) => boolean;
  readonly #wanted: string;

  constructor(source: Arbitrary<T>, fits: (value: T) => boolean, wanted: string) {
    super();
    this.#source = source;
    this.#fits = fits;
    this.#wanted = wanted;
  }

  generate(random: Random, biasFactor: number | undefined): Value<T> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      const candidate = this.#source.generate(random, biasFactor);
      if (this.#fits(candidate.value)) return candidate;
    }
    throw new UnsatisfiableSchema(noValue.generated(maxTries, this.#wanted));
  }

  canShrinkWithoutContext(value: unknown): value is T {
    return this.#source.canShrinkWithoutContext(value) && this.#fits(value);
  }

  shrink(value: T, context: unknown): Stream<Value<T>> {
    return this.#source.shrink(value, context).filter((smaller) => this.#fits(smaller.value));
  }
}
