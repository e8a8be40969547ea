/** A JSON text, or the bytes of one. */
export interface RawJson {
  readonly label: string;
  readonly body: string | Uint8Array;
  /** RFC 8259 9 lets a parser read it, as a number that is not an integer. */
  readonly notAnInteger?: true;
}

/**
 * Texts that are certainly not JSON (RFC 8259), made from a JSON text. An object with at least one member gives all of them; results that
 * are still JSON are left out. RFC 8259 lets a parser accept more than JSON: comments and unknown escapes are missing here, because
 * Ruby's standard parser accepts them by default.
 */
export function malformedJson(valid: string): readonly RawJson[] {
  const made = [
    { label: 'an empty body', body: '' },
    { label: 'only white space', body: ' \r\n\t' },
    { label: 'a body cut short by one character', body: valid.slice(0, -1) },
    { label: 'a body cut in the middle', body: valid.slice(0, Math.ceil(valid.length / 2)) },
    { label: 'a trailing comma', body: valid.replace(/([}\]])$/, ',$1') },
    { label: 'single quotes', body: valid.replaceAll('"', "'") },
    { label: 'a name without quotes', body: valid.replace(/"(\w+)":/, '$1:') },
    { label: 'a missing colon', body: valid.replace(':', ' ') },
    { label: 'a missing comma', body: valid.replace(/,(?=")/, ' ') },
    {
      label: 'an equals sign for a colon, a semicolon for a comma',
      body: valid.replace(':', '=').replace(/,(?=")/, ';'),
    },
    { label: 'a form in place of JSON', body: asForm(valid) },
    { label: 'two commas in a row', body: valid.replace(/,(?=")/, ',,') },
    { label: 'a bracket for a brace', body: valid.replace(/}$/, ']') },
    { label: 'trailing garbage', body: `${valid}x` },
    { label: 'an extra closing bracket', body: `${valid}}` },
    { label: 'two documents', body: `${valid}${valid}` },
    { label: 'two documents on two lines', body: `${valid}\n${valid}` },
    { label: 'a prefix against hijacking', body: `)]}',\n${valid}` },
    { label: 'another encoding: UTF-16', body: utf16(valid) },
    { label: 'a form feed behind', body: `${valid}\f` },
    { label: 'a no-break space behind', body: `${valid}\u00a0` },
    { label: 'NUL behind', body: `${valid}\0` },
    ...nonJsonIntegers.map(([label, made]) => ({ label, body: withFirstInteger(valid, made) })),
    ...notIntegers.map(([label, text]) => ({
      label,
      body: withFirstInteger(valid, () => text),
      notAnInteger: true as const,
    })),
    ...nonJsonWords.map(([label, value]) => ({ label, body: withMember(valid, value) })),
    ...nonJsonStrings.map(([label, value]) => ({ label, body: withFirstValue(valid, value) })),
    { label: 'digits of another script', body: withFirstInteger(valid, arabicIndic) },
  ];
  return made.filter(({ body }) => typeof body !== 'string' || !isJson(body));
}

/** Numbers that JSON does not have, with the digits of an integer: nothing else is wrong with the value. */
const nonJsonIntegers: readonly (readonly [label: string, text: (digits: string) => string])[] = [
  ['a leading zero', (digits) => `0${digits}`],
  ['a leading plus', (digits) => `+${digits}`],
  ['a trailing point', (digits) => `${digits}.`],
  ['an exponent with no digits', (digits) => `${digits}e`],
  ['hexadecimal', (digits) => `0x${BigInt(digits).toString(16)}`],
  ['an underscore between digits', (digits) => `0_${digits}`],
  ['a suffix of its type', (digits) => `${digits}L`],
  ['a lone minus', () => '-'],
];

const notIntegers: readonly (readonly [label: string, text: string])[] = [
  ['NaN', 'NaN'],
  ['Infinity', 'Infinity'],
  ['minus Infinity', '-Infinity'],
];

const arabicIndic = (digits: string): string =>
  digits.replaceAll(/\d/g, (digit) => String.fromCharCode(0x0660 + Number(digit)));

/**
 * Words and numbers that JSON does not have, in an unknown member: no code reads its value. Values that a common parser accepts by
 * default are missing, because the effect of an unread value is not specified.
 */
const nonJsonWords: readonly (readonly [label: string, text: string])[] = [
  ['undefined', 'undefined'],
  ['True, as Python writes it', 'True'],
  ['a leading point', '.5'],
];

/** Strings that JSON does not have, and no value at all. */
const nonJsonStrings: readonly (readonly [label: string, text: string])[] = [
  ['a string with no end', '"a'],
  ['a control character in a string', '"a\u0001b"'],
  ['a line break in a string', '"a\nb"'],
  ['a \\u escape that is not hexadecimal', '"\\u00zz"'],
  ['a short \\u escape', '"\\u12"'],
  ['nothing', ''],
];

const withFirstInteger = (text: string, nonJson: (digits: string) => string): string => {
  const [found = '', before = '', digits = '1'] = /^([\s\S]*?:\s*)(\d+)/.exec(text) ?? [];
  return found === ''
    ? withFirstValue(text, nonJson(digits))
    : `${before}${nonJson(digits)}${text.slice(found.length)}`;
};

/** The encoding of an HTML form. */
const asForm = (text: string): string => {
  const value: unknown = JSON.parse(text);
  const fields = typeof value === 'object' && value !== null ? value : { value };
  const form = new URLSearchParams();
  for (const [name, field] of Object.entries(fields)) form.append(name, String(field));
  return form.toString();
};

const withMember = (text: string, value: string): string =>
  text.includes(':') ? text.replace(/}\s*$/, `,"extra":${value}}`) : value;

const withFirstValue = (text: string, value: string): string => {
  const at = text.indexOf(':');
  return at < 0 ? value : `${text.slice(0, at + 1)}${value}${text.slice(endOfValue(text, at + 1))}`;
};

/** The end of the string, number or word that starts at an index. */
function endOfValue(text: string, start: number): number {
  const [first = ''] = /^\s*(?:"(?:[^"\\]|\\.)*"|[^,}\]"]*)/.exec(text.slice(start)) ?? [];
  return start + first.length;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const utf16 = (text: string): Uint8Array => new Uint8Array(Buffer.from(`\uFEFF${text}`, 'utf16le'));
