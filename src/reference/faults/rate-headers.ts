import { minute } from '../keys.ts';
import type { Call } from '../parts.ts';
import type { Fault, Patch } from '../patch.ts';
import { editReply, perServer, removeHeaders, replace, type Where } from '../patches.ts';
import {
  limitHeader,
  rateHeaders,
  remainingHeader,
  renumber,
  resetHeader,
  rewrite,
  showCounts,
} from './rate-patches.ts';

/** Answers without some of the headers. */
const missing = (
  name: string,
  description: string,
  headers: readonly string[],
  where: Where = {},
): Fault => ({
  name,
  requirement: 'RATE-1',
  companions: [],
  description,
  patch: removeHeaders(headers, where),
});

/** Answers without all of the headers, told by whether a caller's first request is answered. */
const missingWhere = (lacks: (call: Call, isFirst: boolean) => boolean): Patch =>
  perServer(() => {
    const met = new Set<string>();
    const isFirst = (call: Call): boolean => met.size !== met.add(call.parts.caller(call)).size;
    return removeHeaders(rateHeaders, { when: (_reply, call) => lacks(call, isFirst(call)) });
  });

/** The headers stand under other names. */
const renamed = (name: string, description: string, rename: (header: string) => string): Fault => ({
  name,
  requirement: 'RATE-1',
  companions: [],
  description,
  patch: editReply({}, (reply) => ({
    ...reply,
    headers: Object.fromEntries(
      Object.entries(reply.headers).map(([header, value]) => [
        rateHeaders.includes(header) ? rename(header) : header,
        value,
      ]),
    ),
  })),
});

const malformed = (
  name: string,
  description: string,
  patch: Fault['patch'],
  companions: readonly string[] = [],
): Fault => ({ name, requirement: 'RATE-2', companions, description, patch });

/** A Limit in another form is not the plan's figure either. */
const limitIn = (name: string, description: string, form: (limit: string) => string): Fault =>
  malformed(name, description, rewrite(limitHeader, form), ['RATE-3']);

const remainingIn = (name: string, description: string, form: (remaining: string) => string): Fault =>
  malformed(name, description, rewrite(remainingHeader, form));

/** A Reset in the past makes `Retry-After` reach beyond it. */
const early = ['RATE-10'];

