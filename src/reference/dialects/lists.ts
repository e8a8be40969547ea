import type { Call } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { compose, handle, replace } from '../patch-kit/core.ts';
import { refuseParameter } from '../patch-kit/refusals.ts';
import { mergeReply, setHeader } from '../patch-kit/responses.ts';
import { isPetStatus } from '../pet.ts';
import { jsonReply } from '../reply.ts';
import { choices, independent } from './choices.ts';

/** Returns a page of some other size for an integer `limit` outside 1 to 100. */
const outOfRange = (size: (limit: bigint) => number | null): Patch =>
  replace('readLimit', (before) => (values) => {
    const [text = '', ...more] = values;
    const limit = more.length === 0 && /^-?\d+$/.test(text) ? BigInt(text) : 1n;
    const other = limit < 1n || limit > 100n ? size(limit) : null;
    return other === null ? before(values) : { ok: true, value: other };
  });

/** Reads a `limit` that is not a plain integer in another way; undefined: as if it were absent. */
const notAnInteger = (read: (text: string) => string | undefined): Patch =>
  replace('readLimit', (before) => (values) => {
    const [text, ...more] = values;
    if (text === undefined || more.length > 0 || /^(0|-?[1-9]\d*)$/.test(text)) return before(values);
    const other = read(text);
    return before(other === undefined ? [] : [other]);
  });

const lenient = (text: string): string =>
  text
    .trim()
    .replace(/^\+/, '')
    .replace(/^0+(?=\d)/, '');

/** Reads a `status` outside the enumeration in another way; undefined: as if it were absent. */
const otherStatus = (read: (text: string) => string | undefined): Patch =>
  replace('readStatus', (before) => (values) => {
    const [text, ...more] = values;
    if (text === undefined || more.length > 0 || isPetStatus(text)) return before(values);
    const other = read(text);
    return before(other === undefined ? [] : [other]);
  });

const noneListed = handle('listPets', (call, before) =>
  call.parts.readStatus(call.url.searchParams.getAll('status')).ok ? before(call) : jsonReply(200, []),
);

/** Uses one value of a parameter that is sent several times. */
const oneOfSeveral = (pick: (values: readonly string[]) => readonly string[]): Patch =>
  compose(
    replace('readLimit', (before) => (values) => before(pick(values))),
    replace('readStatus', (before) => (values) => before(pick(values))),
  );

const listed = { operation: 'listPets', method: 'GET', status: 200 } as const;

const pageOf = ({ url }: Call): number => {
  const text = url.searchParams.get('page') ?? '';
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
};

const pageLink = ({ url }: Call, page: number, rel: string): string => {
  const query = new URLSearchParams(url.searchParams);
  query.set('page', String(page));
  return `<${url.pathname}?${query}>; rel="${rel}"`;
};

const pages = compose(
  replace('select', (before) => (pets, query, call) => {
    const skipped = (pageOf(call) - 1) * query.limit;
    return before(pets, { ...query, limit: skipped + query.limit }, call).slice(skipped);
  }),
  mergeReply(listed, (reply, call) => {
    const limit = call.parts.readLimit(call.url.searchParams.getAll('limit'));
    const shown =
      reply.body && 'json' in reply.body && Array.isArray(reply.body.json) ? reply.body.json.length : 0;
    const full = limit.ok && shown > 0 && shown === limit.value;
    const links = [pageLink(call, 1, 'first'), ...(full ? [pageLink(call, pageOf(call) + 1, 'next')] : [])];
    return { headers: { link: links.join(', ') } };
  }),
);

const total = setHeader(
  'x-total-count',
  (_before, call) => {
    const status = call.parts.readStatus(call.url.searchParams.getAll('status'));
    const wanted = status.ok ? status.value : undefined;
    const { pets } = call.state;
    return String(wanted === undefined ? pets.length : pets.filter((pet) => pet.status === wanted).length);
  },
  listed,
);

/** Choices about parameters of the list, inside and outside the documented input space (LIST-5, LIST-7, LIST-10). */
export const listDialects = [
  ...choices('limit-out-of-range', {
    'bad-limit-422': [
      'A limit that is not an integer from 1 to 100 gets 422.',
      refuseParameter('limit', 422),
    ],
    'bad-limit-404': [
      'A limit that is not an integer from 1 to 100 gets 404.',
      refuseParameter('limit', 404),
    ],
    'limit-clamped': [
      'A limit outside 1 to 100 becomes 1 or 100.',
      outOfRange((limit) => (limit < 1n ? 1 : 100)),
    ],
    'limit-out-of-range-ignored': ['A limit outside 1 to 100 is ignored.', outOfRange(() => 20)],
    'limit-zero-lists-none': [
      'limit=0 lists no animals; other limits outside 1 to 100 are refused.',
      outOfRange((limit) => (limit === 0n ? 0 : null)),
    ],
  }),
  ...choices('limit-not-an-integer', {
    'limit-no-integer-ignored': ['A limit that is not an integer is ignored.', notAnInteger(() => undefined)],
    'limit-cut-to-an-integer': [
      'The server reads the leading digits of a limit.',
      notAnInteger((text) => /^\s*\d+/.exec(text)?.[0].trim() ?? text),
    ],
    'limit-read-leniently': [
      'The server accepts spaces, a plus sign, and leading zeros in a limit.',
      notAnInteger(lenient),
    ],
    'limit-empty-ignored': ['An empty limit is ignored.', notAnInteger((text) => text || undefined)],
  }),
  ...choices('unknown-status', {
    'unknown-status-422': ['An unknown status gets 422.', refuseParameter('status', 422)],
    'unknown-status-lists-none': ['A list with an unknown status is empty.', noneListed],
    'unknown-status-ignored': ['An unknown status is ignored.', otherStatus(() => undefined)],
    'status-filter-without-case': [
      'The status filter accepts capitals and surrounding spaces.',
      otherStatus((text) => text.trim().toLowerCase()),
    ],
    'empty-status-ignored': ['An empty status is ignored.', otherStatus((text) => text || undefined)],
  }),
  ...choices('repeated-parameter', {
    'first-of-repeated-parameters': [
      'The server reads the first value of a repeated parameter.',
      oneOfSeveral((values) => values.slice(0, 1)),
    ],
    'last-of-repeated-parameters': [
      'The server reads the last value of a repeated parameter.',
      oneOfSeveral((values) => values.slice(-1)),
    ],
  }),
  ...choices('cursor', {
    // A list has one way of paging.
    'pages-by-number': ['A page parameter selects more animals, and Link headers lead to more pages.', pages],
  }),
  ...independent({ 'total-count': ['X-Total-Count is the number of animals.', total] }),
];
