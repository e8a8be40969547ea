import type { Call } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { counter, perCaller, withState } from '../patch-kit/core.ts';
import { failWith } from '../patch-kit/failures.ts';
import {
  editHeader,
  editRetryAfter,
  limitHeader,
  remainingHeader,
  showCounts,
} from '../patch-kit/rate-limits.ts';
import { editReply, errorReply, mergeReply, removeHeaders, setHeader } from '../patch-kit/responses.ts';
import { jsonReply, type Reply, textReply } from '../reply.ts';
import { family } from './family.ts';

const retryAfter = 'retry-after';
const at429 = { status: 429 } as const;
const needs = 'rate-limit-key';

/** Sends another response in place of a 429. */
const insteadOf429 = (respond: (call: Call) => Reply): Patch =>
  editReply(at429, ({ headers }, call) => {
    const reply = respond(call);
    const { 'content-type': _media, [retryAfter]: _wait, ...others } = headers;
    return { ...reply, headers: { ...others, 'content-type': 'application/json', ...reply.headers } };
  });

/** RATE-5: a request over the limit gets 429. */
const overLimitFaults = family(
  'RATE-5',
  {
    'over-limit-is-503': [
      'A request over the limit gets 503.',
      insteadOf429(errorReply(503, 'unavailable')),
      { companions: ['GEN-1', 'GEN-4'] },
    ],
    'over-limit-is-403': [
      'A request over the limit gets 403.',
      insteadOf429(errorReply(403, 'quota_exceeded')),
      { companions: ['GEN-1'] },
    ],
    'over-limit-is-401': [
      'A request over the limit gets 401: the key is invalid until the limit resets.',
      insteadOf429(errorReply(401, 'unauthorized')),
      { companions: ['AUTH-6'] },
    ],
    'over-limit-is-200-with-an-error': [
      'A request over the limit gets 200 with an Error.',
      insteadOf429((call) => ({ ...errorReply(429, 'rate_limited')(call), status: 200 })),
      { companions: ['GEN-3', 'LIST-1', 'GET-1', 'GEN-1', 'CREATE-1'] },
    ],
    'remaining-falls-twice-as-fast': [
      'X-RateLimit-Remaining falls by 2 with each request: it is 0 for half of the window.',
      showCounts(({ window, remaining }) => ({
        remaining: Math.max(0, window.limit - 2 * (window.limit - remaining)),
      })),
    ],
    'remaining-less-a-reserve': [
      'X-RateLimit-Remaining omits the last ten requests of a window, which succeed.',
      showCounts(({ remaining }) => ({ remaining: Math.max(0, remaining - 10) })),
    ],
    'over-limit-gets-an-empty-list': [
      'A list over the limit gets 200 without animals.',
      editReply({ operation: 'listPets', status: 429 }, ({ headers }) => {
        const { [retryAfter]: _wait, ...others } = headers;
        return jsonReply(200, [], others);
      }),
      { companions: ['LIST-8'] },
    ],
    'over-limit-is-dropped': [
      'The server drops the connection of a request over the limit.',
      editReply(at429, () => failWith('drop')),
      { companions: ['GEN-1', 'GEN-4'] },
    ],
  },
  { needs },
);

const unixTime = (seconds: number, { at }: Call): number => Math.floor(at / 1000) + seconds;

/** RATE-7: a 429 has Retry-After. */
const retryAfterFaults = family(
  'RATE-7',
  {
    'no-retry-after': ['A 429 has no Retry-After.', removeHeaders([retryAfter])],
    'retry-after-under-another-name': [
      'X-RateLimit-Retry-After has the time to wait.',
      editReply(at429, (reply) => {
        const { [retryAfter]: value = '', ...others } = reply.headers;
        return { ...reply, headers: { ...others, 'x-ratelimit-retry-after': value } };
      }),
    ],
    'retry-after-on-the-first-429-only': [
      'Only the first 429 of a key has Retry-After.',
      withState(() => {
        const met = new Set<string>();
        return setHeader(
          retryAfter,
          (value, call) => (met.size === met.add(call.parts.caller(call)).size ? undefined : value),
          at429,
        );
      }),
    ],
    'retry-after-negative': [
      'Retry-After is negative: the operands are swapped.',
      editRetryAfter((seconds) => String(-seconds)),
    ],
    'retry-after-in-words': ['Retry-After is a sentence.', editRetryAfter(() => 'in a minute')],
    'retry-after-as-nan': [
      'Retry-After is NaN: the end of the wait is never set.',
      editRetryAfter(() => 'NaN'),
    ],
    'retry-after-empty': ['Retry-After has no value.', editRetryAfter(() => '')],
  },
  { needs },
);

