export interface InvalidText {
  readonly label: string;
  /** As sent, percent-encoded. */
  readonly text: string;
  /** Some parsers read an integer from it. */
  readonly integerLike?: true;
  /** No parser reads a number or a boolean from it, whatever it ignores. */
  readonly isPlain?: true;
  /** A server may refuse it as a URL, before it looks at parameters. */
  readonly isMalformed?: true;
}

/** Texts for a parameter, percent-encoded, that are neither a number nor a boolean. */
export const invalidTexts: readonly InvalidText[] = [
  { label: 'letters', text: 'abc', isPlain: true },
  { label: 'a fraction', text: '1.5', isPlain: true },
  { label: 'an exponent', text: '1e3' },
  { label: 'an exponent with no digits', text: '1e' },
  { label: 'a huge exponent', text: '1e400' },
  { label: 'nothing', text: '' },
  { label: 'a space', text: '%20' },
  { label: 'a minus sign alone', text: '-' },
  { label: 'two minus signs', text: '--1' },
  { label: 'digits, then letters', text: '1abc', isPlain: true },
  { label: 'hexadecimal', text: '0x1ff' },
  { label: 'full-width digits', text: '%EF%BC%95%EF%BC%90%EF%BC%90', integerLike: true },
  { label: 'Arabic-Indic digits', text: '%D9%A5%D9%A0%D9%A0', integerLike: true },
  { label: 'a superscript digit', text: '%C2%B2' },
  { label: 'digits grouped by a comma', text: '1%2C000', integerLike: true },
  { label: 'digits grouped by an underscore', text: '1_000', integerLike: true },
  { label: 'two numbers', text: '1%2C2' },
  { label: 'a list', text: '%5B1%5D' },
  { label: 'twenty nines', text: '99999999999999999999' },
  { label: 'minus twenty nines', text: '-99999999999999999999', integerLike: true },
  { label: 'NaN', text: 'NaN' },
  { label: 'Infinity', text: 'Infinity' },
  { label: 'null', text: 'null' },
  { label: 'undefined', text: 'undefined' },
  { label: 'true', text: 'true' },
  { label: 'a digit, then NUL', text: '1%00', integerLike: true },
  { label: 'an emoji', text: '%F0%9F%90%88' },
  { label: 'a quotation mark', text: '%27' },
  { label: 'SQL', text: '1%20OR%201%3D1', integerLike: true },
  { label: 'a path', text: '..%2F..%2Fetc%2Fpasswd' },
  { label: 'five thousand digits', text: '1'.repeat(5000) },
];

/** Texts that are hardly valid for any parameter. */
export const malformedTexts: readonly InvalidText[] = [
  { label: 'NUL', text: '%00', isMalformed: true },
  { label: 'bytes that are not UTF-8', text: '%FF%FE', isMalformed: true },
  { label: 'broken percent-encoding', text: '%zz', isMalformed: true },
  { label: 'a percent sign alone', text: '%', isMalformed: true },
];
