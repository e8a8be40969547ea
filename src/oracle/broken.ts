import { ownText } from '../json/own-text.ts';
import type { ReadBody } from './reading.ts';
import { excerpt, wholeBefore } from './rule.ts';

type Unreadable = Extract<ReadBody, { kind: 'unreadable' }>;

/** What stands around a place of a text. */
const around = (text: string, at: number, before: number, length: number): string => {
  const from = wholeBefore(text, Math.max(0, at - before));
  return `${from > 0 ? '…' : ''}${ownText(excerpt(text.slice(from), length), text)}`;
};

const pairs = /[\ud800-\udbff](?=[\udc00-\udfff])/g;
const charactersIn = (text: string): number => text.length - (text.match(pairs)?.length ?? 0);

/** Why a body is not JSON, and where: `expected ",", got "c" at character 20: …"name":""conf…`. */
export const whyBroken = ({ text, why, at }: Unreadable): string =>
  at === null
    ? why
    : `${why} at character ${charactersIn(text.slice(0, at)) + 1}: ${around(text, at, 20, 40)}`;

/** Of a body that is not JSON what stands where it breaks the grammar. */
export const brokenPart = ({ text, at }: Unreadable): string => around(text, at ?? 0, 60, 120);

/** What begins as JSON does was meant to be it. */
export const looksLikeJson = ({ text }: Unreadable): boolean => /^\s*[[{"]/.test(text);
