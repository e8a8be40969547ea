import { type Cursor, SyntaxProblem } from './cursor.ts';
import { ownText } from './own-text.ts';

/** Longer names are made anew each time. */
const longestKnown = 64;

/** A control character, or a backslash. */
const unplain = /[^ -[\]-\uffff]/;

function isPlain(cursor: Cursor): boolean {
  cursor.plain ??= !unplain.test(cursor.text);
  return cursor.plain;
}

/** Names come again and again: one that was read before is compared, which is faster than to make it. */
export function readName(cursor: Cursor): string {
  const { text, at, names } = cursor;
  if (!isPlain(cursor)) return readString(cursor);
  const length = text.indexOf('"', at + 1) - at - 1;
  const known = names[length];
  if (known !== undefined && text.startsWith(known, at + 1)) {
    cursor.at += length + 2;
    return known;
  }
  const name = readString(cursor);
  if (length <= longestKnown) names[length] = name;
  return name;
}

export function readString(cursor: Cursor): string {
  const { text, at: start } = cursor;
  if (isPlain(cursor)) return readPlain(cursor);
  let escaped = false;
  for (let at = start + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) {
      cursor.at = at + 1;
      return escaped
        ? readEscaped(text.slice(start, at + 1), start)
        : ownText(text.slice(start + 1, at), text);
    }
    if (unit < 0x20) throw new SyntaxProblem('a control character in a string', at);
    if (unit === 0x5c) {
      escaped = true;
      at += 1;
    }
  }
  throw new SyntaxProblem('a string without its closing quote', start, true);
}

/** A string up to the next quote. */
function readPlain(cursor: Cursor): string {
  const start = cursor.at + 1;
  const end = cursor.text.indexOf('"', start);
  if (end < 0) throw new SyntaxProblem('a string without its closing quote', start - 1, true);
  cursor.at = end + 1;
  return ownText(cursor.text.slice(start, end), cursor.text);
}

/** A string that has escapes, quotes included. */
function readEscaped(source: string, start: number): string {
  try {
    return JSON.parse(source);
  } catch {
    throw new SyntaxProblem('a malformed escape in a string', start);
  }
}
