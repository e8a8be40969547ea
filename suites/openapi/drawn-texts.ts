import fc from 'fast-check';
import { memoized } from '../../src/check/memoized.ts';
import { type FlatSchema, noEffort, valid } from '../../src/check/schemas.ts';

const kindOf = (character: string): string => {
  if (/\d/.test(character)) return '0';
  if (/[a-z]/.test(character)) return 'a';
  return /[A-Z]/.test(character) ? 'A' : character;
};

const kindsIn = (text: string): ReadonlySet<string> => new Set([...text].map(kindOf));

/** The kinds of characters that a text has. */
export const kindsOf = (text: string): string => [...kindsIn(text)].toSorted().join('');

/** The form of a text: its length, and the kinds of its characters. */
export const formOfText = (text: string): string => `${text.length} ${kindsOf(text)}`;

const draws = 300;
/** A form is known by several texts: one of them may be refused for a reason of its own. */
const leastOfForm = 3;

const textsIn = memoized((_document: object) => new Map<string, readonly string[]>());

/** Texts of a pattern. They are drawn once for each document. */
const drawn = ({ patterns, length: { min, max } }: FlatSchema, root: unknown): readonly string[] => {
  const known = typeof root === 'object' && root !== null ? textsIn(root) : new Map<string, string[]>();
  const key = `${min} ${max} ${patterns.join('\n')}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const bound = Number.isFinite(max) ? { maxLength: max } : {};
  const schema = {
    type: 'string',
    allOf: patterns.map((pattern) => ({ pattern })),
    minLength: min,
    ...bound,
  };
  const texts = fc
    .sample(valid(schema, root, noEffort()), { seed: 1, numRuns: draws })
    .filter((text) => typeof text === 'string');
  known.set(key, texts);
  return texts;
};

/**
 * Texts of a pattern in other forms than the usual one: the shortest, the longest, and one with each kind of character that the usual one does
 * not have. Of punctuation, only hyphens and underscores are usual in codes and names. Each form has several texts.
 */
export const otherForms = (
  flat: FlatSchema,
  root: unknown,
  usual: string,
): readonly (readonly string[])[] => {
  const own = kindsIn(usual);
  const isPlain = (text: string) => [...kindsIn(text)].every((kind) => /[a0A_-]/.test(kind) || own.has(kind));
  const forms = [...Map.groupBy(new Set(drawn(flat, root).filter(isPlain)), formOfText)]
    .filter(([form, texts]) => form !== formOfText(usual) && texts.length >= leastOfForm)
    .map(([, texts]) => texts)
    .toSorted(([a = ''], [b = '']) => a.length - b.length);
  const distance = ([text = '']: readonly string[]) => Math.abs(text.length - usual.length);
  const near = forms.toSorted((a, b) => distance(a) - distance(b));
  const kinds = new Set(forms.flatMap(([text = '']) => [...kindsIn(text)]));
  const missing = [...kinds].filter((kind) => !own.has(kind));
  const withKinds = missing.flatMap((kind) => {
    const form = near.find(([text = '']) => kindsIn(text).has(kind));
    return form === undefined ? [] : [form];
  });
  return [...new Set([...forms.slice(0, 1), ...forms.slice(-1), ...withKinds])].map((texts) =>
    texts.slice(0, leastOfForm),
  );
};
