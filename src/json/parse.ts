import {
  type Cursor,
  type JsonProblem,
  SyntaxProblem,
  skipSpace,
  take,
  tooManyItems,
  unexpected,
} from './cursor.ts';
import { ownText } from './excerpt.ts';
import type { Json } from './json.ts';
import { exactNumber } from './number.ts';
import { toPointer } from './pointer.ts';

export type ParsedJson =
  | {
      readonly ok: true;
      readonly value: Json;
      /** JSON pointers of members with a repeated name. The last value counts. */
      readonly duplicates: readonly string[];
    }
  | {
      readonly ok: false;
      readonly problem: JsonProblem;
      /** Index of the offending UTF-16 code unit. */
      readonly position: number;
    };

/** Deeper values are skipped, because a short text could exhaust the stack. */
export const MAX_DEPTH = 500;

/**
 * Parses a JSON text strictly by RFC 8259, with exact integers (see {@link Json}). Never throws. `JSON.parse` would not report duplicate
 * names, and it gives the source text of numbers only to a slow reviver. An empty array replaces each value that is nested deeper than
 * 500 levels. Its grammar is still checked.
 */
export function parseJson(text: string): ParsedJson {
  const cursor = startOf(text);
  try {
    const value = readValue(cursor);
    skipSpace(cursor);
    if (cursor.at < text.length) throw unexpected(cursor, 'end');
    return { ok: true, value, duplicates: cursor.duplicates };
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    return { ok: false, problem: error.problem, position: error.position };
  }
}

const startOf = (text: string, maxItems = Number.POSITIVE_INFINITY): Cursor => ({
  maxItems,
  text,
  at: 0,
  path: [],
  duplicates: [],
  items: null,
});

export type ParsedBeginning =
  | {
      readonly ok: true;
      /** The complete items of an array, or an example value of another type. Undefined: the text has no value. */
      readonly part: Json | undefined;
    }
  | Extract<ParsedJson, { ok: false }>;

/** An error this close to the end may be a token that was cut: a word, a number, or an escape. */
const LONGEST_TOKEN_PART = 6;

/** Far more than any list may have. Reading more takes time and memory. */
const MAX_ITEMS = 1_000;

/** Parses the beginning of a JSON text, and at most 1,000 items of an array. Not ok: no JSON text begins like this. */
export function parseBeginning(text: string): ParsedBeginning {
  const cursor = startOf(text, MAX_ITEMS);
  try {
    readValue(cursor);
    skipSpace(cursor);
    if (cursor.at < text.length) throw unexpected(cursor, 'end');
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    const { problem, position, unfinished } = error;
    if (!unfinished && position < text.length - LONGEST_TOKEN_PART) return { ok: false, problem, position };
  }
  return { ok: true, part: partOf(cursor) };
}

/** An example value by its first character. Other characters begin a number. */
const examples: Readonly<Record<string, Json | undefined>> = { '{': {}, '"': '', t: true, f: false };

function partOf({ text, items, path }: Cursor): Json | undefined {
  // The last item is complete only if more follows: a number may go on.
  if (items !== null) return path.length > 0 ? items : items.slice(0, -1);
  const first = /\S/.exec(text)?.[0];
  return first === undefined ? undefined : (examples[first] ?? 0n);
}

function readValue(cursor: Cursor): Json {
  skipSpace(cursor);
  switch (cursor.text[cursor.at]) {
    case '{':
      return readObject(cursor);
    case '[':
      return readArray(cursor);
    case '"':
      return readString(cursor);
    case 't':
      return readWord(cursor, 'true', true);
    case 'f':
      return readWord(cursor, 'false', false);
    case 'n':
      return readWord(cursor, 'null', null);
    default:
      return readNumber(cursor);
  }
}

function readObject(cursor: Cursor): Json {
  if (cursor.path.length >= MAX_DEPTH) return skipDeepValue(cursor);
  const object: Record<string, Json> = {};
  if (opensEmpty(cursor, '}')) return object;
  do {
    const name = readMemberName(cursor);
    cursor.path.push(name);
    if (Object.hasOwn(object, name)) cursor.duplicates.push(toPointer(cursor.path));
    setMember(object, name, readValue(cursor));
    cursor.path.pop();
  } while (continues(cursor, '}'));
  return object;
}