/** RATE-8: after Retry-After, requests succeed. */
const tooShortFaults = family(
  'RATE-8',
  {
    'retry-after-always-one': ['Retry-After is always 1.', editRetryAfter(() => '1')],
    'retry-after-zero': ['Retry-After is always 0.', editRetryAfter(() => '0')],
    'retry-after-one-from-the-second-on': [
      'The first 429 of a key gives the time to wait, later ones the default of the library: one second.',
      withState(() => {
        const isLater = perCaller(counter);
        return editRetryAfter((seconds, call) => (isLater(call)() === 1 ? String(seconds) : '1'));
      }),
    ],
    'retry-after-half': [
      'Retry-After is half of the time to wait.',
      editRetryAfter((seconds) => String(Math.floor(seconds / 2))),
    ],
    'retry-after-an-hour-ago': [
      'Retry-After is an HTTP-date an hour too early: the zone is subtracted twice.',
      editRetryAfter((seconds, { at }) => new Date(at + (seconds - 3_600) * 1000).toUTCString()),
    ],
  },
  { needs },
);

/** RATE-10: the headers of a 429 agree. */
const disagreementFaults = family(
  'RATE-10',
  {
    'retry-after-in-milliseconds': [
      'Retry-After is in milliseconds.',
      editRetryAfter((seconds) => `${seconds * 1000}`),
    ],
    'retry-after-as-a-unix-timestamp': [
      'Retry-After is the Unix timestamp of the reset.',
      editRetryAfter((seconds, call) => `${unixTime(seconds, call)}`),
    ],
    'retry-after-as-a-timestamp-in-nanoseconds': [
      'Retry-After is the Unix timestamp of the reset, in nanoseconds.',
      editRetryAfter((seconds, call) => `${unixTime(seconds, call)}000000000`),
    ],
    'retry-after-ten-minutes': [
      'Retry-After is ten minutes, though the limit resets within one.',
      editRetryAfter(() => '600'),
    ],
    'remaining-one-in-429': [
      'X-RateLimit-Remaining is 1 in a 429: the refused request is given back.',
      editHeader(remainingHeader, () => '1', at429),
      { companions: ['RATE-6'] },
    ],
    'remaining-full-in-429': [
      'X-RateLimit-Remaining is the limit in a 429: it belongs to the next window.',
      mergeReply(at429, ({ headers }) => ({ headers: { [remainingHeader]: headers[limitHeader] ?? '60' } })),
      { companions: ['RATE-6'] },
    ],
  },
  { needs },
);

/** GEN-2: the body of a 429 matches its media type. */
const bodyFaults = family(
  'GEN-2',
  {
    'html-429': [
      'The body of a 429 is the HTML page of a proxy.',
      mergeReply(at429, textReply(429, 'text/html', '<html><h1>429 Too Many Requests</h1></html>')),
    ],
    'plain-text-429-labelled-as-json': [
      'The body of a 429 is a line of text, labeled as JSON.',
      mergeReply(at429, { body: { text: 'Rate limit exceeded' } }),
    ],
  },
  { needs },
);

/** Mistakes in the response to a request over the limit. */
export const rateExhaustedFaults = [
  ...overLimitFaults,
  ...retryAfterFaults,
  ...tooShortFaults,
  ...disagreementFaults,
  ...bodyFaults,
];
