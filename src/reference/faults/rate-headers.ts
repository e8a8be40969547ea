import type { Call } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { type ResponseFilter, withState } from '../patch-kit/core.ts';
import { rateHeaders, resetHeader } from '../patch-kit/rate-limits.ts';
import { editReply, removeHeaders } from '../patch-kit/responses.ts';
import { family } from './family.ts';

/** Sends some responses without the headers. */
const without = (filter: ResponseFilter): Patch => removeHeaders(rateHeaders, filter);

/** Sends responses without the headers, depending on whether they are the first of their caller. */
const withoutIf = (lacks: (call: Call, isFirst: boolean) => boolean): Patch =>
  withState(() => {
    const met = new Set<string>();
    const isFirst = (call: Call): boolean => met.size !== met.add(call.parts.caller(call)).size;
    return without({ when: (_reply, call) => lacks(call, isFirst(call)) });
  });

/** Sends the headers under other names. */
const renamed = (rename: (header: string) => string): Patch =>
  editReply({}, (reply) => ({
    ...reply,
    headers: Object.fromEntries(
      Object.entries(reply.headers).map(([header, value]) => [
        rateHeaders.includes(header) ? rename(header) : header,
        value,
      ]),
    ),
  }));

/** RATE-1: every response has the three headers. */
export const rateHeaderFaults = family('RATE-1', {
  'no-rate-headers': ['No response has rate limit headers.', without({})],
  'no-limit-header': ['X-RateLimit-Limit is never sent.', removeHeaders(['x-ratelimit-limit'])],
  'no-remaining-header': ['X-RateLimit-Remaining is never sent.', removeHeaders(['x-ratelimit-remaining'])],
  'no-reset-header': ['X-RateLimit-Reset is never sent.', removeHeaders([resetHeader])],
  'no-rate-headers-on-201': ['A 201 has no rate limit headers.', without({ status: 201 })],
  'no-rate-headers-on-400': ['A 400 has no rate limit headers.', without({ status: 400 })],
  'no-rate-headers-on-401': ['A 401 has no rate limit headers.', without({ status: 401 })],
  'no-rate-headers-on-404': ['A 404 has no rate limit headers.', without({ status: 404 })],
  'no-rate-headers-on-orders': [
    'GET /store/orders has no rate limit headers.',
    without({ operation: 'listOrders' }),
  ],
  'no-rate-headers-on-get': ['getPet has no rate limit headers.', without({ operation: 'getPet' })],
  'no-reset-on-refused-creations': [
    'A refused creation has no X-RateLimit-Reset.',
    removeHeaders([resetHeader], { operation: 'createPet', status: [400, 401] }),
  ],
  'no-rate-headers-on-filtered-lists': [
    'A list filtered by status has no rate limit headers.',
    without({ operation: 'listPets', when: (_reply, { url }) => url.searchParams.has('status') }),
  ],
  'rate-headers-on-first-answer-only': [
    'Only the first response for a key has rate limit headers.',
    withoutIf((_call, isFirst) => !isFirst),
  ],
  'no-rate-headers-on-first-answer': [
    'The first request of a key is not counted: its response has no rate limit headers.',
    withoutIf(({ grant }, isFirst) => grant !== null && isFirst),
  ],
  'rate-headers-of-the-draft': [
    'The headers have the names of the IETF draft: RateLimit-Limit and so on.',
    renamed((header) => header.slice(2)),
  ],
  'rate-headers-with-another-hyphen': [
    'The headers are called X-Rate-Limit-Limit and so on.',
    renamed((header) => header.replace('ratelimit', 'rate-limit')),
  ],
  'no-rate-headers-on-429': [
    'A 429 has no rate limit headers.',
    without({ status: 429 }),
    { needs: 'rate-limit-key' },
  ],
});
