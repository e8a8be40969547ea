import { compileAutomaton, OutOfSteps } from './automaton.ts';
import { InexpressiblePattern, parsePattern } from './syntax.ts';

/** An ECMAScript regular expression whose test ends in bounded time. */
export interface Pattern {
  /** @throws UndecidedMatch */
  readonly test: (text: string) => boolean;
  readonly toString: () => string;
}

/** Finding out whether the text matches could take too long. */
export class UndecidedMatch extends Error {
  override readonly name = 'UndecidedMatch';
}

/** About half a second on a slow machine: signals wait for the end of a test. */
const maxSteps = 10_000_000;

/**
 * Texts beyond this length are not tested with the native engine, which may double its time with each character. Without a quantified
 * group time grows with a power of the length only.
 */
const maxNativeLength = { quantifiedGroup: 16, others: 200 } as const;

/**
 * Makes the test whether a text contains a match, in time that grows linearly with the text: the native engine backtracks, for hours
 * on patterns such as `^(\w+\s?)+$`, and cannot be interrupted.
 * @throws SyntaxError where the pattern is malformed
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

/** Escapes of other languages, for example `\A` and `\Z`: the older mode would take them for the letters themselves. */
const foreignEscape = /(?<!\\)(?:\\\\)*\\[aAeEgGhHlLNQRUXyYzZ]/;

/**
 * The native form, to be read and not to be run: in Unicode mode, as JSON Schema asks, or as only the older mode accepts it.
 * @throws SyntaxError where the pattern is malformed
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
    if (text.length > longest)
      throw new UndecidedMatch(`${native} can be tested only on texts of at most ${longest} characters`);
    return native.test(text);
  };
}

function decided(native: RegExp, test: () => boolean): boolean {
  try {
    return test();
  } catch (error) {
    if (error instanceof OutOfSteps) throw new UndecidedMatch(`${native} cannot be tested: ${error.message}`);
    throw error;
  }
}

/** Whether a text certainly matches: what cannot be decided does not. */
function certainlyMatches(pattern: Pattern, text: string): boolean {
  try {
    return pattern.test(text);
  } catch (error) {
    if (error instanceof UndecidedMatch) return false;
    throw error;
  }
}

/** Makes the test whether a text matches a pattern; one that cannot be decided in bounded time is not used, as if it did not. */
export function matcherOf(source: string): (text: string) => boolean {
  const pattern = compilePattern(source);
  return (text) => certainlyMatches(pattern, text);
}
