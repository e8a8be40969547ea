import fc, { type Arbitrary } from 'fast-check';
import type { Json } from '../../json/json.ts';
import {
  ceilDivide,
  commonMultiple,
  floorDivide,
  fromDecimal,
  scaled,
  toDecimal,
} from '../../json/number.ts';
import { intRanges } from '../exact-keywords.ts';
import type { Bound, FlatSchema } from '../flatten.ts';
import { noValue, wantedValues } from '../refusals.ts';
import { UnsatisfiableSchema } from '../schema.ts';
import { boundedFilter } from './bounded-filter.ts';
import type { ValueSource } from './value-source.ts';

const safe = 2n ** 53n - 1n;

/** The integers of each format. For floating-point formats, only exact ones. */
const integerFormats: Readonly<Record<string, readonly [min: bigint, max: bigint]>> = {
  ...intRanges,
  float: [-(2n ** 24n), 2n ** 24n],
  double: [-safe, safe],
};

/** Integers at which naive code fails: signs, bytes, 32 bits, the exact integers of a double, 64 bits. */
const landmarks = [
  0n,
  1n,
  -1n,
  2n,
  10n,
  127n,
  128n,
  255n,
  256n,
  32_767n,
  65_536n,
  2n ** 31n - 1n,
  2n ** 31n,
  -(2n ** 31n),
  -(2n ** 31n) - 1n,
  2n ** 32n,
].concat([2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 2n]);

/** The integers of a schema. Without a format they stay within ±(2^53-1), which RFC 8259 6 calls interoperable. */
export function integers(flat: FlatSchema): ValueSource {
  const step = stepOf(flat);
  const [min, max] = range(flat);
  const [first, last] = [ceilDivide(min, step), floorDivide(max, step)];
  if (first > last) throw new UnsatisfiableSchema(noValue.multiple(step, min, max));
  const inside = (value: bigint) => value >= first && value <= last;
  const candidates = [...landmarks, first, last, first + 1n, last - 1n].filter(inside);
  const simplest = candidates.toSorted((a, b) => Number(magnitude(a) - magnitude(b)) || Number(b - a));
  return {
    arbitrary: fc.bigInt({ min: first, max: last }).map((count) => count * step),
    boundaries: () =>
      [...new Set([simplest[0] ?? first, first, last, ...candidates])].map((count) => count * step),
  };
}

const magnitude = (value: bigint) => (value < 0n ? -value : value);

const stepOf = (flat: FlatSchema): bigint => {
  const step = fromDecimal(commonMultiple([...flat.multiples, toDecimal(1)]));
  return typeof step === 'bigint' ? step : 1n;
};

function range(flat: FlatSchema): readonly [min: bigint, max: bigint] {
  const formats = flat.formats.flatMap((format) => (integerFormats[format] ? [integerFormats[format]] : []));
  const minima = [...flat.minima.map(lowest), ...formats.map(([min]) => min)];
  const maxima = [...flat.maxima.map(highest), ...formats.map(([, max]) => max)];
  const min = minima.length > 0 ? greatest(minima) : null;
  const max = maxima.length > 0 ? least(maxima) : null;
  return [min ?? least([-safe, (max ?? 0n) - safe]), max ?? greatest([safe, (min ?? 0n) + safe])];
}

const greatest = (values: readonly bigint[]): bigint => values.toSorted(ascending).at(-1) ?? 0n;
const least = (values: readonly bigint[]): bigint => values.toSorted(ascending).at(0) ?? 0n;
const ascending = (a: bigint, b: bigint) => (a < b ? -1 : Number(a > b));

const lowest = ({ value, exclusive }: Bound): bigint => {
  const exact = fromDecimal(toDecimal(value));
  return typeof exact === 'bigint' ? exact + (exclusive ? 1n : 0n) : BigInt(Math.ceil(exact));
};

const highest = ({ value, exclusive }: Bound): bigint => {
  const exact = fromDecimal(toDecimal(value));
  return typeof exact === 'bigint' ? exact - (exclusive ? 1n : 0n) : BigInt(Math.floor(exact));
};

/** Without bounds, a number stays within 15 exact decimal digits. */
const widest = 1e15;

