import { type Cursor, SyntaxProblem, skipSpace, take, tooManyItems, unexpected } from './cursor.ts';
import { ownText } from './excerpt.ts';
import type { Json } from './json.ts';
import { exactNumber } from './number.ts';
import { toPointer } from './pointer.ts';

export type ParsedJson =
  | {
      readonly ok: true;
      readonly value: Json;
      /** JSON pointers of the members whose name stands more than once in their object; the last one's value counts. */
      readonly duplicates: readonly string[];
    }
  | {
      readonly ok: false;
      /** Completes "not JSON: …". */
      readonly message: string;
      /** Index of the offending UTF-16 code unit. */
      readonly position?: number;
    };

/** What is nested deeper is not looked at: a short text could exhaust the stack. */
export const MAX_DEPTH = 500;

/**
 * Reads a JSON text by the grammar of RFC 8259, and nothing beyond it, with its numbers exact (see {@link Json}). A parser of our own
 * because `JSON.parse` does not tell duplicate names, and gives a number's source text only through a slow reviver. Never throws.
 * An empty array stands for whatever is nested deeper than 500 levels: its grammar is checked, and no more.
 */
export function parseJson(text: string): ParsedJson {
  const cursor = startOf(text);
  try {
    const value = readValue(cursor);
    skipSpace(cursor);
    if (cursor.at < text.length) throw unexpected(cursor, 'the end');
    return { ok: true, value, duplicates: cursor.duplicates };
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    return { ok: false, message: error.message, position: error.position };
  }
}

const startOf = (text: string, mostItems = Number.POSITIVE_INFINITY): Cursor => ({
  mostItems,
  text,
  at: 0,
  path: [],
  duplicates: [],
  items: null,
});

export type ParsedBeginning =
  | {
      readonly ok: true;
      /** An array of the complete items; for any other value one of its type. Undefined: no value begins. */
      readonly part: Json | undefined;
    }
  | Extract<ParsedJson, { ok: false }>;

/** Longer than the part of a number, a word or an escape by which a cut text can end. */
const LONGEST_TOKEN_PART = 6;

/** Far more than any list may have; to read the others takes time and memory. */
const MOST_ITEMS = 1_000;

/** Reads the beginning of a JSON text: of an array up to 1,000 items. Not ok: no JSON text begins like this. */
export function parseBeginning(text: string): ParsedBeginning {
  const cursor = startOf(text, MOST_ITEMS);
  try {
    readValue(cursor);
    skipSpace(cursor);
    if (cursor.at < text.length) throw unexpected(cursor, 'the end');
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    const { message, position, unfinished } = error;
    if (!unfinished && position < text.length - LONGEST_TOKEN_PART) return { ok: false, message, position };
  }
  return { ok: true, part: partOf(cursor) };
}

/** By the character that a value begins with; any other begins a number. */
const ofType: Readonly<Record<string, Json | undefined>> = { '{': {}, '"': '', t: true, f: false };

function partOf({ text, items, path }: Cursor): Json | undefined {
  // The last item is complete only if more follows: a number may go on.
  if (items !== null) return path.length > 0 ? items : items.slice(0, -1);
  const first = /\S/.exec(text)?.[0];
  return first === undefined ? undefined : (ofType[first] ?? 0n);
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
  if (cursor.path.length >= MAX_DEPTH) return passOver(cursor);
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

/** With the colon behind it. */
function readMemberName(cursor: Cursor): string {
  skipSpace(cursor);
  if (cursor.text[cursor.at] !== '"') throw unexpected(cursor, 'a member name in double quotes');
  const name = readString(cursor);
  skipSpace(cursor);
  if (!take(cursor, ':')) throw unexpected(cursor, '":"');
  return name;
}

/** Assignment, save for the one name that assignment would turn into a prototype. */
function setMember(object: Record<string, Json>, name: string, value: Json): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

function readArray(cursor: Cursor): Json {
  if (cursor.path.length >= MAX_DEPTH) return passOver(cursor);
  const items: Json[] = [];
  const isWholeText = cursor.path.length === 0;
  if (isWholeText) cursor.items = items;
  if (opensEmpty(cursor, ']')) return items;
  do {
    cursor.path.push(items.length);
    if (isWholeText && items.length >= cursor.mostItems) throw tooManyItems(cursor);
    items.push(readValue(cursor));
    cursor.path.pop();
  } while (continues(cursor, ']'));
  return items;
}

const closing: Readonly<Record<string, string>> = { '[': ']', '{': '}' };

/** Steps over an array or object, by its grammar: what is open is kept in a list, as the stack of calls has an end. */
function passOver(cursor: Cursor): Json {
  const open: string[] = [];
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

/** After a value: closes what ends with it, up to where a comma follows. */
function closeEnded(cursor: Cursor, open: string[]): void {
  for (let close = open.at(-1); close !== undefined && !continues(cursor, close); close = open.at(-1))
    open.pop();
}

/** Steps over an opening bracket; true where the closing one follows it. */
function opensEmpty(cursor: Cursor, close: string): boolean {
  cursor.at += 1;
  skipSpace(cursor);
  return take(cursor, close);
}

/** After a member or item: true at a comma, false at the closing bracket. */
function continues(cursor: Cursor, close: string): boolean {
  skipSpace(cursor);
  if (take(cursor, ',')) return true;
  if (take(cursor, close)) return false;
  throw unexpected(cursor, `"," or "${close}"`);
}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function readNumber(cursor: Cursor): Json {
  numberPattern.lastIndex = cursor.at;
  if (!numberPattern.test(cursor.text)) throw unexpected(cursor, 'a value');
  const source = cursor.text.slice(cursor.at, numberPattern.lastIndex);
  cursor.at = numberPattern.lastIndex;
  return exactNumber(source);
}

function readWord(cursor: Cursor, word: string, value: Json): Json {
  if (!cursor.text.startsWith(word, cursor.at)) throw unexpected(cursor, 'a value');
  cursor.at += word.length;
  return value;
}

/** Reads a string, quotes included. */
function readString(cursor: Cursor): string {
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
