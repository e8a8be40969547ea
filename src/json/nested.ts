const stringOrBracket = /"(?:[^"\\]|\\.)*"|[[\]{}]/gs;

/** Behind the bracket that closes the one at `start`; where none does, the end of the text. */
const closingOf = (text: string, start: number): number => {
  let depth = 0;
  stringOrBracket.lastIndex = start;
  for (let found = stringOrBracket.exec(text); found !== null; found = stringOrBracket.exec(text)) {
    if (found[0] === '[' || found[0] === '{') depth += 1;
    else if (found[0] === ']' || found[0] === '}') depth -= 1;
    if (depth === 0) return stringOrBracket.lastIndex;
  }
  return text.length;
};

/** Where the array or object ends that begins at `start`, however deep it is nested; null: it is malformed. */
export const endOfNested = (text: string, start: number): number | null => {
  try {
    const end = closingOf(text, start);
    // It takes any depth, since it keeps no stack.
    JSON.parse(text.slice(start, end));
    return end;
  } catch {
    return null;
  }
};
