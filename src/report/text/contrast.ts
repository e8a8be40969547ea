import { excerpt, splitSafe } from '../../json/excerpt.ts';

const longest = 200;
/** So much of what is the same stands before the difference. */
const before = 20;

const firstDifference = (a: string, b: string): number => {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
};

/** Of a string its characters, whatever stands for them in JSON. */
const lengthOf = (text: string): number =>
  [...(text.startsWith('"') ? String(JSON.parse(text)) : text)].length;

/** Two values as JSON that differ, cut to what a line can hold; where they begin alike for longer than that, each from where they part, with its length. */
export const contrast = (expected: string, actual: string): readonly [expected: string, actual: string] => {
  const from = firstDifference(expected, actual) - before;
  const shown = (text: string): string =>
    from + before < longest
      ? excerpt(text, longest)
      : `…${excerpt(text.slice(splitSafe(text, from)), longest)} (${lengthOf(text)} characters, alike before)`;
  return [shown(expected), shown(actual)];
};
