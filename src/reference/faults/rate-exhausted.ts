import type { Call } from '../parts.ts';
import type { Fault, Patch } from '../patch.ts';
import { editReply, perServer, removeHeaders, setHeader } from '../patches.ts';
import { ConnectionDropped, jsonReply, textReply } from '../reply.ts';
import { problem } from './create-patches.ts';
import { onceExhausted, remainingHeader, rewrite, showCounts } from './rate-patches.ts';

/** Where the limits say 429, another answer. */
const inPlaceOf429 = (answer: (call: Call) => ReturnType<typeof jsonReply>): Patch =>
  editReply({ status: 429 }, ({ headers }, call) => {
    const reply = answer(call);
    const { 'content-type': _media, 'retry-after': _wait, ...others } = headers;
    const media = reply.body !== null && 'json' in reply.body ? { 'content-type': 'application/json' } : {};
    return { ...reply, headers: { ...others, ...media, ...reply.headers } };
  });

const retryAfter = 'retry-after';
const at429 = { status: 429 } as const;

const wait = (
  name: string,
  description: string,
  form: (seconds: number, call: Call) => string,
  companions: readonly string[] = [],
): Fault =>
  onceExhausted({
    name,
    requirement: 'RATE-7',
    description,
    companions,
    patch: rewrite(retryAfter, (value, call) => form(Number(value), call), at429),
  });

const shortly = (
  name: string,
  description: string,
  form: (seconds: number, call: Call) => string,
): Fault => ({
  ...wait(name, description, form),
  requirement: 'RATE-8',
});

const disagrees = (
  name: string,
  description: string,
  patch: Patch,
  companions: readonly string[] = [],
): Fault => onceExhausted({ name, requirement: 'RATE-10', description, companions, patch });

