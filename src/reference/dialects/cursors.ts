import type { Call } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { compose, replace, withState } from '../patch-kit/core.ts';
import { mergeReply } from '../patch-kit/responses.ts';
import type { Pet } from '../pet.ts';
import { choices } from './choices.ts';

interface Part {
  readonly shown: readonly Pet[];
  readonly at: number;
  readonly total: number;
}

/** The maximal size of a page, by the limit. */
type Size = (limit: number, call: Call) => number;

/** Returns pages of another size, starting at a cursor in the query, with headers for the next page. */
const byCursor = (
  size: Size,
  headersOf: (part: Part, call: Call) => Readonly<Record<string, string>>,
): Patch =>
  withState(() => {
    const parts = new WeakMap<object, Part>();
    // A cached list keeps the headers of its first response.
    const latest = new Map<string, Part>();
    return compose(
      replace('select', (before) => (pets, query, call) => {
        const all = before(pets, { ...query, limit: Number.POSITIVE_INFINITY }, call);
        const cursor = call.url.searchParams.get('cursor') ?? '';
        const at = /^\d{1,9}$/.test(cursor) ? Number(cursor) : 0;
        const shown = all.slice(at, at + Math.max(1, Math.min(query.limit, size(query.limit, call))));
        const part = { shown, at, total: all.length };
        parts.set(call.request, part);
        latest.set(call.url.search, part);
        return shown;
      }),
      mergeReply({ operation: 'listPets', method: 'GET', status: 200 }, (_reply, call) => {
        const part = parts.get(call.request) ?? latest.get(call.url.search);
        return { headers: part === undefined ? {} : headersOf(part, call) };
      }),
    );
  });

const nextOf = ({ shown, at, total }: Part): number | null =>
  at + shown.length < total ? at + shown.length : null;

/** A header with the next cursor, if there is one. */
const inHeader =
  (name: string, last: string | null = null) =>
  (part: Part): Readonly<Record<string, string>> => {
    const next = nextOf(part)?.toString() ?? last;
    return next === null ? {} : { [name]: next };
  };

const inLink =
  (write: (target: string) => string, back: string) =>
  (part: Part, { url }: Call): Readonly<Record<string, string>> => {
    const next = nextOf(part);
    const target = (cursor: number) => `${url.pathname}?cursor=${cursor}&sort=name,id`;
    const links = [...(part.at > 0 ? [back] : []), ...(next === null ? [] : [write(target(next))])];
    return links.length === 0 ? {} : { link: links.join(', ') };
  };

const atMost =
  (most: number): Size =>
  () =>
    most;
const isGiven = ({ url }: Call): boolean => url.searchParams.has('limit');

/** Pages that may be shorter than the limit, and whose headers say that more follows (LIST-8). */
export const cursorDialects = choices('cursor', {
  'cursor-in-a-link': [
    'A page has at most 10 animals, and a Link header leads to the next page.',
    byCursor(
      atMost(10),
      inLink((target) => `<${target}>; rel="next"`, '</v1/pets>; rel="prev"'),
    ),
  ],
  'cursor-in-a-link-unquoted': [
    'A page has at most 25 animals, and a Link header without quotation marks leads to the next page.',
    byCursor(
      atMost(25),
      inLink((target) => `<${target}>;title="a, b; rel=prev";REL=Next`, '</v1/pets>;rel=first'),
    ),
  ],
  'cursor-in-a-link-of-two-relations': [
    'A page is half as long as the limit, and the Link to the next page has two relations.',
    byCursor(
      (limit) => Math.ceil(limit / 2),
      inLink(
        (target) => `<${target}>; type="application/json"; rel="next last"`,
        '</v1/pets>; rel="prev first"',
      ),
    ),
  ],
  'cursor-in-a-header': [
    'A page has one animal less than the limit, and X-Next-Cursor leads to the next page.',
    byCursor((limit) => limit - 1, inHeader('x-next-cursor')),
  ],
  'cursor-null-at-the-end': [
    'A page has at most 50 animals, and Next-Cursor is null on the last page.',
    byCursor(atMost(50), inHeader('next-cursor', 'null')),
  ],
  'cursor-empty-at-the-end': [
    'A page has at most 30 animals, and X-Next-Page is empty on the last page.',
    byCursor(atMost(30), inHeader('x-next-page', '')),
  ],
  'continuation-token': [
    'A page has at most 40 animals, and X-Continuation-Token leads to the next page.',
    byCursor(atMost(40), inHeader('x-continuation-token')),
  ],
  'cursor-without-a-limit': [
    'A page without limit has at most 5 animals, and Link leads to the next page; a limit is respected.',
    byCursor(
      (limit, call) => (isGiven(call) ? limit : 5),
      inLink((target) => `<${target}>; rel=next`, '</v1/pets>; rel=prev'),
    ),
  ],
  'cursor-with-a-limit': [
    'A page with a limit has at most 15 animals, and X-Has-More says whether more follow.',
    byCursor(
      (limit, call) => (isGiven(call) ? 15 : limit),
      (part) => ({ 'x-has-more': String(nextOf(part) !== null) }),
    ),
  ],
  'content-range': [
    'A page has at most 12 animals, and Content-Range has their positions and the total.',
    byCursor(
      atMost(12),
      ({ shown, at, total }): Readonly<Record<string, string>> =>
        shown.length === 0
          ? { 'content-range': `items */${total}` }
          : { 'content-range': `items ${at}-${at + shown.length - 1}/${total}` },
    ),
  ],
  'total-above-the-page': [
    'A page has at most 8 animals, and X-Total-Count is the total.',
    byCursor(atMost(8), ({ total }) => ({ 'x-total-count': String(total) })),
  ],
  'pages-counted': [
    'A page has at most 10 animals, with X-Page and X-Total-Pages.',
    byCursor(atMost(10), ({ at, total }) => ({
      'x-page': String(Math.floor(at / 10) + 1),
      'x-total-pages': String(Math.ceil(total / 10)),
    })),
  ],
});
