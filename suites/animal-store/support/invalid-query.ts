import { dropParts } from '../../../src/check/schemas.ts';

/** A query of listPets, or a part of one, with no documented meaning. */
export interface InvalidText {
  /** What is wrong with it; empty if the text shows it. */
  readonly label: string;
  /** As sent, percent-encoded. */
  readonly text: string;
}

/** Longer values are shown as their number of characters. */
const long = 60;

/** Labels a text: long values by their length, encoded ones decoded; other texts need no label. */
const plain = (text: string): InvalidText => {
  const members = [...new URLSearchParams(text)];
  const decoded = members.map((member) => member.join('=')).join('&');
  const longest = Math.max(...members.map(([, value]) => value.length));
  if (longest > long) return { label: `${longest} characters`, text };
  const twice = members.find(([name], index) => members.findIndex((other) => other[0] === name) < index);
  if (twice !== undefined) return { label: `duplicate ${twice[0]}`, text };
  return { label: decoded === text ? '' : decoded, text };
};

/** Which values of a parameter are valid, and simpler ones for an invalid value. */
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
  for (const some of dropParts(members)) yield some.join('&');
  for (const [index, member] of members.entries()) {
    if (!member.startsWith(parameter)) continue;
    for (const one of plainerMembers(member, values)) yield members.with(index, one).join('&');
  }
};

/** Queries with fewer parameters, and with simpler values, in which a parameter is still wrong. */
export const smallerInvalidTexts = (
  parameter: 'limit' | 'status',
  text: string,
  values: Values,
): IteratorObject<InvalidText> => {
  const isInvalid = (query: string): boolean => {
    const own = [...new URLSearchParams(query)].filter(([name]) => name.startsWith(parameter));
    return own.length > 1 || own.some(([name, value]) => name !== parameter || !values.isValid(value));
  };
  return smallerTexts(parameter, text, values).filter(isInvalid).map(plain);
};
