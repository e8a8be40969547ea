import fc, { type Arbitrary } from 'fast-check';

/** At most this many parts are also left out one by one. */
const few = 16;

/** The parts without one half, quarter, or eighth, and without single ones if there are few; the last piece is left out first. Never empty. */
export const dropParts = function* <Part>(parts: readonly Part[]): Generator<readonly Part[]> {
  const { length } = parts;
  const divisions = [2, 4, 8].filter((pieces) => pieces < length);
  for (const pieces of length > 1 && length <= few ? [...divisions, length] : divisions) {
    const end = (piece: number): number => Math.round((piece * length) / pieces);
    for (let piece = pieces; piece > 0; piece -= 1)
      yield [...parts.slice(0, end(piece - 1)), ...parts.slice(end(piece))];
  }
};

/**
 * Simpler texts: the same number of plain letters, some of the characters, and for a short text each character that is not an ASCII letter
 * replaced with one.
 */
export const simplerTexts = function* (text: string): Generator<string> {
  const characters = [...text];
  const plain = 'a'.repeat(characters.length);
  if (text !== plain) yield plain;
  for (const some of dropParts(characters)) yield some.join('');
  if (characters.length > few) return;
  for (const [index, character] of characters.entries())
    if (/[^A-Za-z]/.test(character)) yield characters.with(index, 'a').join('');
};

/** The context of a value from the arbitrary that generated it. */
interface Origin {
  readonly context: unknown;
}

class Shrinking<Value> extends fc.Arbitrary<Value> {
  readonly #values: Arbitrary<Value>;
  readonly #smaller: (value: Value) => Iterable<Value>;

  constructor(values: Arbitrary<Value>, smaller: (value: Value) => Iterable<Value>) {
    super();
    this.#values = values;
    this.#smaller = smaller;
  }

  override generate(...given: Parameters<Arbitrary<Value>['generate']>): fc.Value<Value> {
    return withOrigin(this.#values.generate(...given));
  }

  /** A value without smaller ones need not be tried again. */
  override canShrinkWithoutContext(value: unknown): value is Value {
    return (
      this.#values.canShrinkWithoutContext(value) || !Iterator.from(this.#smaller(value as Value)).next().done
    );
  }

  override shrink(value: Value, origin?: unknown): fc.Stream<fc.Value<Value>> {
    const smaller = fc.stream(Iterator.from(this.#smaller(value)));
    return this.#own(value, origin as Origin | undefined).join(
      smaller.map((one) => new fc.Value(one, undefined)),
    );
  }

  #own(value: Value, origin: Origin | undefined): fc.Stream<fc.Value<Value>> {
    if (origin === undefined && !this.#values.canShrinkWithoutContext(value)) return fc.Stream.nil();
    return this.#values.shrink(value, origin?.context).map(withOrigin);
  }
}

const withOrigin = <Value>({ value, context }: fc.Value<Value>): fc.Value<Value> =>
  new fc.Value(value, { context } satisfies Origin);

/**
 * The same values, which shrink in the arbitrary's own way first, then to the values of `smaller`, in order. Systematic values shrink too,
 * although the arbitrary did not generate them.
 */
export const shrinking = <Value>(
  values: Arbitrary<Value>,
  smaller: (value: Value) => Iterable<Value>,
): Arbitrary<Value> => new Shrinking(values, smaller);
