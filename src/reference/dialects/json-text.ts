/** Strings, numbers, words, brackets, commas, and colons; white space is between them. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

export const tokensOf = (text: string): readonly string[] => text.match(token) ?? [];

/** Rewrites every token of a JSON text; white space stays. */
export const mapTokens = (text: string, edit: (token: string) => string): string =>
  text.replaceAll(token, edit);

/** The text after commas and colons, and the line break; null: all on one line. */
export interface Layout {
  readonly comma: string;
  readonly colon: string;
  readonly indent: string | null;
  readonly newline: string;
}

/** Formats a JSON text in another layout. */
export function layOut(text: string, { comma, colon, indent, newline }: Layout): string {
  const tokens = tokensOf(text);
  let depth = 0;
  const line = (): string => (indent === null ? '' : newline + indent.repeat(depth));
  const closes = (one: string | undefined): boolean => one === '}' || one === ']';
  const written = tokens.map((one, at) => {
    if (one === '{' || one === '[') {
      depth += 1;
      return closes(tokens[at + 1]) ? one : one + line();
    }
    if (closes(one)) {
      depth -= 1;
      const opened = tokens[at - 1] === '{' || tokens[at - 1] === '[';
      return opened ? one : line() + one;
    }
    if (one === ',') return one + comma + line();
    return one === ':' ? one + colon : one;
  });
  return written.join('');
}
