import fc, { type Arbitrary } from 'fast-check';

interface UnusualName {
  readonly label: string;
  readonly name: string;
  /** Only generated at random, because other names cover it and every creation stays in the store. */
  readonly rarely?: boolean;
}

const rareTexts: ReadonlySet<string> = new Set([
  ...['undefined', 'false', '-1', '[object Object]', '{}'],
  ...['toString', 'hasOwnProperty'],
]);

/** Names that a server may reject but must not change. They do no harm; `riskyNameExamples` may. */
export const unusualNameExamples: readonly UnusualName[] = [
  { label: 'letters with accents, composed', name: 'Zo\u00eb' },
  { label: 'letters with accents, decomposed', name: 'Zoe\u0308' },
  { label: 'a ligature, and a dot at the end', name: '\ufb01nch.' },
  {
    label: 'the letters that change length with their case',
    name: 'Stra\u00dfe \u0130\u0131 \u00f8re \u00fc',
  },
  {
    rarely: true,
    label: 'Greek with a final sigma',
    name: '\u039f\u03b4\u03c5\u03c3\u03c3\u03b5\u03cd\u03c2',
  },
  { rarely: true, label: 'Cyrillic', name: '\u041c\u0443\u0440\u043a\u0430' },
  {
    label: 'Japanese, Korean, Cyrillic, Greek, Hebrew, Arabic, Thai and Hindi',
    name: '\u732b\u306e\u5bff\u9650\u7121 \uace0\uc591\uc774 \u041a\u043e\u0442 \u039f\u03b4\u03c5\u03c3\u03c3\u03b5\u03cd\u03c2 \u05d7\u05ea\u05d5\u05dc \u0642\u0637\u0629 \u0e41\u0e21\u0e27 \u092c\u093f\u0932\u094d\u0932\u0940',
  },
  { rarely: true, label: 'Arabic, right to left', name: '\u0642\u0637\u0629' },
  { label: 'a right-to-left override', name: 'a\u202egnp' },
  {
    label: 'emoji: a plain one, and with a skin tone, a variation selector and a flag',
    name: '\u{1f408} \u{1f44b}\u{1f3fd} \u2764\ufe0f \u{1f1e8}\u{1f1ed}',
  },
  {
    rarely: true,
    label: 'an emoji of several code points',
    name: '\u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u{1f3f4}\u200d\u2620\ufe0f',
  },
  { rarely: true, label: 'a flag', name: '\u{1f1e8}\u{1f1ed}' },
  { rarely: true, label: 'a letter beyond the basic plane', name: '\u{20bb7}' },
  { label: 'many combining marks', name: `Z${'\u0335\u0321\u0327'.repeat(10)}algo` },
  { rarely: true, label: 'a zero-width space', name: 'a\u200bb' },
  { label: 'invisible characters', name: 'a\u200bb\u200cc\u200dd\u2028e\u00adf' },
  { label: 'a no-break space', name: 'a\u00a0b' },
  { rarely: true, label: 'a line separator', name: 'a\u2028b' },
  { label: 'a byte order mark inside', name: 'a\ufeffb' },
  { rarely: true, label: 'a private-use character', name: 'a\ue000b' },
  { rarely: true, label: 'a noncharacter', name: 'a\uffffb' },
  { label: 'quotation marks', name: `"a 'b' \u201cc\u201d e\u2019f \u2013 ""d"` },
  { label: 'backslashes', name: 'a\\b\\\\c\\n\\u0041\\' },
  { label: 'slashes, and hyphens at the ends', name: '-../a/b//c-' },
  {
    label: 'every printable character of ASCII',
    name: `${Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('')} -- %% $HOME ''; DROP TABLE pets' OR 1=1`.trim(),
  },
  { label: 'HTML', name: '<b>a</b>&amp;<script>alert(1)</script>' },
  { label: 'an entity', name: '#&lt;a&#62;!' },
  { rarely: true, label: 'SQL', name: "Robert'); DROP TABLE pets;--" },
  { label: 'a format string', name: '@%s %d %n {0} {} {{a}} $$ $& \u0024{a} #{a}?' },
  { label: 'percent-encoding', name: '.%41%20%00%zz +a+b,' },
  { rarely: true, label: 'a shell command', name: '$(id) `id` ; id | id' },
  { rarely: true, label: 'JSON within', name: '{"name":"a"}' },
  { label: 'a spreadsheet formula', name: '=1+1' },
  { label: 'a tab', name: 'a\tb' },
  { rarely: true, label: 'a line break', name: 'a\nb' },
  { label: 'a carriage return and a line feed', name: 'a\r\nb' },
  { label: 'control characters', name: 'a\u0001\u0008\u000b\u000c\u001b[31m\u007f\u0085b' },
  { label: 'inner double spaces', name: 'a  b   c' },
  { label: 'a leading space', name: ' a' },
  { label: 'a trailing space', name: 'a ' },
  { label: 'only a space', name: ' ' },
  { label: 'empty', name: '' },
  ...[
    'null',
    'undefined',
    'true',
    'false',
    '0',
    '-1',
    '007',
    '-1.50',
    '12345',
    '0x1F',
    '1e5',
    'NA',
    'NaN',
    'yes',
    '[object Object]',
    '[]',
    '{}',
  ].map((name) => ({ label: `the text ${name}`, name, rarely: rareTexts.has(name) })),
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map((name) => ({
    label: `the property ${name}`,
    name,
    rarely: rareTexts.has(name),
  })),
  { label: 'upper and lower case', name: 'aAbBcC' },
  ...[65, 255, 256, 300, 1000, 5000].map((length) => ({
    label: `${length} characters`,
    name: 'n'.repeat(length),
    rarely: length === 256,
  })),
  // After one letter, a cut at a round number of bytes or UTF-16 units is in the middle of a character.
  { label: '300 characters beyond the basic plane', name: `a${'\u{1f408}'.repeat(300)}` },
  { label: 'a date and a time', name: '2024-02-29T12:00:00Z' },
];

const pieces = unusualNameExamples
  .map(({ name }) => name)
  .filter((name) => name.length > 0 && name.length < 60);

/**
 * Any Unicode scalar value but NUL. (fast-check's unit `binary` has the same characters, but needs a second for its tables.)
 */
export const scalarValue: Arbitrary<string> = fc
  .integer({ min: 1, max: 0x10f7ff })
  .map((index) => String.fromCodePoint(index < 0xd800 ? index : index + 0x800));

/** Unusual names: the systematic ones, joined pieces of them, and any text of Unicode scalar values but NUL. */
export function unusualName(): Arbitrary<string> {
  const text = fc.string({ unit: scalarValue, minLength: 1, maxLength: 80 });
  return fc.oneof(
    {
      weight: 2,
      arbitrary: fc
        .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 })
        .map((parts) => parts.join('')),
    },
    { weight: 2, arbitrary: text },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }) },
    { weight: 1, arbitrary: fc.constantFrom(...unusualNameExamples.map(({ name }) => name)) },
  );
}
