import type { BrokenBody } from '../finding/kinds/body.ts';
import type { ParsedBody } from '../http/parsed-response.ts';
import { ownText } from '../json/excerpt.ts';

type Unreadable = Extract<ParsedBody, { kind: 'unreadable' }>;

/** Reports show no more of a body, in UTF-16 code units. */
const maxShown = 200;

const pairs = /[\ud800-\udbff](?=[\udc00-\udfff])/g;
const charactersIn = (text: string): number => text.length - (text.match(pairs)?.length ?? 0);

/** Returns the facts about a body that is not JSON, without the rest of a long body. */
export const brokenBody = ({ text, why, at }: Unreadable): BrokenBody => {
  const from = Math.max(0, (at ?? 0) - maxShown);
  return {
    why,
    character: at === null ? null : charactersIn(text.slice(0, at)) + 1,
    start: ownText(text.slice(0, maxShown), text),
    near: ownText(text.slice(from, (at ?? 0) + maxShown), text),
    at: (at ?? 0) - from,
  };
};
