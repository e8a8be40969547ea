import { certainlyMatches, compilePattern } from '../patterns/pattern.ts';

/** Makes the test whether a text matches a pattern; one that cannot be decided in bounded time is not used, as if it did not. */
export function matcherOf(source: string): (text: string) => boolean {
  const pattern = compilePattern(source);
  return (text) => certainlyMatches(pattern, text);
}
