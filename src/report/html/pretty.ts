import { parseJson } from '../../json/parse.ts';

/** A JSON value as it is written: a text for a scalar or an empty container, or a container with its items. */
type WrittenValue =
  | string
  | { readonly open: string; readonly close: string; readonly items: readonly Item[] };

interface Item {
  /** `"name": ` in an object, nothing in an array. */
  readonly name: string;
  readonly value: WrittenValue;
}

/** Shorter containers stay on one line: an animal in a list. */
const LONGEST_LINE = 110;
/** Deeper JSON is not formatted: nobody can read it anyway, and indentation would multiply its size. */
const DEEPEST = 12;

const tokenPattern = /"(?:\\.|[^"\\])*"|[[\]{},:]|[^\s[\]{},:"]+/g;

/** Removes one value from the end of `tokens`, which has the tokens of valid JSON in reverse order. */
const takeValue = (tokens: string[]): WrittenValue => {
  const open = tokens.pop() ?? '';
  if (open !== '[' && open !== '{') return open;
  const close = open === '[' ? ']' : '}';
  const items: Item[] = [];
  while (tokens.at(-1) !== close) {
    if (tokens.at(-1) === ',') tokens.pop();
    const name = open === '{' ? `${tokens.pop()}: ` : '';
    if (open === '{') tokens.pop(); // the colon
    items.push({ name, value: takeValue(tokens) });
  }
  tokens.pop();
  return items.length === 0 ? open + close : { open, close, items };
};

const onOneLine = (value: WrittenValue): string =>
  typeof value === 'string'
    ? value
    : `${value.open}${value.items.map((item) => item.name + onOneLine(item.value)).join(', ')}${value.close}`;

/** The outermost container always takes several lines, so that each member has its own. */
const indented = (value: WrittenValue, margin: string): string => {
  const line = onOneLine(value);
  if (typeof value === 'string' || (margin !== '' && line.length <= LONGEST_LINE)) return line;
  const inner = `${margin}  `;
  const items = value.items.map((item) => `${inner}${item.name}${indented(item.value, inner)}`);
  return `${value.open}\n${items.join(',\n')}\n${margin}${value.close}`;
};

const depthOf = (tokens: readonly string[]): number => {
  let depth = 0;
  let deepest = 0;
  for (const token of tokens) {
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
};

/**
 * A JSON text over several lines. Only white space changes: numbers, escapes, and repeated names stay as they were sent. Text that is
 * not JSON, or is too deep, is returned unchanged.
 */
export const prettyJson = (text: string): string => {
  if (!parseJson(text).ok) return text;
  const tokens: string[] = text.match(tokenPattern) ?? [];
  return depthOf(tokens) > DEEPEST ? text : indented(takeValue(tokens.reverse()), '');
};
