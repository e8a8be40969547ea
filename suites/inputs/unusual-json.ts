import type { Json, JsonObject } from '../../src/check/index.ts';
import { stringifyJson } from '../../src/check/json.ts';
import { dropParts } from '../../src/check/schemas.ts';
import type { RawJson } from './malformed-json.ts';

/** Unusual JSON, or text that parsers disagree about. */
export interface UnusualJson extends RawJson {
  /** Certainly not JSON in UTF-8: RFC 8259 does not let a server accept it. */
  readonly malformed: boolean;
  /** Malformed, or with an integer that is not an int64: a server that accepts it anyway cannot return a valid Pet. */
  readonly invalid: boolean;
  /** With an integer that has too many digits for an int64, however it is parsed. */
  readonly beyondInt64?: boolean;
  /** May corrupt a fragile store that accepts it. */
  readonly harmful?: true;
  /** The object that the text certainly means, in an unusual spelling. */
  readonly means?: JsonObject;
  /** Fewer unusual parts, or none, if there are several. */
  readonly smaller?: () => Iterable<UnusualJson>;
}

/**
 * Nesting so deep that a recursive parser overflows; RFC 8259 9 lets parsers limit it. No server must store it: a list that shows it
 * indented would have 200 million characters.
 */
const depth = 10_000;

/**
 * Unusual texts of an object. `text` and `integer` name a string member and an integer member, whose values or spellings are unusual.
 */
export function unusualJson(
  object: JsonObject,
  members: { readonly text: string; readonly integer: string },
): readonly UnusualJson[] {
  const plain = stringifyJson(object);
  const withText = (source: string) => replaced(object, members.text, source);
  const withInteger = (source: string) => replaced(object, members.integer, source);
  const valid = (label: string, body: string | Uint8Array): UnusualJson => ({
    label,
    body,
    malformed: false,
    invalid: false,
  });
  const harmful = (label: string, body: string): UnusualJson => ({ ...valid(label, body), harmful: true });
  const notInt64 = (label: string, source: string): UnusualJson => ({
    ...valid(label, withInteger(source)),
    invalid: true,
  });
  const beyondInt64 = (label: string, source: string): UnusualJson => ({
    ...notInt64(label, source),
    beyondInt64: true,
  });
  const text = textOf(object[members.text]);
  /** Not longer than the object's own text. */
  const ending = (letter: string) => `${text.slice(0, -1)}${letter}`;
  /** Each spelling has its own text, so that a rejected spelling differs from a stored one. */
  const spelled = (label: string, own: string, write: (means: JsonObject) => string): UnusualJson => {
    const means = { ...object, [members.text]: own };
    return { ...valid(label, write(means)), means };
  };
  const turned = (means: JsonObject) => stringifyJson(Object.fromEntries(Object.entries(means).toReversed()));
  const spelling = (own: string, body: string) =>
    [members.text, own].reduce((all, each) => all.replace(stringifyJson(each), escaped(each)), body);
  const usual = (letter: string) => spelled('', ending(letter), stringifyJson);
  const wideEnd = [...' \u00e9\u20ac\u{1f408} a/b\tc"'];
  const wide = `"${text}${wideEnd.join('')}`;
  /** A plain text, then unusual characters in their spelling. Shrinking removes some of them. */
  const followedBy = (own: string, characters: readonly string[], write: (text: string) => string) => {
    const unusual = characters.join('');
    const source = stringifyJson(own).slice(0, -1) + write(unusual).slice(1);
    return {
      ...spelled(`the ${members.text} ${source}`, own + unusual, () => withText(source)),
      smaller: () => dropParts(characters).map((some) => followedBy(own, some, write)),
    };
  };
  const { [members.integer]: value = 1n, ...others } = object;
  const integer = stringifyJson(value);
  /** No server must store such values, so the object lacks a required member. */
  const without = (label: string, values: readonly string[]): UnusualJson => ({
    ...valid(label, replaced(others, 'nested', `[${values.join(',')}]`)),
    invalid: true,
  });
  const digits = '9'.repeat(5_000);
  const nesting = `${'['.repeat(depth)}${']'.repeat(depth)}`;
  return [
    valid('a byte order mark first', `\uFEFF${plain}`),
    {
      ...spelled(
        'white space around everything',
        ending('b'),
        (means) => ` ${spaced(stringifyJson(means))}\r\n\t`,
      ),
      smaller: () => [usual('d')],
    },
    valid('a duplicate name, the same value', plain.replace(/}$/, `,${member(members.integer, integer)}}`)),
    valid(
      'a duplicate name, another value',
      plain.replace(/}$/, `,${member(members.integer, `${integer}1`)}}`),
    ),
    valid('a duplicate name, another type first', plain.replace(/^{/, `{${member(members.integer, '"x"')},`)),
    {
      ...spelled(
        'escapes in names and strings, members in another order, and white space',
        ending('c'),
        (means) => spaced(spelling(ending('c'), turned(means))),
      ),
      smaller: () => [
        usual('e'),
        spelled('members in another order', ending('f'), turned),
        spelled('white space', ending('g'), (means) => spaced(stringifyJson(means))),
        spelled('escapes in a name and a string', ending('h'), (means) =>
          spelling(ending('h'), stringifyJson(means)),
        ),
      ],
    },
    {
      ...spelled('letters of other scripts, an emoji, and a tab as escapes', wide, () =>
        withText(escapedAnyhow(wide)),
      ),
      smaller: () => [
        usual('i'),
        followedBy(ending('j'), wideEnd, stringifyJson),
        followedBy(ending('k'), wideEnd, escapedAnyhow),
      ],
    },
    harmful('a lone high surrogate', withText('"a\\ud83d"')),
    harmful('a lone low surrogate', withText('"\\ude00a"')),
    harmful('an escaped NUL', withText('"a\\u0000b"')),
    valid('a fraction of zero', withInteger(`${integer}.0`)),
    valid('an exponent', withInteger('1e2')),
    valid('an exponent that makes it an integer', withInteger('10e-1')),
    valid('minus zero', withInteger('-0')),
    beyondInt64('a number of 400 digits', '9'.repeat(400)),
    // Python rejects integers of more than 4,300 digits.
    beyondInt64('a number of 5,000 digits', digits),
    beyondInt64('a number beyond every double', '1e400'),
    notInt64('a number below every double', '1e-400'),
    harmful('a string of a million characters', withText(`"${'a'.repeat(1_000_000)}"`)),
    {
      ...without(`an extra number of 5,000 digits, deep nesting, and no ${members.integer}`, [
        digits,
        nesting,
      ]),
      smaller: () => [
        { ...valid(`no ${members.integer}`, stringifyJson(others)), invalid: true },
        without(`an extra number of 5,000 digits, and no ${members.integer}`, [digits]),
        without(`deep nesting, and no ${members.integer}`, [nesting]),
      ],
    },
    { label: 'deep nesting that does not end', body: '['.repeat(depth), malformed: true, invalid: true },
    ...invalidUtf8.map(([label, bytes, isHarmful]) => ({
      label,
      body: spliced(withText('"a\u0001b"'), bytes),
      malformed: true,
      invalid: true,
      ...(isHarmful === undefined ? {} : { harmful: isHarmful }),
    })),
  ];
}

