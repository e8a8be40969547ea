import { type Html, html } from './html.ts';

/** The numbers of the items that a failure names, as in `items 3 and 6 of 8`. */
const itemsIn = (quoted: string): readonly number[] =>
  (/\bitems? ([\d, and]+) of \d/.exec(quoted)?.[1]?.match(/\d+/g) ?? []).map(Number);

/** Whether a text has this part, and not as a part of a longer word or number. */
const hasWords = (text: string, part: string): boolean => {
  const around = text.split(part);
  return around.slice(1).some((after, index) => !/^[\w.]/.test(after) && !/[\w"]$/.test(around[index] ?? ''));
};

/** Whether the failure quotes this line: a member as `"id": 7`, `"id":7`, or `id: 7`, or an object as it was sent. */
const isQuoted = (line: string, quoted: string): boolean => {
  const [, name, value] = /^("(?:\\.|[^"\\])*"): (.+)$/.exec(line) ?? [];
  if (name === undefined)
    return line.startsWith('{"') && quoted.includes(line.replaceAll('": ', '":').replaceAll(', "', ',"'));
  return [`${name}: ${value}`, `${name}:${value}`, `${name.slice(1, -1)}: ${value}`].some(
    (member) => !quoted.startsWith('{') && hasWords(quoted, member),
  );
};

/** The lines of a body. What the failure quotes, and the items of a list that it names, are marked. */
export const markedLines = (text: string, quoted: string): readonly Html[] => {
  const items = itemsIn(quoted);
  let item = 0;
  return text.split('\n').map((line, index) => {
    if (/^ {2}[^\s\]}]/.test(line)) item += 1;
    const [, margin = '', shown = '', comma = ''] = /^(\s*)(.*?)(,?)$/.exec(line) ?? [];
    const isMarked = items.length === 0 ? isQuoted(shown, quoted) : margin !== '' && items.includes(item);
    return html`${index > 0 && '\n'}${margin}${isMarked ? html`<mark>${shown}</mark>` : shown}${comma}`;
  });
};