/** The numbers of a schema that are not integers: doubles, or multiples of a decimal step. */
export function fractions(flat: FlatSchema): ValueSource {
  if (flat.formats.some((format) => format in intRanges))
    throw new UnsatisfiableSchema(noValue.fractionOfFormat);
  const min = flat.minima.toSorted(byValue).at(-1) ?? null;
  const max = flat.maxima.toSorted(byValue).at(0) ?? null;
  return flat.multiples.length > 0 ? multiples(flat, min, max) : doubles(flat, min, max);
}

const byValue = (a: Bound, b: Bound) =>
  a.value < b.value ? -1 : a.value > b.value ? 1 : Number(a.exclusive) - Number(b.exclusive);

const isFraction = (value: number | bigint): value is number =>
  typeof value === 'number' && !Number.isInteger(value);

function doubles(flat: FlatSchema, min: Bound | null, max: Bound | null): ValueSource {
  const [low, high] = [
    Number(min?.value ?? Math.min(-widest, Number(max?.value ?? 0) - widest)),
    Number(max?.value ?? Math.max(widest, Number(min?.value ?? 0) + widest)),
  ];
  const meets = (value: number) => isFraction(value) && within(value, min, max);
  if (low > high) throw new UnsatisfiableSchema(noValue.number(low, high));
  const single = flat.formats.includes('float');
  const drawn = single ? fc.double(options(low, high)).map(Math.fround) : fc.double(options(low, high));
  const ends = [low, high, low + 0.5, high - 0.5, Math.floor(low) + 0.5, (low + high) / 2];
  const candidates = [0.5, 1.5, -0.5, 0.1, -1.25, Math.PI, ...ends]
    .map((value) => (single ? Math.fround(value) : value))
    .filter(meets);
  return sourceOf(boundedFilter(drawn, meets, wantedValues.fraction(low, high)), candidates);
}

const options = (min: number, max: number) => ({ min, max, noNaN: true, noDefaultInfinity: true });

function multiples(flat: FlatSchema, min: Bound | null, max: Bound | null): ValueSource {
  const step = commonMultiple(flat.multiples);
  if (typeof fromDecimal(step) === 'bigint') throw new UnsatisfiableSchema(noValue.fractionOfMultiples);
  const first = min ? count(min.value, step, ceilDivide) : null;
  const last = max ? count(max.value, step, floorDivide) : null;
  const [low, high] = [first ?? (last ?? 0n) - 1_000_000n, last ?? (first ?? 0n) + 1_000_000n];
  if (low > high) throw new UnsatisfiableSchema(noValue.multipleInBounds);
  const nth = (index: bigint) =>
    fromDecimal({ coefficient: index * step.coefficient, exponent: step.exponent });
  const meets = (value: bigint | number) => isFraction(value) && within(value, min, max);
  const arbitrary = boundedFilter(fc.bigInt({ min: low, max: high }).map(nth), meets, wantedValues.multiple);
  const candidates = [1n, 0n, 2n, low, low + 1n, high, high - 1n]
    .filter((index) => index >= low && index <= high)
    .map(nth)
    .filter(meets);
  return sourceOf(arbitrary, candidates);
}

const count = (
  bound: bigint | number,
  step: { coefficient: bigint; exponent: number },
  divide: (a: bigint, b: bigint) => bigint,
) => {
  const decimal = toDecimal(bound);
  const exponent = Math.min(decimal.exponent, step.exponent);
  return divide(scaled(decimal, exponent), scaled(step, exponent));
};

const within = (value: number, min: Bound | null, max: Bound | null) =>
  (min === null || (min.exclusive ? value > min.value : value >= min.value)) &&
  (max === null || (max.exclusive ? value < max.value : value <= max.value));

/** If no plain candidate fits, a drawn value is used instead. */
const sourceOf = (arbitrary: Arbitrary<Json>, candidates: readonly Json[]): ValueSource => {
  const values = candidates.length > 0 ? candidates : fc.sample(arbitrary, { seed: 1, numRuns: 1 });
  return { arbitrary, boundaries: () => [...new Set(values)] };
};