/** Reads a member name and its colon. */
function readMemberName(cursor: Cursor): string {
  skipSpace(cursor);
  if (cursor.text[cursor.at] !== '"') throw unexpected(cursor, 'name');
  const name = readString(cursor);
  skipSpace(cursor);
  if (!take(cursor, ':')) throw unexpected(cursor, ':');
  return name;
}

/** Assigns a member, except that assignment of `__proto__` would set the prototype. */
function setMember(object: Record<string, Json>, name: string, value: Json): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

function readArray(cursor: Cursor): Json {
  if (cursor.path.length >= MAX_DEPTH) return skipDeepValue(cursor);
  const items: Json[] = [];
  const isWholeText = cursor.path.length === 0;
  if (isWholeText) cursor.items = items;
  if (opensEmpty(cursor, ']')) return items;
  do {
    cursor.path.push(items.length);
    if (isWholeText && items.length >= cursor.maxItems) throw tooManyItems(cursor);
    items.push(readValue(cursor));
    cursor.path.pop();
  } while (continues(cursor, ']'));
  return items;
}

const closing: Readonly<Record<string, ']' | '}'>> = { '[': ']', '{': '}' };

/** Skips an array or object and checks its grammar. A list of open brackets replaces recursion, which could exhaust the stack. */
function skipDeepValue(cursor: Cursor): Json {
  const open: (']' | '}')[] = [];
  for (;;) {
    skipSpace(cursor);
    const close = closing[cursor.text[cursor.at] ?? ''];
    if (close !== undefined && !opensEmpty(cursor, close)) open.push(close);
    else {
      if (close === undefined) readValue(cursor);
      closeEnded(cursor, open);
      if (open.length === 0) return [];
    }
    if (open.at(-1) === '}') readMemberName(cursor);
  }
}

/** After a value: closes the arrays and objects that end there. */
function closeEnded(cursor: Cursor, open: (']' | '}')[]): void {
  for (let close = open.at(-1); close !== undefined && !continues(cursor, close); close = open.at(-1))
    open.pop();
}

/** Steps over an opening bracket. Returns true if the closing bracket follows at once. */
function opensEmpty(cursor: Cursor, close: string): boolean {
  cursor.at += 1;
  skipSpace(cursor);
  return take(cursor, close);
}

/** After a member or item: returns true at a comma, false at the closing bracket. */
function continues(cursor: Cursor, close: ']' | '}'): boolean {
  skipSpace(cursor);
  if (take(cursor, ',')) return true;
  if (take(cursor, close)) return false;
  throw unexpected(cursor, `,${close}`);
}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function readNumber(cursor: Cursor): Json {
  numberPattern.lastIndex = cursor.at;
  if (!numberPattern.test(cursor.text)) throw unexpected(cursor, 'value');
  const source = cursor.text.slice(cursor.at, numberPattern.lastIndex);
  cursor.at = numberPattern.lastIndex;
  return exactNumber(source);
}

function readWord(cursor: Cursor, word: string, value: Json): Json {
  if (!cursor.text.startsWith(word, cursor.at)) throw unexpected(cursor, 'value');
  cursor.at += word.length;
  return value;
}

/** Characters of a string that are neither its end, an escape, nor an error (RFC 8259 7). A loop would be slow for a string of megabytes. */
const plainCharacters = /[ !#-[\]-\uffff]*/y;

/** Reads a string with its quotes. */
function readString(cursor: Cursor): string {
  const { text, at: start } = cursor;
  let end = skipPlain(text, start + 1);
  const escaped = text[end] === '\\';
  while (text[end] === '\\') end = skipPlain(text, Math.min(end + 2, text.length));
  if (end >= text.length) throw new SyntaxProblem({ code: 'open-string' }, start, true);
  if (text[end] !== '"') throw new SyntaxProblem({ code: 'control-character' }, end);
  cursor.at = end + 1;
  return escaped ? readEscaped(text.slice(start, end + 1), start) : ownText(text.slice(start + 1, end), text);
}

function skipPlain(text: string, at: number): number {
  plainCharacters.lastIndex = at;
  plainCharacters.test(text);
  return plainCharacters.lastIndex;
}

function readEscaped(source: string, start: number): string {
  try {
    return JSON.parse(source);
  } catch {
    throw new SyntaxProblem({ code: 'malformed-escape' }, start);
  }
}
