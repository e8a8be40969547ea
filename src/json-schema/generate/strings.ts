import fc, { type Arbitrary } from 'fast-check';
import type { FlatSchema } from '../flatten.ts';
import { matcherOf } from '../patterns/pattern.ts';
import { noValue, schemaProblems, wantedValues } from '../refusals.ts';
import { ifSatisfiable, locate, UnsatisfiableSchema, UnsupportedKeyword } from '../schema.ts';
import { boundedFilter, filterNow } from './bounded-filter.ts';
import { type FormatValues, numberFormats, stringFormats } from './formats.ts';
import { stringsFromPattern } from './matching-strings.ts';
import type { ValueSource } from './value-source.ts';

/** Larger boundary values of a length are left out, so that no request has megabytes. */
const longest = 100_000;
/** A string that must be longer is not generated, because of memory. */
const sendable = 1_000_000;

/** Unicode scalar values without control characters: ASCII first, then the others. */
const ranges = [
  { weight: 12, min: 0x20, max: 0x7e },
  { weight: 2, min: 0xa1, max: 0x2ff },
  { weight: 1, min: 0x300, max: 0xd7ff },
  { weight: 1, min: 0x1_0000, max: 0x1_fbff },
];
const simplestFirst = (offset: number, min: number, max: number) => {
  const start = min <= 0x61 && max >= 0x61 ? 0x61 : min;
  return String.fromCodePoint(min + ((start - min + offset) % (max - min + 1)));
};
const character = fc.oneof(
  ...ranges.map(({ weight, min, max }) => ({
    weight,
    arbitrary: fc.nat(max - min).map((offset) => simplestFirst(offset, min, max)),
  })),
);

/** The strings of a schema: by its format, otherwise by its first pattern, otherwise any text. */
export function strings(flat: FlatSchema, root: unknown): ValueSource {
  const { min, max } = flat.length;
  if (min > max) throw new UnsatisfiableSchema(noValue.string(min, max));
  if (min > sendable) throw new UnsatisfiableSchema(noValue.longString(min));
  const formats = flat.formats.flatMap((name) => stringFormats[name] ?? numberFormats[name] ?? []);
  const [format, ...furtherFormats] = formats;
  const [pattern] = flat.patterns;
  if (furtherFormats.length > 0)
    throw unsupported(flat, root, 'format', schemaProblems.severalFormats(flat.formats));
  if (format) return ofFormat(format, flat, root);
  if (pattern === undefined) return { arbitrary: texts(min, max), boundaries: () => ofLengths(min, max) };
  return filtered(matchingStrings(pattern, flat, root), [], flat);
}

/** A pattern may leave hardly any value of a format: then the values of the pattern are tried, which a format for numbers reads. */
const ofFormat = (
  { arbitrary, examples, accepts }: FormatValues,
  flat: FlatSchema,
  root: unknown,
): ValueSource => {
  const [pattern] = flat.patterns;
  const made = ifSatisfiable(() => filtered(arbitrary, examples, flat));
  if (made !== null) return made;
  if (pattern === undefined || accepts === undefined) return filtered(arbitrary, examples, flat);
  return filtered(boundedFilter(matchingStrings(pattern, flat, root), accepts, wanted(flat)), [], flat);
};

/** Length in code points, as JSON Schema counts it. */
const codePoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
};

const fitting = (flat: FlatSchema) => {
  const patterns = flat.patterns.map(matcherOf);
  return (text: string) => {
    const length = codePoints(text);
    return (
      length >= flat.length.min && length <= flat.length.max && patterns.every((matches) => matches(text))
    );
  };
};

const wanted = ({ length, patterns, formats }: FlatSchema) =>
  wantedValues.string(length.min, length.max, patterns, formats);

function filtered(arbitrary: Arbitrary<string>, examples: readonly string[], flat: FlatSchema): ValueSource {
  const fits = fitting(flat);
  const fit = filterNow(arbitrary, fits, wanted(flat));
  const values = examples.filter(fits);
  return { arbitrary: fit, boundaries: () => (values.length > 0 ? values : drawnExamples(fit)) };
}

const drawnExamples = (arbitrary: Arbitrary<string>): readonly string[] =>
  fc
    .sample(arbitrary, { seed: 1, numRuns: 30 })
    .toSorted((a, b) => a.length - b.length)
    .filter((_, index) => index % 5 === 0 || index === 29);

function matchingStrings(pattern: string, flat: FlatSchema, root: unknown): Arbitrary<string> {
  try {
    // The text around a match may match another pattern.
    return stringsFromPattern(pattern, flat.patterns.length > 1 ? Number.POSITIVE_INFINITY : flat.length.min);
  } catch (error) {
    if (error instanceof UnsatisfiableSchema) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw unsupported(flat, root, 'pattern', `${pattern}: ${reason}`);
  }
}

const unsupported = (flat: FlatSchema, root: unknown, keyword: string, reason: string) => {
  const source = flat.sources.find((schema) => Object.hasOwn(schema, keyword));
  return new UnsupportedKeyword(keyword, source ? locate(source, root) : '#', reason);
};

const texts = (min: number, max: number) =>
  fc.string({
    unit: character,
    minLength: min,
    ...(max < Number.POSITIVE_INFINITY ? { maxLength: max } : {}),
  });

function ofLengths(min: number, max: number): readonly string[] {
  const lengths = [min, min + 1, max - 1, max].filter(
    (length) => length >= min && length <= Math.min(max, longest),
  );
  const atLength = (unit: string) => lengths.map((length) => unit.repeat(length));
  const free = [
    'a',
    'Ünïcödé',
    '日本語',
    '😀',
    'a b',
    '"\\/',
    '0',
    'null',
    'true',
    '1e5',
    'a'.repeat(256),
  ].filter((text) => codePoints(text) >= min && codePoints(text) <= max);
  const simplest = min === 0 && max >= 1 ? ['a'] : [];
  return [...new Set([...simplest, ...atLength('a'), ...atLength('😀'), ...free])];
}
