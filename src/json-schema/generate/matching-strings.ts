import fc, { type Arbitrary } from 'fast-check';
import { characterTest } from '../patterns/automaton.ts';
import { nativePattern } from '../patterns/pattern.ts';
import { type Node, parsePattern } from '../patterns/syntax.ts';
import { noValue } from '../refusals.ts';
import { ifSatisfiable, UnsatisfiableSchema } from '../schema.ts';

/** The maximal number of repetitions beyond the minimum of a quantifier. Nested ones multiply, so there are fewer if many would be too long. */
const usualRepetitions = 10;
const fewRepetitions = 1;

/** Only patterns that need longer strings get them. */
const usualLength = 10_000;
/** Longer strings are not generated. */
const sendable = 1_000_000;

const codePoints = (min: number, max: number): readonly string[] =>
  Array.from({ length: max - min + 1 }, (_, offset) => String.fromCodePoint(min + offset));

/** The characters that are tried first. Letters come first because values shrink towards the first character. */
const usualCharacters: readonly string[] = [
  ...new Set([
    ...codePoints(0x61, 0x7a),
    ...codePoints(0x30, 0x39),
    ...codePoints(0x41, 0x5a),
    ...codePoints(0x20, 0x7e),
  ]),
];
const otherCharacters = [...codePoints(0xa0, 0x17f), ...codePoints(0x391, 0x3c9), '日', '本', '語', '😀'];

/**
 * Strings from a pattern, at least this long if they can be. Lookarounds are ignored, so some strings do not match.
 * @throws UnsatisfiableSchema if no string can match; InexpressiblePattern; SyntaxError
 */
export function stringsFromPattern(source: string, minLength = 0): Arbitrary<string> {
  const { source: text, flags } = nativePattern(source);
  const node = parsePattern(text, flags);
  if (longestLength(node, fewRepetitions) > sendable)
    throw new UnsatisfiableSchema(noValue.longMatch(source));
  const few = stringsOf(node, fewRepetitions);
  const usual = longestLength(node, usualRepetitions) > usualLength ? few : stringsOf(node, usualRepetitions);
  const whole = [
    { weight: 6, arbitrary: usual },
    { weight: 3, arbitrary: few },
  ];
  if (isMeantWhole(text, node) && longestLength(node, usualRepetitions) >= minLength)
    return fc.oneof(...whole);
  const around = fc.string({ maxLength: 3, unit: fc.constantFrom(...usualCharacters) });
  return fc.oneof(...whole, { weight: 1, arbitrary: fc.tuple(around, usual, around).map(joined) });
}

/**
 * Tells whether a pattern without `^` and `$` describes a whole value. Validators that frameworks use, such as that of Java, match all of it,
 * and write the pattern into the document as it is. One character can only be meant as a part.
 */
const isMeantWhole = (source: string, node: Node): boolean =>
  !/[$^]/.test(source.replaceAll(/\\.|\[(?:\\.|[^\]])*\]/gs, '')) && longestLength(node, fewRepetitions) > 1;

const joined = (parts: readonly string[]): string => parts.join('');

function longestLength(node: Node, repetitions: number): number {
  switch (node.kind) {
    case 'character':
      return 1;
    case 'sequence':
      return node.parts.reduce((sum, part) => sum + longestLength(part, repetitions), 0);
    case 'choice':
      return Math.max(...node.options.map((option) => longestLength(option, repetitions)));
    case 'repeat':
      return longestLength(node.part, repetitions) * Math.min(node.max, node.min + repetitions);
    default:
      return 0;
  }
}

function stringsOf(node: Node, repetitions: number): Arbitrary<string> {
  switch (node.kind) {
    case 'character':
      return fc.constantFrom(...charactersOf(node.source, node.flags));
    case 'sequence':
      return fc.tuple(...node.parts.map((part) => stringsOf(part, repetitions))).map(joined);
    case 'choice':
      return fc.oneof(...possible(node.options, repetitions));
    case 'repeat':
      return repeated(node, repetitions);
    default:
      return fc.constant('');
  }
}

/** An option that nothing can match, such as `[]`, is left out. */
function possible(options: readonly Node[], repetitions: number): readonly Arbitrary<string>[] {
  const found = options.flatMap((option) => ifSatisfiable(() => stringsOf(option, repetitions)) ?? []);
  if (found.length === 0) throw new UnsatisfiableSchema(noValue.match);
  return found;
}

function repeated({ part, min, max }: Extract<Node, { kind: 'repeat' }>, repetitions: number) {
  const make = () => stringsOf(part, repetitions);
  const unit = min === 0 ? ifSatisfiable(make) : make();
  if (unit === null || longestLength(part, repetitions) === 0) return fc.constant('');
  const maxLength = Math.min(max, min + repetitions);
  return fc.array(unit, { minLength: min, maxLength, size: 'max' }).map(joined);
}

const lastCodePoint = 0x10_ffff;

/** Usual characters if the set has any of them, otherwise its first one. */
function charactersOf(source: string, flags: string): readonly string[] {
  const accepts = characterTest(source, flags);
  const usual = usualCharacters.filter(accepts);
  const found =
    source.startsWith('\\p') || usual.length === 0 ? [...usual, ...otherCharacters.filter(accepts)] : usual;
  if (found.length > 0) return found;
  const expression = new RegExp(`^${source}$`, flags);
  for (let code = 0; code <= lastCodePoint; code += 1) {
    const character = String.fromCodePoint(code);
    if (expression.test(character)) return [character];
  }
  throw new UnsatisfiableSchema(noValue.character(source));
}
