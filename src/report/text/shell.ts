/** A part of a shell word: text to be taken literally, or an expression such as `$KEY` that the shell expands. */
export type ShellPart = { readonly text: string } | { readonly expression: string };

const isPlain = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);
const needsNoEscape = (text: string): boolean => /^[^"$`\\!]*$/.test(text);

const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`;

/** The format of a POSIX printf that prints these bytes. */
export const printfFormat = (bytes: Uint8Array): string => {
  let format = '';
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    // printf would read a minus at the beginning as an option.
    const isSpecial = character === "'" || character === '\\' || (character === '-' && format === '');
    if (character === '%') format += '%%';
    else format += byte < 0x20 || byte > 0x7e || isSpecial ? octal(byte) : character;
  }
  return format;
};

/** A text as one shell word, to be taken literally. */
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A text as one shell word, in quotation marks only if it needs them. */
export const quoteIfNeeded = (text: string): string => (/^[\w./:@%+=~-]+$/.test(text) ? text : quote(text));

const writePart = (part: ShellPart, encoding: 'utf8' | 'latin1'): string => {
  if ('expression' in part) return `"${part.expression}"`;
  // Only the mask of a key has characters above U+00FF.
  if (encoding === 'utf8' || isPlain(part.text) || /[^\0-\xff]/.test(part.text)) return quote(part.text);
  return `"$(printf '${printfFormat(Buffer.from(part.text, 'latin1'))}')"`;
};

/**
 * One POSIX shell word of several parts. `latin1`: characters beyond ASCII stand for one byte each, as in the head of an HTTP message.
 */
export const shellWord = (parts: readonly ShellPart[], encoding: 'utf8' | 'latin1'): string => {
  const joined = parts.reduce(joinText, []).map(delimit);
  const [only] = joined;
  if (only === undefined) return "''";
  if (joined.length === 1) return writePart(only, encoding);
  const readable = joined.every(
    (part) => 'expression' in part || (isPlain(part.text) && needsNoEscape(part.text)),
  );
  if (!readable) return joined.map((part) => writePart(part, encoding)).join('');
  return `"${joined.map((part) => ('expression' in part ? part.expression : part.text)).join('')}"`;
};

const joinText = (parts: readonly ShellPart[], part: ShellPart): readonly ShellPart[] => {
  const last = parts.at(-1);
  if ('text' in part && part.text === '') return parts;
  if (last === undefined || !('text' in last) || !('text' in part)) return [...parts, part];
  return [...parts.slice(0, -1), { text: last.text + part.text }];
};

/** `$NAME` before a character that could belong to the name needs its braces. */
const delimit = (part: ShellPart, index: number, all: readonly ShellPart[]): ShellPart => {
  const next = all[index + 1];
  const continuesName = next !== undefined && 'text' in next && /^\w/.test(next.text);
  return continuesName && 'expression' in part
    ? { expression: part.expression.replace(/^\$(\w+)$/, '$${$1}') }
    : part;
};
