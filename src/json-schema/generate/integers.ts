import fc from 'fast-check';
import { ceilDivide, commonMultiple, floorDivide, fromDecimal, toDecimal } from '../../json/number.ts';
import { intRanges } from '../exact-keywords.ts';
import type { Bound, FlatSchema } from '../flatten.ts';
import { UnsatisfiableSchema } from '../schema.ts';
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
  if (first > last) throw new UnsatisfiableSchema(`no multiple of ${step} from ${min} to ${max}`);
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
