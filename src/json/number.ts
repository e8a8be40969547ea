/** coefficient × 10^exponent: what a JSON number says, with no rounding. */
export interface Decimal {
  readonly coefficient: bigint;
  readonly exponent: number;
}

const shortestText = /^(-?\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/;

/** Reads a finite number by its shortest decimal text, as its author wrote it: 0.1 is one tenth, not the double beside it. */
export function toDecimal(value: bigint | number): Decimal {
  const found = shortestText.exec(String(value));
  if (found === null) throw new RangeError(`${value} is no finite number.`);
  const [, whole = '', fraction = '', exponent = '0'] = found;
  return { coefficient: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** The same number as exact JSON: a bigint where it is an integer, else the nearest double. */
export function fromDecimal({ coefficient, exponent }: Decimal): bigint | number {
  if (exponent >= 0) return coefficient * 10n ** BigInt(exponent);
  const unit = 10n ** BigInt(-exponent);
  return coefficient % unit === 0n ? coefficient / unit : Number(`${coefficient}e${exponent}`);
}

/** The coefficient of the same number at another, not greater, exponent. */
export const scaled = ({ coefficient, exponent }: Decimal, to: number): bigint =>
  coefficient * 10n ** BigInt(exponent - to);

/** The least positive number that is a multiple of each: the steps in which their common multiples lie. */
export function commonMultiple(steps: readonly Decimal[]): Decimal {
  const exponent = Math.min(0, ...steps.map((step) => step.exponent));
  const coefficient = steps.map((step) => scaled(step, exponent)).reduce(leastCommonMultiple, 1n);
  return { coefficient, exponent };
}

const leastCommonMultiple = (a: bigint, b: bigint): bigint => (a / greatestCommonDivisor(a, b)) * b;

const greatestCommonDivisor = (a: bigint, b: bigint): bigint =>
  b === 0n ? a : greatestCommonDivisor(b, a % b);

/** a / b rounded down, and up. */
export const floorDivide = (a: bigint, b: bigint): bigint =>
  a / b - (a % b !== 0n && a < 0n !== b < 0n ? 1n : 0n);
export const ceilDivide = (a: bigint, b: bigint): bigint => -floorDivide(-a, b);

/** Longer integers are read as doubles: no interface has them, and `1e999999999` must not fill the memory. */
const maxDigits = 400;

const plainInteger = /^-?\d+$/;
const numberText = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Reads the source text of a JSON number: a bigint where it is mathematically an integer of at most 400 digits, else a double
 * (infinite beyond its range).
 */
export function exactNumber(source: string): bigint | number {
  if (source.length <= maxDigits && plainInteger.test(source)) return BigInt(source);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = numberText.exec(source) ?? [];
  const digits = whole + fraction;
  const end = endOfSignificantDigits(digits);
  if (end === 0) return 0n;
  const zeros = Number(exponent) - fraction.length + (digits.length - end);
  if (zeros < 0 || end + zeros > maxDigits) return Number(source);
  return BigInt(`${sign}${digits.slice(0, end)}`) * 10n ** BigInt(zeros);
}

/** A loop, because a pattern for trailing zeros takes quadratic time on a long run of inner ones. */
function endOfSignificantDigits(digits: string): number {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return end;
}
