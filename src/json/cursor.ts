import type { Json } from './json.ts';

/** A text and the position of the parser. */
export interface Cursor {
  readonly text: string;
  at: number;
  /** Names and indices that lead to the current value. */
  readonly path: (string | number)[];
  readonly duplicates: string[];
  /** The items read so far, if the whole text is an array; otherwise null. */
  items: Json[] | null;
  /** Reading stops after this many items of that array. */
  readonly maxItems: number;
}

/** What must come next: a value, the name of a member, the end, or one of these characters. */
export type JsonToken = 'value' | 'name' | 'end' | ':' | ',]' | ',}';

/** What is wrong with a JSON text. `found`: the character that came; null: the end. */
export type JsonProblem =
  | { readonly code: 'unexpected'; readonly expected: JsonToken; readonly found: string | null }
  | { readonly code: 'open-string' | 'control-character' | 'malformed-escape' | 'too-many-items' };

/** Not an `Error`: a stack trace takes longer than parsing most texts, and nobody reads it. */
export class SyntaxProblem {
  readonly problem: JsonProblem;
  readonly position: number;
  /** The text is valid so far but not complete. */
  readonly unfinished: boolean;
  constructor(problem: JsonProblem, position: number, unfinished = false) {
    this.problem = problem;
    this.position = position;
    this.unfinished = unfinished;
  }
}

/** Steps over the character, if it is the next one. */
export function take(cursor: Cursor, character: string): boolean {
  if (cursor.text[cursor.at] !== character) return false;
  cursor.at += 1;
  return true;
}

/** A loop would be slow for megabytes of blanks. */
const blanks = /[ \n\r\t]+/y;

export function skipSpace(cursor: Cursor): void {
  // Most values have no blanks around them.
  if (cursor.text.charCodeAt(cursor.at) > 0x20) return;
  blanks.lastIndex = cursor.at;
  if (blanks.test(cursor.text)) cursor.at = blanks.lastIndex;
}

/** Ends the parse at the item limit; the text is valid so far. */
export const tooManyItems = ({ at }: Cursor): SyntaxProblem =>
  new SyntaxProblem({ code: 'too-many-items' }, at, true);

/** Returns the problem at the current position. */
export function unexpected({ text, at }: Cursor, expected: JsonToken): SyntaxProblem {
  const found = at < text.length ? String.fromCodePoint(text.codePointAt(at) ?? 0) : null;
  return new SyntaxProblem({ code: 'unexpected', expected, found }, at);
}
