import type { Json } from '../json/json.ts';
import { exactNumber } from '../json/number.ts';
import { parseJson } from '../json/parse.ts';
import { lenientParses } from './lenient-parses.ts';

/**
 * Every value that a header may mean (OpenAPI 3.1, 4.8.21): one value, a list, an object in either form of the style `simple`, or JSON.
 * @param lines the values of its lines
 */
export function headerReadings(lines: readonly string[]): readonly Json[] {
  const text = lines.join(', ');
  const items = text.split(',').map((item) => item.trim());
  const parsed = parseJson(text);
  return [
    ...single(text),
    ...lenientParses(items),
    ...(lines.length > 1 ? lenientParses(lines) : []),
    ...objects(items),
    ...(parsed.ok ? [parsed.value] : []),
  ];
}

const number = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;

/** A header may write a number in a way that JSON does not have: `007`, `.5`. */
const single = (text: string): readonly Json[] => [
  ...lenientParses(text),
  ...(number.test(text) ? [numberIn(text)] : []),
];

const numberIn = (text: string): Json => {
  const plain = text.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1');
  return /^-?\d+$/.test(plain) ? exactNumber(plain) : Number(plain);
};

/** `R=100,G=200`, or `R,100,G,200`. */
const objects = (items: readonly string[]): readonly Json[] => {
  const pairs = items.map((item) => item.split('='));
  const isExploded = pairs.every(({ length }) => length > 1);
  const members = isExploded
    ? pairs.map(([name = '', ...value]) => [name, value.join('=')] as const)
    : items.flatMap((name, index) => (index % 2 === 0 ? [[name, items[index + 1] ?? ''] as const] : []));
  if (!isExploded && items.length % 2 === 1) return [];
  return lenientParses(Object.fromEntries(members));
};
