import type { Header } from './exchange.ts';

export type { Header };

/** The values of all header lines of one name (in lower case), in their order. */
export const headerValues = (headers: readonly Header[], name: string): readonly string[] =>
  headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);

/** The value of the only header line of a name (in lower case), or of the first of several; null: there is none. */
export const headerValue = (headers: readonly Header[], name: string): string | null => {
  for (const [each, value] of headers) if (each.toLowerCase() === name) return value;
  return null;
};
