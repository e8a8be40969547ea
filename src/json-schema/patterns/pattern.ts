import { patternProblems } from '../refusals.ts';
import { compileAutomaton, OutOfSteps } from './automaton.ts';
import { InexpressiblePattern, parsePattern } from './syntax.ts';

/** An ECMAScript regular expression whose test ends in bounded time. */
export interface Pattern {
  /** @throws UndecidedMatch */
  readonly test: (text: string) => boolean;
  readonly toString: () => string;
}

/** The test whether the text matches could take too long. */
export class UndecidedMatch extends Error {
  override readonly name = 'UndecidedMatch';
}

/** About half a second on a slow machine: signals wait until a test ends. */
const maxSteps = 10_000_000;

/**
 * Longer texts are not tested with the native engine, which may double its time with each character. Without a quantified group, time
 * only grows with a power of the length.
 */
const maxNativeLength = { quantifiedGroup: 16, others: 200 } as const;

/**
 * Returns a test whether a text contains a match, in time linear in the text. The native engine backtracks for hours on patterns such as
 * `^(\w+\s?)+$`, and cannot be interrupted.
 * @throws SyntaxError if the pattern is malformed
 */
export function compilePattern(source: string): Pattern {
  const native = nativePattern(source);
  let test: Pattern['test'] | null = null;
  return {
    test: (text) => {
      test ??= testOf(native);
      return test(text);
    },
    toString: () => String(native),
  };
}

/** Escapes of other languages, for example `\A` and `\Z`: the older mode would read them as letters. */
const foreignEscape = /(?<!\\)(?:\\\\)*\\[aAeEgGhHlLNQRUXyYzZ]/;

/**
 * The native expression, to parse and not to run: in Unicode mode, as JSON Schema requires, or in the older mode if only that accepts it.
 * @throws SyntaxError if the pattern is malformed
 */
export function nativePattern(source: string): RegExp {
  try {
    return new RegExp(source, 'u');
  } catch (error) {
    if (foreignEscape.test(source)) throw error;
    return new RegExp(source);
  }
}

function testOf(native: RegExp): Pattern['test'] {
  try {
    const contains = compileAutomaton(parsePattern(native.source, native.flags), native.unicode);
    return (text) => decided(native, () => contains(text, maxSteps));
  } catch (error) {
    if (!(error instanceof InexpressiblePattern)) throw error;
    return nativeTest(native);
  }
}

function nativeTest(native: RegExp): Pattern['test'] {
  const longest = /\)[*+{]/.test(native.source) ? maxNativeLength.quantifiedGroup : maxNativeLength.others;
  return (text) => {
    if (text.length > longest) throw new UndecidedMatch(patternProblems.longText(native, longest));
    return native.test(text);
  };
}

function decided(native: RegExp, test: () => boolean): boolean {
  try {
    return test();
  } catch (error) {
    if (error instanceof OutOfSteps)
      throw new UndecidedMatch(patternProblems.untestable(native, error.message));
    throw error;
  }
}

/** Whether a text certainly matches; false if that is undecided. */
function certainlyMatches(pattern: Pattern, text: string): boolean {
  try {
    return pattern.test(text);
  } catch (error) {
    if (error instanceof UndecidedMatch) return false;
    throw error;
  }
}

/** Returns a test whether a text matches a pattern; false if that cannot be decided in bounded time. */
export function matcherOf(source: string): (text: string) => boolean {
  const pattern = compilePattern(source);
  return (text) => certainlyMatches(pattern, text);
}
