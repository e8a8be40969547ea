/** A JSON text, or bytes that were meant to be one. */
export interface RawJson {
  readonly label: string;
  readonly body: string | Uint8Array;
}

/**
 * What is certainly no JSON text (RFC 8259), made of one that is. Only a text of an object of at least one member gives all of them:
 * what would be JSON after all is left out.
 */
export function malformedJson(valid: string): readonly RawJson[] {
  const made = [
    { label: 'empty', body: '' },
    { label: 'only white space', body: ' \r\n\t' },
    { label: 'cut short by one character', body: valid.slice(0, -1) },
    { label: 'cut in the middle', body: valid.slice(0, Math.ceil(valid.length / 2)) },
    { label: 'only the first character', body: valid.slice(0, 1) },
    { label: 'a trailing comma', body: valid.replace(/([}\]])$/, ',$1') },
    { label: 'single quotes', body: valid.replaceAll('"', "'") },
    { label: 'a name without quotes', body: valid.replace(/"(\w+)":/, '$1:') },
    { label: 'a missing colon', body: valid.replace(':', ' ') },
    { label: 'a missing comma', body: valid.replace(/,(?=")/, ' ') },
    { label: 'two colons', body: valid.replace(':', '::') },
    { label: 'a block comment', body: `/* animal */${valid}` },
    { label: 'a line comment', body: `${valid} // animal` },
    { label: 'trailing garbage', body: `${valid}x` },
    { label: 'an extra closing bracket', body: `${valid}}` },
    { label: 'two documents', body: `${valid}${valid}` },
    { label: 'two documents on two lines', body: `${valid}\n${valid}` },
    { label: 'a prefix against hijacking', body: `)]}',\n${valid}` },
    { label: 'another encoding: UTF-16', body: utf16(valid) },
    ...odd.map(([label, value]) => ({ label, body: withFirstValue(valid, value) })),
  ];
  return made.filter(({ body }) => typeof body !== 'string' || !isJson(body));
}

/** Values that JSON does not have. */
const odd: readonly (readonly [label: string, text: string])[] = [
  ['NaN', 'NaN'],
  ['Infinity', 'Infinity'],
  ['minus Infinity', '-Infinity'],
  ['undefined', 'undefined'],
  ['True, as Python writes it', 'True'],
  ['a leading zero', '01'],
  ['a leading plus', '+1'],
  ['a leading point', '.5'],
  ['a trailing point', '1.'],
  ['an exponent with no digits', '1e'],
  ['hexadecimal', '0x1F'],
  ['a lone minus', '-'],
  ['a string with no end', '"a'],
  ['a control character in a string', '"a\u0001b"'],
  ['a line break in a string', '"a\nb"'],
  ['an unknown escape', '"\\x41"'],
  ['a short \\u escape', '"\\u12"'],
  ['nothing', ''],
];

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
