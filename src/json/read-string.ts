import { type Cursor, SyntaxProblem } from './cursor.ts';
import { ownText } from './excerpt.ts';

/** Reads a string, quotes included. */
export function readString(cursor: Cursor): string {
  const { text, at: start } = cursor;
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

/** A string that has escapes, quotes included. */
function readEscaped(source: string, start: number): string {
  try {
    return JSON.parse(source);
  } catch {
    throw new SyntaxProblem('a malformed escape in a string', start);
  }
}
