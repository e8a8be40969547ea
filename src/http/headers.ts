import type { Header } from './exchange.ts';

export type { Header };

/** Returns the values of all header lines with a name (in lower case), in order. */
export const headerValues = (headers: readonly Header[], name: string): readonly string[] =>
  headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);

/** Returns the value of the first header line with a name (in lower case), or null. */
export const headerValue = (headers: readonly Header[], name: string): string | null => {
  for (const [each, value] of headers) if (each.toLowerCase() === name) return value;
  return null;
};
