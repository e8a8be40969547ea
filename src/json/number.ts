/** The exact value of a JSON number: coefficient × 10^exponent. */
export interface Decimal {
  readonly coefficient: bigint;
  readonly exponent: number;
}

const shortestText = /^(-?\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/;

/** Converts a finite number by its shortest decimal text, so that 0.1 is one tenth and not the nearest double. */
export function toDecimal(value: bigint | number): Decimal {
  const found = shortestText.exec(String(value));
  if (found === null) throw new RangeError(`${value} is no finite number.`);
  const [, whole = '', fraction = '', exponent = '0'] = found;
  return { coefficient: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** Converts to a bigint if the number is an integer, otherwise to the nearest double. */
export function fromDecimal({ coefficient, exponent }: Decimal): bigint | number {
  if (exponent >= 0) return coefficient * 10n ** BigInt(exponent);
  const unit = 10n ** BigInt(-exponent);
  return coefficient % unit === 0n ? coefficient / unit : Number(`${coefficient}e${exponent}`);
}

/** Returns the coefficient of the same number at an exponent that is smaller or equal. */
export const scaled = ({ coefficient, exponent }: Decimal, to: number): bigint =>
  coefficient * 10n ** BigInt(exponent - to);

/** Returns the least common multiple of decimals. */
export function commonMultiple(steps: readonly Decimal[]): Decimal {
  const exponent = Math.min(0, ...steps.map((step) => step.exponent));
  const coefficient = steps.map((step) => scaled(step, exponent)).reduce(leastCommonMultiple, 1n);
  return { coefficient, exponent };
}

const leastCommonMultiple = (a: bigint, b: bigint): bigint => (a / greatestCommonDivisor(a, b)) * b;

const greatestCommonDivisor = (a: bigint, b: bigint): bigint =>
  b === 0n ? a : greatestCommonDivisor(b, a % b);

/** Divides and rounds down. The `/` of bigints rounds towards zero. */
export const floorDivide = (a: bigint, b: bigint): bigint =>
  a / b - (a % b !== 0n && a < 0n !== b < 0n ? 1n : 0n);
export const ceilDivide = (a: bigint, b: bigint): bigint => -floorDivide(-a, b);

/** Longer integers become doubles: no interface uses them, and `1e999999999` must not fill the memory. */
const maxDigits = 400;

const plainInteger = /^-?\d+$/;
const numberText = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Converts the source text of a JSON number. An integer of at most 400 digits becomes a bigint, any other number a double (infinite
 * beyond the range of doubles).
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

/** A loop, because a pattern for trailing zeros takes quadratic time on many inner zeros. */
function endOfSignificantDigits(digits: string): number {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return end;
}
