import type { Json } from './json.ts';

/** A text, and how far it is read. */
export interface Cursor {
  readonly text: string;
  at: number;
  /** Names and indices of the values that are open: where we are. */
  readonly path: (string | number)[];
  readonly duplicates: string[];
  /** The items so far of the array that the text is; null: it is none. */
  items: Json[] | null;
  /** So many items of that array are read. */
  readonly mostItems: number;
}

/** No Error: nobody reads its stack, which takes longer to make than most texts to read. */
export class SyntaxProblem {
  readonly message: string;
  readonly position: number;
  /** Nothing is wrong with the text so far. */
  readonly unfinished: boolean;
  constructor(message: string, position: number, unfinished = false) {
    this.message = message;
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

export function skipSpace(cursor: Cursor): void {
  for (;;) {
    const unit = cursor.text.charCodeAt(cursor.at);
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
    cursor.at += 1;
  }
}

/** Nothing is wrong: no more is read. */
export const tooManyItems = ({ at }: Cursor): SyntaxProblem => new SyntaxProblem('too many items', at, true);

/** What is wrong at this place. */
export function unexpected({ text, at }: Cursor, expected: string): SyntaxProblem {
  const found =
    at < text.length ? JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0)) : 'the end';
  return new SyntaxProblem(`expected ${expected}, got ${found}`, at);
}
