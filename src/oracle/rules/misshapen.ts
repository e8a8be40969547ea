import type { SchemaProblem } from '../../document/schema.ts';
import type { Finding } from '../../run/check.ts';
import { breach, inWords, type Subject } from '../rule.ts';

/** Kinds of problems that a message names, and that stand under expected and actual. */
const mostNamed = 3;
const mostListed = 5;

/** One mistake in the shape of a body: all of one kind at one place, and how often that comes back in a list. */
interface Mistake {
  readonly place: string;
  readonly expected: string;
  readonly actual: string;
  /** In how many other entries it is found. */
  readonly elsewhere: number;
}

/** The place in the schema rather than in the list: `/12/id` and `/3/id` have one cause. */
const generalise = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*');

const mistakesIn = (problems: readonly SchemaProblem[]): readonly Mistake[] =>
  [...Map.groupBy(problems, ({ pointer, keyword }) => `${keyword} ${generalise(pointer)}`).values()].flatMap(
    (alike): readonly Mistake[] => {
      const [first] = alike;
      if (first === undefined) return [];
      const here = alike.filter(({ pointer }) => pointer === first.pointer);
      return [
        {
          place: first.pointer,
          expected: [...new Set(here.map(({ expected }) => expected))].join(', '),
          actual: first.actual,
          elsewhere: new Set(alike.map(({ pointer }) => pointer)).size - 1,
        },
      ];
    },
  );

const inAWord = ({ place, expected, actual, elsewhere }: Mistake): string => {
  const also = elsewhere === 0 ? '' : ` (and so in ${elsewhere} more)`;
  return `${place === '' ? '' : `${place}: `}expected ${expected}, got ${actual}${also}`;
};

/** The breach of a body that its schema does not accept. */
export const misshapen = (
  subject: Subject,
  requirement: string,
  problems: readonly SchemaProblem[],
): Finding => {
  const [first] = problems;
  const mistakes = mistakesIn(problems);
  const listed = (side: 'expected' | 'actual') =>
    mistakes
      .slice(0, mostListed)
      .map((mistake) => (mistake.place === '' ? mistake[side] : `${mistake.place}: ${mistake[side]}`))
      .join('\n');
  return breach(subject, {
    requirement,
    rule: `schema ${first?.keyword ?? ''} ${generalise(first?.pointer ?? '')}`,
    message: `The ${subject.reading.status} answer to ${inWords(subject)} does not have the documented shape: ${mistakes
      .slice(0, mostNamed)
      .map(inAWord)
      .join('; ')}.`,
    expected: listed('expected'),
    actual: listed('actual'),
  });
};
