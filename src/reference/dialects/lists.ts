import type { Call } from '../parts.ts';
import type { Dialect, Patch } from '../patch.ts';
import { editReply, handle, replace, setHeader, together } from '../patches.ts';
import { isPetStatus } from '../pet.ts';
import { jsonReply } from '../reply.ts';
import { refuseParameter } from './refusals.ts';

/** Answers a whole `limit` outside 1 to 100 with a page of some other size. */
const outOfRange = (size: (limit: bigint) => number | null): Patch =>
  replace('readLimit', (before) => (values) => {
    const [text = '', ...more] = values;
    const limit = more.length === 0 && /^-?\d+$/.test(text) ? BigInt(text) : 1n;
    const other = limit < 1n || limit > 100n ? size(limit) : null;
    return other === null ? before(values) : { ok: true, value: other };
  });

/** Reads a `limit` that is no plain integer in another way; undefined: as if there were none. */
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

/** Reads a `status` outside the enumeration in another way; undefined: as if there were none. */
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

/** Of a parameter that is given several times one value counts. */
const oneOfSeveral = (pick: (values: readonly string[]) => readonly string[]): Patch =>
  together(
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

const pages = together(
  replace('select', (before) => (pets, query, call) => {
    const skipped = (pageOf(call) - 1) * query.limit;
    return before(pets, { ...query, limit: skipped + query.limit }, call).slice(skipped);
  }),
  editReply(listed, (reply, call) => {
    const limit = call.parts.readLimit(call.url.searchParams.getAll('limit'));
    const shown =
      reply.body && 'json' in reply.body && Array.isArray(reply.body.json) ? reply.body.json.length : 0;
    const full = limit.ok && shown > 0 && shown === limit.value;
    const links = [pageLink(call, 1, 'first'), ...(full ? [pageLink(call, pageOf(call) + 1, 'next')] : [])];
    return { ...reply, headers: { ...reply.headers, link: links.join(', ') } };
  }),
);

const total = setHeader(
  'x-total-count',
  (_before, call) => {
    const status = call.parts.readStatus(call.url.searchParams.getAll('status'));
    const wanted = status.ok ? status.value : undefined;
    const { pets } = call.world;
    return String(wanted === undefined ? pets.length : pets.filter((pet) => pet.status === wanted).length);
  },
  listed,
);

const dialect =
  (choice: string) =>
  (name: string, description: string, patch: Patch): Dialect => ({ name, choice, description, patch });
const range = dialect('limit-out-of-range');
const integer = dialect('limit-not-an-integer');
const filter = dialect('unknown-status');
const several = dialect('repeated-parameter');

/** Choices about parameters of the list, inside and outside the documented input space (LIST-5, LIST-7, LIST-10). */
export const listDialects: readonly Dialect[] = [
  range(
    'bad-limit-422',
    'A limit that is no integer from 1 to 100 is refused with 422.',
    refuseParameter('limit', 422),
  ),
  range(
    'bad-limit-404',
    'A limit that is no integer from 1 to 100 is refused with 404.',
    refuseParameter('limit', 404),
  ),
  range(
    'limit-clamped',
    'A limit outside 1 to 100 counts as the nearest one inside.',
    outOfRange((limit) => (limit < 1n ? 1 : 100)),
  ),
  range(
    'limit-out-of-range-ignored',
    'A limit outside 1 to 100 counts as absent.',
    outOfRange(() => 20),
  ),
  range(
    'limit-zero-lists-none',
    'limit=0 lists no animal; other limits outside 1 to 100 are refused.',
    outOfRange((limit) => (limit === 0n ? 0 : null)),
  ),
  integer(
    'limit-no-integer-ignored',
    'A limit that is no integer counts as absent.',
    notAnInteger(() => undefined),
  ),
  integer(
    'limit-cut-to-an-integer',
    'Of a limit that begins with digits these count.',
    notAnInteger((text) => /^\s*\d+/.exec(text)?.[0].trim() ?? text),
  ),
  integer(
    'limit-read-leniently',
    'A limit may have spaces around it, a plus sign and leading zeros.',
    notAnInteger(lenient),
  ),
  integer(
    'limit-empty-ignored',
    'A limit without a value counts as absent.',
    notAnInteger((text) => text || undefined),
  ),
  filter(
    'unknown-status-422',
    'A status outside the enumeration is refused with 422.',
    refuseParameter('status', 422),
  ),
  filter(
    'unknown-status-lists-none',
    'No animal is listed under a status outside the enumeration.',
    noneListed,
  ),
  filter(
    'unknown-status-ignored',
    'A status outside the enumeration counts as absent.',
    otherStatus(() => undefined),
  ),
  filter(
    'status-filter-without-case',
    'The status to filter by may be written in capitals, with spaces around it.',
    otherStatus((text) => text.trim().toLowerCase()),
  ),
  filter(
    'empty-status-ignored',
    'A status without a value counts as absent.',
    otherStatus((text) => text || undefined),
  ),
  several(
    'first-of-repeated-parameters',
    'Of a repeated parameter the first value counts.',
    oneOfSeveral((values) => values.slice(0, 1)),
  ),
  several(
    'last-of-repeated-parameters',
    'Of a repeated parameter the last value counts.',
    oneOfSeveral((values) => values.slice(-1)),
  ),
  {
    name: 'pages-by-number',
    // A list has one way of paging.
    choice: 'cursor',
    description: 'A page parameter leads to further animals, and Link headers to further pages.',
    patch: pages,
  },
  { name: 'total-count', description: 'X-Total-Count tells how many animals there are.', patch: total },
];
