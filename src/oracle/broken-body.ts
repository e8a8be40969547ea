import type { ParsedBody } from '../http/parsed-response.ts';
import { ownText } from '../json/excerpt.ts';
import type { BrokenBody } from './problems/body.ts';

type Unreadable = Extract<ParsedBody, { kind: 'unreadable' }>;

/** As much of a body as any report shows, in UTF-16 code units. */
const kept = 200;

const pairs = /[\ud800-\udbff](?=[\udc00-\udfff])/g;
const charactersIn = (text: string): number => text.length - (text.match(pairs)?.length ?? 0);

/** The facts of a body that is not JSON: a failure does not keep the whole of a long body. */
export const brokenBody = ({ text, why, at }: Unreadable): BrokenBody => {
  const from = Math.max(0, (at ?? 0) - kept);
  return {
    why,
    character: at === null ? null : charactersIn(text.slice(0, at)) + 1,
    start: ownText(text.slice(0, kept), text),
    near: ownText(text.slice(from, (at ?? 0) + kept), text),
    at: (at ?? 0) - from,
  };
};
