import fc, { type Arbitrary } from 'fast-check';

/** So few parts are left out one by one as well. */
const few = 16;

/** All parts but one half, quarter or eighth (or single one, of few), each in its turn; never none at all. */
const fewer = function* <Part>(parts: readonly Part[]): Generator<readonly Part[]> {
  const { length } = parts;
  const divisions = [2, 4, 8].filter((pieces) => pieces < length);
  for (const pieces of length > 1 && length <= few ? [...divisions, length] : divisions) {
    const end = (piece: number): number => Math.round((piece * length) / pieces);
    for (let piece = 0; piece < pieces; piece += 1)
      yield [...parts.slice(0, end(piece)), ...parts.slice(end(piece + 1))];
  }
};

class Narrowing<Part> extends fc.Arbitrary<readonly Part[]> {
  readonly #parts: Arbitrary<readonly Part[]>;

  constructor(parts: Arbitrary<readonly Part[]>) {
    super();
    this.#parts = parts;
  }

  override generate(...given: Parameters<Arbitrary<unknown>['generate']>): fc.Value<readonly Part[]> {
    return new fc.Value(this.#parts.generate(...given).value, undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is readonly Part[] {
    return Array.isArray(value);
  }

  override shrink(parts: readonly Part[]): fc.Stream<fc.Value<readonly Part[]>> {
    return fc.stream(fewer(parts)).map((some) => new fc.Value(some, undefined));
  }
}

/**
 * The same lists, but made small by halves, and systematic ones as well: which of many parts matters is found in few requests, where
 * fast-check's own way begins at one end and goes on part by part.
 */
export const narrowing = <Part>(parts: Arbitrary<readonly Part[]>): Arbitrary<readonly Part[]> =>
  new Narrowing(parts);