/** Byte sequences that UTF-8 does not have (RFC 3629 3). */
const invalidUtf8: readonly (readonly [label: string, bytes: readonly number[], harmful?: true])[] = [
  ['a byte that is not UTF-8', [0xff]],
  ['a Latin-1 letter', [0xe9]],
  ['an overlong slash', [0xc0, 0xaf]],
  ['a surrogate in UTF-8', [0xed, 0xa0, 0x80], true],
  ['a sequence cut short', [0xf0, 0x9f, 0x90]],
];

const member = (name: string, source: string) => `${stringifyJson(name)}:${source}`;

/** The object's text with the source of one member replaced or added. */
const replaced = (object: JsonObject, name: string, source: string): string =>
  `{${Object.entries(object)
    .filter(([other]) => other !== name)
    .map(([other, value]) => `${member(other, stringifyJson(value))},`)
    .join('')}${member(name, source)}}`;

/** With each kind of white space between the tokens, not inside strings. */
const spaced = (text: string): string => text.replace(/"(?:[^"\\]|\\.)*"|[{}[\]:,]/g, '$&\n\t\r ');

const textOf = (value: Json | undefined) => (typeof value === 'string' ? value : 'a');

const escaped = (text: string) =>
  `"${Array.from({ length: text.length }, (_, index) => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`).join('')}"`;

/** With the short escapes of slash and tab, and hexadecimal digits in both cases. */
const escapedAnyhow = (text: string) =>
  escaped(text)
    .replaceAll('\\u002f', '\\/')
    .replaceAll('\\u0009', '\\t')
    .replaceAll(/20ac|d83d/g, (digits) => digits.toUpperCase());

/** The bytes of the text, with other bytes instead of U+0001. */
function spliced(text: string, bytes: readonly number[]): Uint8Array {
  const [before = '', after = ''] = text.split('\u0001');
  const encoder = new TextEncoder();
  return new Uint8Array([...encoder.encode(before), ...bytes, ...encoder.encode(after)]);
}