/** What a request over the limit is answered with: RATE-5, RATE-7, RATE-8, RATE-10, and the body of a 429. */
export const rateExhaustedFaults: readonly Fault[] = [
  onceExhausted({
    name: 'over-limit-is-503',
    requirement: 'RATE-5',
    companions: ['GEN-1', 'GEN-4'],
    description: 'A request over the limit gets 503.',
    patch: inPlaceOf429(problem(503, 'unavailable')),
  }),
  onceExhausted({
    name: 'over-limit-is-403',
    requirement: 'RATE-5',
    companions: ['GEN-1'],
    description: 'A request over the limit gets 403.',
    patch: inPlaceOf429(problem(403, 'quota_exceeded')),
  }),
  onceExhausted({
    name: 'over-limit-is-401',
    requirement: 'RATE-5',
    description: 'A request over the limit gets 401: the key counts as invalid until the limit resets.',
    companions: ['AUTH-6'],
    patch: inPlaceOf429(problem(401, 'unauthorized')),
  }),
  onceExhausted({
    name: 'over-limit-is-200-with-an-error',
    requirement: 'RATE-5',
    companions: ['GEN-3', 'LIST-1', 'GET-1', 'GEN-1', 'CREATE-1'],
    description: 'A request over the limit gets 200 with an Error in the body.',
    patch: inPlaceOf429((call) => ({ ...problem(429, 'rate_limited')(call), status: 200 })),
  }),
  onceExhausted({
    name: 'remaining-falls-twice-as-fast',
    requirement: 'RATE-5',
    description: 'X-RateLimit-Remaining falls by two with each request, and stays 0 for half of the window.',
    patch: showCounts(({ window, remaining }) => ({
      remaining: Math.max(0, window.limit - 2 * (window.limit - remaining)),
    })),
  }),
  onceExhausted({
    name: 'remaining-less-a-reserve',
    requirement: 'RATE-5',
    description: 'The last ten requests of a window are kept back from X-RateLimit-Remaining, and served.',
    patch: showCounts(({ remaining }) => ({ remaining: Math.max(0, remaining - 10) })),
  }),
  onceExhausted({
    name: 'over-limit-gets-an-empty-list',
    requirement: 'RATE-5',
    companions: ['LIST-8'],
    description: 'A list over the limit is answered with 200 and no animals.',
    patch: editReply({ operation: 'listPets', status: 429 }, ({ headers }) => {
      const { [retryAfter]: _wait, ...others } = headers;
      return jsonReply(200, [], others);
    }),
  }),
  onceExhausted({
    name: 'over-limit-is-dropped',
    requirement: 'RATE-5',
    companions: ['GEN-1', 'GEN-4'],
    description: 'The connection of a request over the limit is dropped.',
    patch: editReply(at429, () => {
      throw new ConnectionDropped();
    }),
  }),
  onceExhausted({
    name: 'no-retry-after',
    requirement: 'RATE-7',
    description: 'A 429 carries no Retry-After.',
    patch: removeHeaders([retryAfter]),
  }),
  onceExhausted({
    name: 'retry-after-under-another-name',
    requirement: 'RATE-7',
    description: 'The time to wait stands in X-RateLimit-Retry-After.',
    patch: editReply(at429, (reply) => {
      const { [retryAfter]: value = '', ...others } = reply.headers;
      return { ...reply, headers: { ...others, 'x-ratelimit-retry-after': value } };
    }),
  }),
  onceExhausted({
    name: 'retry-after-on-the-first-429-only',
    requirement: 'RATE-7',
    description: 'Only the first 429 of a key carries Retry-After.',
    patch: perServer(() => {
      const met = new Set<string>();
      return setHeader(
        retryAfter,
        (value, call) => (met.size === met.add(call.parts.caller(call)).size ? undefined : value),
        at429,
      );
    }),
  }),
  wait('retry-after-negative', 'Retry-After is negative: the operands are swapped.', (seconds) =>
    String(-seconds),
  ),
  wait('retry-after-in-words', 'Retry-After is a sentence.', () => 'in a minute'),
  wait('retry-after-as-nan', 'Retry-After is NaN: the end of the wait was never set.', () => 'NaN'),
  wait('retry-after-empty', 'Retry-After has no value.', () => ''),
  shortly('retry-after-always-one', 'Retry-After is always 1, however long the window lasts.', () => '1'),
  shortly('retry-after-zero', 'Retry-After is always 0.', () => '0'),
  shortly('retry-after-half', 'Retry-After is half of what is to be waited.', (seconds) =>
    String(Math.floor(seconds / 2)),
  ),
  shortly(
    'retry-after-an-hour-ago',
    'Retry-After is an HTTP-date of an hour ago: the zone is subtracted twice.',
    (seconds, call) => new Date(call.at + (seconds - 3_600) * 1000).toUTCString(),
  ),
  disagrees(
    'retry-after-in-milliseconds',
    'Retry-After is in milliseconds.',
    rewrite(retryAfter, (seconds) => String(Number(seconds) * 1000), at429),
  ),
  disagrees(
    'retry-after-as-a-unix-timestamp',
    'Retry-After is the Unix timestamp of the reset.',
    rewrite(retryAfter, (seconds, call) => String(Math.floor(call.at / 1000) + Number(seconds)), at429),
  ),
  disagrees(
    'retry-after-as-a-timestamp-in-nanoseconds',
    'Retry-After is the Unix timestamp of the reset, in nanoseconds.',
    rewrite(
      retryAfter,
      (seconds, call) => String(BigInt(Math.floor(call.at / 1000) + Number(seconds)) * 1_000_000_000n),
      at429,
    ),
  ),
  disagrees(
    'retry-after-ten-minutes',
    'Retry-After is ten minutes, though the limit resets within one.',
    rewrite(retryAfter, () => '600', at429),
  ),
  disagrees(
    'remaining-one-in-429',
    'X-RateLimit-Remaining is 1 in a 429: the refused request is given back.',
    rewrite(remainingHeader, () => '1', at429),
    ['RATE-6'],
  ),
  disagrees(
    'remaining-full-in-429',
    'X-RateLimit-Remaining is the limit in a 429: it tells of the next window.',
    editReply(at429, (reply) => ({
      ...reply,
      headers: { ...reply.headers, [remainingHeader]: reply.headers['x-ratelimit-limit'] ?? '60' },
    })),
    ['RATE-6'],
  ),
  onceExhausted({
    name: 'html-429',
    requirement: 'GEN-2',
    description: 'A 429 has the HTML page of a proxy for a body.',
    patch: editReply(at429, ({ headers }) => {
      const page = textReply(429, 'text/html', '<html><h1>429 Too Many Requests</h1></html>');
      return { ...page, headers: { ...headers, ...page.headers } };
    }),
  }),
  onceExhausted({
    name: 'plain-text-429-labelled-as-json',
    requirement: 'GEN-2',
    description: 'A 429 is labelled as JSON and is a line of text.',
    patch: editReply(at429, ({ headers }) => ({
      ...textReply(429, 'application/json', 'Rate limit exceeded'),
      headers,
    })),
  }),
];
