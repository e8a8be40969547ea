import fc, { type Arbitrary } from 'fast-check';

/** CREATE-1: a name that is valid without doubt has at most so many characters. */
const longest = 64;

const letters = 'abcdefghijklmnopqrstuvwxyz';
const inner = fc.constantFrom(...letters, ...letters.toUpperCase(), ...'0123456789', '-', ' ');

/**
 * Names that are valid without doubt: 1 to 64 ASCII letters, digits, hyphens and single inner spaces, starting with the prefix
 * (which must itself be such a start, and leave room).
 */
export function ordinaryName(prefix: string): Arbitrary<string> {
  const room = longest - prefix.length;
  return fc
    .string({ unit: inner, minLength: 1, maxLength: Math.min(room, 24) })
    .map((rest) => tidy(prefix, rest));
}

/** Whether a name is valid without doubt, wherever it came from. */
export const isOrdinaryName = (name: string): boolean =>
  name.length <= longest && /^[A-Za-z0-9-]+(?: [A-Za-z0-9-]+)*$/.test(name);

/** The shortest and the longest, one of each kind of character, and words that filters look for. */
export const ordinaryNameExamples = (prefix: string): readonly string[] =>
  ['a', 'Z', '0', 'or A-b and 1 Drop-', '007', 'x'.repeat(longest - prefix.length)].map(
    (rest) => prefix + rest,
  );

/** Spaces that are not single and inner become letters. */
const tidy = (prefix: string, rest: string): string =>
  prefix + rest.replace(/^ +/, lettersFor).replaceAll(/ +$| {2,}/g, lettersFor);

const lettersFor = (spaces: string) => 'a'.repeat(spaces.length);
