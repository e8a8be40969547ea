/** Longer integers are read as doubles: no interface has them, and `1e999999999` must not fill the memory. */
const maxDigits = 400;

const plainInteger = /^-?\d+$/;
const decimal = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Reads the source text of a JSON number: a bigint where it is mathematically an integer of at most 400 digits, else a double
 * (infinite beyond its range).
 */
export function exactNumber(source: string): bigint | number {
  if (source.length <= maxDigits && plainInteger.test(source)) return BigInt(source);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = decimal.exec(source) ?? [];
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
