/** A part of a text, and whether it differs from the other text. */
export interface Segment {
  readonly text: string;
  readonly differs: boolean;
}

export interface Difference {
  readonly expected: readonly Segment[];
  readonly actual: readonly Segment[];
}

/** Longer texts are not compared. */
const LONGEST = 4_000;
/** With fewer common characters, almost everything would be marked. */
const LEAST_COMMON = 3;
/** Two single words of at least this length, such as int64 values, are compared character by character. */
const LONG_WORD = 8;

const commonPrefix = (left: readonly string[], right: readonly string[]): number => {
  let length = 0;
  while (length < left.length && length < right.length && left[length] === right[length]) length++;
  return length;
};

const common = (left: readonly string[], right: readonly string[]): { start: number; end: number } => {
  const start = commonPrefix(left, right);
  return { start, end: commonPrefix(left.slice(start).reverse(), right.slice(start).reverse()) };
};

const cut = (parts: readonly string[], start: number, end: number): readonly Segment[] =>
  [
    { text: parts.slice(0, start).join(''), differs: false },
    { text: parts.slice(start, parts.length - end).join(''), differs: true },
    { text: parts.slice(parts.length - end).join(''), differs: false },
  ].filter((segment) => segment.text !== '');

const words = (text: string): readonly string[] => text.match(/[A-Za-z0-9]+|[^A-Za-z0-9]/gu) ?? [];

const isLongWord = (parts: readonly string[]): boolean =>
  parts.length === 1 && (parts[0] ?? '').length >= LONG_WORD;

const unmarked = (text: string): readonly Segment[] => (text === '' ? [] : [{ text, differs: false }]);

/**
 * Marks the part in which two texts differ: one segment on each side, between their common beginning and end. Marks nothing if they
 * are equal, very long, or have almost nothing in common.
 */
export const difference = (expected: string, actual: string): Difference => {
  const plain = { expected: unmarked(expected), actual: unmarked(actual) };
  if (expected === actual || expected.length > LONGEST || actual.length > LONGEST) return plain;
  let left = words(expected);
  let right = words(actual);
  let { start, end } = common(left, right);
  if (
    isLongWord(left.slice(start, left.length - end)) &&
    isLongWord(right.slice(start, right.length - end))
  ) {
    left = [...expected];
    right = [...actual];
    ({ start, end } = common(left, right));
  }
  const shared = left
    .slice(0, start)
    .concat(left.slice(left.length - end))
    .join('').length;
  if (shared < LEAST_COMMON) return plain;
  return { expected: cut(left, start, end), actual: cut(right, start, end) };
};
