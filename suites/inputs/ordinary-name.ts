import fc, { type Arbitrary } from 'fast-check';

/** CREATE-1: the maximum length of a clearly valid name. */
export const longestOrdinaryName = 40;

const letters = 'abcdefghijklmnopqrstuvwxyz';
const inner = fc.constantFrom(...letters, ...letters.toUpperCase(), ...'0123456789', '-', ' ');

/**
 * Clearly valid names: 1 to 40 ASCII letters, digits, hyphens and single inner spaces, starting with the prefix (which must be a valid
 * start, and shorter).
 */
export function ordinaryName(prefix: string): Arbitrary<string> {
  const room = longestOrdinaryName - prefix.length;
  return fc
    .string({ unit: inner, minLength: 1, maxLength: Math.min(room, 24) })
    .map((rest) => tidy(prefix, rest));
}

/** Tells whether a name is clearly valid. */
export const isOrdinaryName = (name: string): boolean =>
  name.length <= longestOrdinaryName && /^[A-Za-z0-9-]+(?: [A-Za-z0-9-]+)*$/.test(name);

/** The shortest name, the longest one, one with each kind of character, and words that filters look for. */
export const ordinaryNameExamples = (prefix: string): readonly string[] =>
  ['a', 'Z', '0', 'or A and Drop 1-', '007', 'x'.repeat(longestOrdinaryName - prefix.length)].map(
    (rest) => prefix + rest,
  );

/** Replaces repeated and outer spaces with letters. */
const tidy = (prefix: string, rest: string): string =>
  prefix + rest.replace(/^ +/, lettersFor).replaceAll(/ +$| {2,}/g, lettersFor);

const lettersFor = (spaces: string) => 'a'.repeat(spaces.length);