/** RATE-1: every answer carries the three headers; RATE-2: they are well formed. */
export const rateHeaderFaults: readonly Fault[] = [
  missing('no-rate-headers', 'No answer carries rate limit headers.', rateHeaders),
  missing('no-limit-header', 'X-RateLimit-Limit is never sent.', [limitHeader]),
  missing('no-remaining-header', 'X-RateLimit-Remaining is never sent.', [remainingHeader]),
  missing('no-reset-header', 'X-RateLimit-Reset is never sent.', [resetHeader]),
  missing('no-rate-headers-on-201', 'A 201 carries no rate limit headers.', rateHeaders, { status: 201 }),
  missing('no-rate-headers-on-400', 'A 400 carries no rate limit headers.', rateHeaders, { status: 400 }),
  missing('no-rate-headers-on-401', 'A 401 carries no rate limit headers.', rateHeaders, { status: 401 }),
  missing('no-rate-headers-on-404', 'A 404 carries no rate limit headers.', rateHeaders, { status: 404 }),
  missing('no-rate-headers-on-orders', 'GET /store/orders carries no rate limit headers.', rateHeaders, {
    operation: 'listOrders',
  }),
  missing('no-rate-headers-on-get', 'The deprecated getPet carries no rate limit headers.', rateHeaders, {
    operation: 'getPet',
  }),
  missing(
    'no-reset-on-refused-creations',
    'A creation that is refused lacks X-RateLimit-Reset.',
    [resetHeader],
    {
      operation: 'createPet',
      status: [400, 401],
    },
  ),
  missing(
    'no-rate-headers-on-filtered-lists',
    'A list that is filtered by status carries no rate limit headers.',
    rateHeaders,
    {
      operation: 'listPets',
      when: (_reply, call) => call.url.searchParams.has('status'),
    },
  ),
  {
    ...missing(
      'rate-headers-on-first-answer-only',
      'Only the first answer to a key carries rate limit headers.',
      [],
    ),
    patch: missingWhere((_call, isFirst) => !isFirst),
  },
  {
    ...missing(
      'no-rate-headers-on-first-answer',
      'What begins the count of a key is not counted itself: its answer carries no rate limit headers.',
      [],
    ),
    patch: missingWhere(({ grant }, isFirst) => grant !== null && isFirst),
  },
  renamed(
    'rate-headers-of-the-draft',
    'The headers have the names of the IETF draft: RateLimit-Limit and so on.',
    (header) => header.slice(2),
  ),
  renamed(
    'rate-headers-with-another-hyphen',
    'The headers are called X-Rate-Limit-Limit and so on.',
    (header) => header.replace('ratelimit', 'rate-limit'),
  ),
  {
    ...missing('no-rate-headers-on-429', 'A 429 carries no rate limit headers.', rateHeaders, {
      status: 429,
    }),
    needs: 'rate-limit-key',
  },
  malformed(
    'reset-in-milliseconds-to-go',
    'X-RateLimit-Reset adds the milliseconds that are left, as the store of the counters has them, to the seconds of now.',
    renumber(resetHeader, (reset, { at }) => {
      const seconds = Math.floor(at / 1000);
      return seconds + Math.round(reset * 1000 - at);
    }),
  ),
  malformed(
    'reset-in-milliseconds',
    'X-RateLimit-Reset is in milliseconds.',
    renumber(resetHeader, (reset) => reset * 1000),
  ),
  malformed(
    'reset-as-seconds-left',
    'X-RateLimit-Reset is the number of seconds that are left.',
    renumber(resetHeader, (reset, call) => Math.max(0, reset - Math.floor(call.at / 1000))),
    early,
  ),
  malformed(
    'reset-as-an-http-date',
    'X-RateLimit-Reset is an HTTP-date.',
    rewrite(resetHeader, (reset) => new Date(Number(reset) * 1000).toUTCString()),
  ),
  malformed(
    'reset-as-a-timestamp-of-text',
    'X-RateLimit-Reset is a date and time as in RFC 3339.',
    rewrite(resetHeader, (reset) => new Date(Number(reset) * 1000).toISOString()),
  ),
  malformed(
    'reset-an-hour-ago',
    'X-RateLimit-Reset is in the past: the zone is subtracted twice.',
    renumber(resetHeader, (reset) => reset - 3_600),
    early,
  ),
  malformed(
    'reset-an-hour-ahead',
    'X-RateLimit-Reset lies an hour ahead: local time is taken for UTC.',
    renumber(resetHeader, (reset) => reset + 3_600),
  ),
  malformed(
    'reset-of-the-day-beside-the-minute',
    'X-RateLimit-Limit and Remaining are of the minute, X-RateLimit-Reset is the end of the day.',
    renumber(resetHeader, (_, { at }) => (Math.floor(at / 86_400_000) + 1) * 86_400),
  ),
  malformed(
    'windows-of-an-hour',
    'The window of the limiter is an hour, as in the example it was copied from, with the figure of a minute.',
    replace(
      'windows',
      (before) => (grant) =>
        before(grant).map((window) => (window.seconds === minute ? { ...window, seconds: 3_600 } : window)),
    ),
  ),
  malformed(
    'reset-in-a-month',
    'X-RateLimit-Reset lies a month ahead.',
    renumber(resetHeader, (reset) => reset + 30 * 86_400),
  ),
  malformed(
    'reset-with-a-fraction',
    'X-RateLimit-Reset has a fraction of a second.',
    rewrite(resetHeader, (reset) => `${reset}.25`),
  ),
  malformed(
    'reset-zero-on-401',
    'X-RateLimit-Reset is 0 where the key is missing or invalid.',
    rewrite(resetHeader, () => '0', { status: 401 }),
  ),
  malformed(
    'reset-in-milliseconds-on-creations',
    'A creation shows X-RateLimit-Reset in milliseconds, the other operations in seconds.',
    renumber(resetHeader, (reset) => reset * 1000, { operation: 'createPet' }),
  ),
  limitIn(
    'limit-of-both-windows',
    'X-RateLimit-Limit is sent twice and arrives as one list: 60, 60.',
    (limit) => `${limit}, ${limit}`,
  ),
  limitIn(
    'limit-with-its-window',
    'X-RateLimit-Limit tells the window as well: 60;w=60.',
    (limit) => `${limit};w=60`,
  ),
  limitIn(
    'limit-per-minute-in-words',
    'X-RateLimit-Limit has a unit: 60/minute.',
    (limit) => `${limit}/minute`,
  ),
  limitIn(
    'limit-with-a-decimal',
    'X-RateLimit-Limit is written as a decimal: 60.0.',
    (limit) => `${limit}.0`,
  ),
  malformed(
    'limit-empty',
    'X-RateLimit-Limit has no value.',
    rewrite(limitHeader, () => ''),
    ['RATE-3'],
  ),
  malformed(
    'limit-minus-one',
    'X-RateLimit-Limit is -1, for unlimited.',
    rewrite(limitHeader, () => '-1'),
    ['RATE-3'],
  ),
  malformed(
    'limit-zero',
    'X-RateLimit-Limit is 0, a default that is never set.',
    rewrite(limitHeader, () => '0'),
    ['RATE-3'],
  ),
  remainingIn(
    'remaining-with-a-decimal',
    'X-RateLimit-Remaining is written as a decimal: 59.0.',
    (remaining) => `${remaining}.0`,
  ),
  remainingIn(
    'remaining-of-the-limit',
    'X-RateLimit-Remaining tells the limit as well: 59/60.',
    (remaining) => `${remaining}/60`,
  ),
  remainingIn('remaining-not-a-number', 'X-RateLimit-Remaining is NaN.', () => 'NaN'),
  malformed(
    'remaining-negative',
    'X-RateLimit-Remaining counts down from 0.',
    showCounts(({ window, remaining }) => ({ remaining: remaining - window.limit })),
  ),
  malformed(
    'remaining-above-limit',
    'X-RateLimit-Remaining counts the bonus of a burst: it starts above the limit.',
    renumber(remainingHeader, (remaining) => remaining + 10),
    ['RATE-6', 'RATE-10'],
  ),
  malformed(
    'remaining-of-another-counter-on-get',
    'getPet shows another counter as X-RateLimit-Remaining, which is larger than the limit.',
    rewrite(remainingHeader, () => '1048576', { operation: 'getPet' }),
    ['RATE-4', 'RATE-6', 'RATE-10'],
  ),
];
