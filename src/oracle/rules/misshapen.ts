import type { SchemaProblem } from '../../document/schema.ts';
import type { Json } from '../../json/json.ts';
import { fromPointer } from '../../json/pointer.ts';
import type { Finding } from '../finding.ts';
import { readPartOf } from '../reading.ts';
import { breach, responseTo, type Subject } from '../rule.ts';

/** Kinds of problems that a message names, and that stand under expected and actual. */
const mostNamed = 3;
const mostListed = 5;

/** One mistake in the shape of a body: all of one kind at one place, and how often that comes back in a list. */
interface Mistake {
  readonly keyword: string;
  /** Empty: the body itself. */
  readonly place: string;
  readonly expected: string;
  readonly actual: string;
  /** In how many other entries it is found. */
  readonly elsewhere: number;
}

/** The place in the schema rather than in the list: `/12/id` and `/3/id` have one cause. */
const generalise = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*');

/** A JSON pointer in words: `item 26 of 100` of a list, `item 2 of 9, id` of an animal in it. */
const placeOf = (pointer: string, body: Json | undefined): string => {
  const [first = '', ...rest] = fromPointer(pointer);
  if (!Array.isArray(body) || first === '') return [first, ...rest].join('.');
  const item = `item ${Number(first) + 1} of ${body.length}`;
  return rest.length === 0 ? item : `${item}, ${rest.join('.')}`;
};

const mistakesIn = (problems: readonly SchemaProblem[], body: Json | undefined): readonly Mistake[] =>
  [...Map.groupBy(problems, ({ pointer, keyword }) => `${keyword} ${generalise(pointer)}`).values()].flatMap(
    (alike): readonly Mistake[] => {
      const [first] = alike;
      if (first === undefined) return [];
      const here = alike.filter(({ pointer }) => pointer === first.pointer);
      return [
        {
          keyword: first.keyword,
          place: placeOf(first.pointer, body),
          expected: [...new Set(here.map(({ expected }) => expected))].join(', '),
          actual: first.actual,
          elsewhere: new Set(alike.map(({ pointer }) => pointer)).size - 1,
        },
      ];
    },
  );

/** What is wrong with a value, by the keyword that is broken. */
const wrongWith: Readonly<Record<string, (mistake: Mistake) => string>> = {
  type: ({ expected, actual }) => `is ${actual}, expected ${expected}`,
  required: ({ expected, actual }) => `has no ${expected.replaceAll('a member ', '')}: ${actual}`,
};

const inAWord = (mistake: Mistake): string => {
  const { keyword, place, expected, actual, elsewhere } = mistake;
  const also = elsewhere === 0 ? '' : ` (also in ${elsewhere} more)`;
  const wrong = wrongWith[keyword]?.(mistake);
  if (wrong !== undefined) return `${place || 'it'} ${wrong}${also}`;
  return `${place === '' ? '' : `${place}: `}expected ${expected}, got ${actual}${also}`;
};

/** The breach of a body that its schema does not accept, or that this cannot be decided. */
export const misshapen = (
  subject: Subject,
  requirement: string,
  problems: readonly SchemaProblem[],
): Finding => {
  const decided = problems.filter(({ undecided }) => undecided !== true);
  const [first = problems[0]] = decided;
  if (decided.length === 0)
    return {
      kind: 'undecided',
      requirement,
      reason: { code: 'slow-pattern', problem: first?.message ?? 'the schema could not be checked' },
    };
  const mistakes = mistakesIn(decided, readPartOf(subject.reading));
  const listed = (side: 'expected' | 'actual') =>
    mistakes
      .slice(0, mostListed)
      .map((mistake) => (mistake.place === '' ? mistake[side] : `${mistake.place}: ${mistake[side]}`))
      .join('\n');
  return breach(subject, {
    requirement,
    rule: 'schema',
    variant: `${first?.keyword ?? ''} ${generalise(first?.pointer ?? '')}`,
    message: `${responseTo(subject)}: body does not match the schema: ${mistakes
      .slice(0, mostNamed)
      .map(inAWord)
      .join('; ')}`,
    expected: listed('expected'),
    actual: listed('actual'),
  });
};
