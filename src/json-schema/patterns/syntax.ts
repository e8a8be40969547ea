import { patternProblems } from '../refusals.ts';

/** The syntax tree of an ECMAScript regular expression, with the parts that matter for a test. */
export type Node =
  /** One character; `source` is written as in the expression, for example `[a-z]`, `\d`, `.`, or `x`. */
  | { readonly kind: 'character'; readonly source: string; readonly flags: string }
  | { readonly kind: 'start' | 'end'; readonly multiline: boolean }
  | { readonly kind: 'boundary'; readonly negated: boolean; readonly flags: string }
  | { readonly kind: 'sequence'; readonly parts: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | { readonly kind: 'repeat'; readonly part: Node; readonly min: number; readonly max: number }
  | { readonly kind: 'look'; readonly part: Node; readonly behind: boolean; readonly negated: boolean };

/** An automaton cannot express the expression: it has a back reference, or a legacy escape. */
export class InexpressiblePattern extends Error {
  override readonly name = 'InexpressiblePattern';
}

interface Cursor {
  readonly source: string;
  at: number;
}

/**
 * Parses an expression that the native engine accepts with these flags, so it only needs to find the structure.
 * @throws InexpressiblePattern
 */
export function parsePattern(source: string, flags: string): Node {
  const cursor = { source, at: 0 };
  const node = parseChoice(cursor, flags);
  if (cursor.at < source.length)
    throw new InexpressiblePattern(patternProblems.unreadable(source.slice(cursor.at)));
  return node;
}

function parseChoice(cursor: Cursor, flags: string): Node {
  const options = [parseSequence(cursor, flags)];
  while (take(cursor, /\|/y) !== null) options.push(parseSequence(cursor, flags));
  const [only, ...others] = options;
  return only && others.length === 0 ? only : { kind: 'choice', options };
}

function parseSequence(cursor: Cursor, flags: string): Node {
  const parts: Node[] = [];
  while (cursor.at < cursor.source.length && !/[|)]/.test(cursor.source.charAt(cursor.at)))
    parts.push(parseRepeat(cursor, flags));
  const [only, ...others] = parts;
  return only && others.length === 0 ? only : { kind: 'sequence', parts };
}

const limits: Readonly<Record<string, readonly [min: number, max: number]>> = {
  '*': [0, Number.POSITIVE_INFINITY],
  '+': [1, Number.POSITIVE_INFINITY],
  '?': [0, 1],
};

function parseRepeat(cursor: Cursor, flags: string): Node {
  const part = parseTerm(cursor, flags);
  const quantifier = take(cursor, /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y);
  if (quantifier === null) return part;
  const [, symbol, least, comma, most] = quantifier;
  const [min, max] = limits[symbol ?? ''] ?? [
    Number(least),
    most === '' ? (comma === '' ? Number(least) : Number.POSITIVE_INFINITY) : Number(most),
  ];
  return { kind: 'repeat', part, min, max };
}

function parseTerm(cursor: Cursor, flags: string): Node {
  const assertion = take(cursor, /\^|\$|\\[bB]/y)?.[0];
  if (assertion === '^') return { kind: 'start', multiline: flags.includes('m') };
  if (assertion === '$') return { kind: 'end', multiline: flags.includes('m') };
  if (assertion !== undefined) return { kind: 'boundary', negated: assertion === '\\B', flags };
  return parseGroup(cursor, flags) ?? parseCharacter(cursor, flags);
}

function parseGroup(cursor: Cursor, flags: string): Node | null {
  const opening = take(cursor, /\((?:\?(?:(<?)([=!])|<[^>]+>|([ims]*)(?:-([ims]*))?:))?/y);
  if (opening === null) return null;
  const [, behind, look, added = '', removed = ''] = opening;
  const kept = [...flags].filter((flag) => !removed.includes(flag) && !added.includes(flag));
  const part = parseChoice(cursor, `${kept.join('')}${added}`);
  if (take(cursor, /\)/y) === null) throw new InexpressiblePattern(patternProblems.openGroup);
  return look === undefined ? part : { kind: 'look', part, behind: behind === '<', negated: look === '!' };
}

const characters = {
  backReference: /\\(?:[1-9]|0\d|k)/y,
  class: /\[(?:\\[\s\S]|[^\]\\])*\]/y,
  escape:
    /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[a-zA-Z]|[pP]\{[^}]*\}|[\s\S])/y,
  codePoint: /[\s\S]/uy,
  codeUnit: /[\s\S]/y,
};

function parseCharacter(cursor: Cursor, flags: string): Node {
  if (take(cursor, characters.backReference) !== null)
    throw new InexpressiblePattern(patternProblems.backReference);
  const found =
    take(cursor, characters.class) ??
    take(cursor, characters.escape) ??
    take(cursor, flags.includes('u') ? characters.codePoint : characters.codeUnit);
  const source = found?.[0] ?? '';
  if (!flags.includes('u') && /^\\(?:c$|u[dD]|u\{|[pP]\{)/.test(source))
    throw new InexpressiblePattern(patternProblems.needsUnicode(source));
  return { kind: 'character', source, flags };
}

function take(cursor: Cursor, expression: RegExp): RegExpExecArray | null {
  expression.lastIndex = cursor.at;
  const found = expression.exec(cursor.source);
  if (found !== null) cursor.at += found[0].length;
  return found;
}
