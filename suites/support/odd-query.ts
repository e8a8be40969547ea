import { fewer } from '../../src/generate/narrowing.ts';

/** A query of listPets, or a part of one, that the document gives no meaning. */
export interface OddText {
  /** What is odd; empty: the text itself says it. */
  readonly label: string;
  /** As it stands on the wire, percent-encoded. */
  readonly text: string;
}

/** So many characters are counted for whoever reads of them. */
const long = 60;

/** The text says itself what is odd about it, but for what is encoded in it or is too long to be counted. */
const plain = (text: string): OddText => {
  const members = [...new URLSearchParams(text)];
  const decoded = members.map((member) => member.join('=')).join('&');
  const longest = Math.max(...members.map(([, value]) => value.length));
  if (longest > long) return { label: `${longest} characters`, text };
  const twice = members.find(([name], index) => members.findIndex((other) => other[0] === name) < index);
  if (twice !== undefined) return { label: `${twice[0]} given twice`, text };
  return { label: decoded === text ? '' : decoded, text };
};

/** What is valid of a parameter's values, and what is plainer than one that is not. */
interface Values {
  readonly isValid: (value: string) => boolean;
  readonly plainer: (value: string) => IteratorObject<string>;
}

const plainerMembers = (member: string, { isValid, plainer }: Values): Iterable<string> => {
  const [[, value]] = [...new URLSearchParams(member), ['', ''] as const];
  const name = member.slice(0, member.indexOf('=') + 1);
  return isValid(value) ? [] : plainer(value).map((one) => name + encodeURIComponent(one));
};

const smallerTexts = function* (parameter: string, text: string, values: Values): Generator<string> {
  const members = text.split('&');
  for (const some of fewer(members)) yield some.join('&');
  for (const [index, member] of members.entries()) {
    if (!member.startsWith(parameter)) continue;
    for (const one of plainerMembers(member, values)) yield members.with(index, one).join('&');
  }
};

/** Queries of fewer parameters, and of plainer values, in which something remains wrong with a parameter. */
export const smallerOddTexts = (
  parameter: 'limit' | 'status',
  text: string,
  values: Values,
): IteratorObject<OddText> => {
  const isOdd = (query: string): boolean => {
    const own = [...new URLSearchParams(query)].filter(([name]) => name.startsWith(parameter));
    return own.length > 1 || own.some(([name, value]) => name !== parameter || !values.isValid(value));
  };
  return smallerTexts(parameter, text, values).filter(isOdd).map(plain);
};
