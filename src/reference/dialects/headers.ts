import { createHash } from 'node:crypto';
import { isJsonObject } from '../../json/json.ts';
import { type Call, operations } from '../parts.ts';
import type { Patch } from '../patch.ts';
import { counter, type ResponseFilter, replace, withState } from '../patch-kit/core.ts';
import { mergeReply, removeHeaders, setHeader } from '../patch-kit/responses.ts';
import type { Reply } from '../reply.ts';
import { independent } from './choices.ts';

/** Adds headers to finished responses. */
const addHeaders = (
  headers: (reply: Reply, call: Call) => Reply['headers'],
  filter: ResponseFilter = {},
): Patch => mergeReply(filter, (reply, call) => ({ headers: headers(reply, call) }));

const numbered = withState(() => {
  const requests = counter();
  return setHeader('x-request-id', () => `req-${String(requests()).padStart(8, '0')}`);
});

const tag = (reply: Reply, { parts }: Call): string => {
  const text = reply.body && 'json' in reply.body ? parts.stringify(reply.body.json) : '';
  return `W/"${createHash('sha1').update(text).digest('hex')}"`;
};

const location = (reply: Reply): Reply['headers'] => {
  const pet = reply.body && 'json' in reply.body ? reply.body.json : null;
  return isJsonObject(pet) ? { location: `/v1/pets/${pet.id}` } : {};
};

/** Headers that the document neither requires nor forbids. */
export const headerDialects = independent({
  'no-date': ['Responses have no Date: the server has no clock.', removeHeaders(['date'])],
  'connection-closed': [
    'The server closes the connection after each response.',
    setHeader('connection', 'close'),
  ],
  'answers-chunked': [
    'Bodies are sent in chunks, without a Content-Length.',
    addHeaders((reply) => (reply.body === null ? {} : { 'transfer-encoding': 'chunked' }), {
      operation: operations,
    }),
  ],
  'requests-numbered': ['Every response has a request id.', numbered],
  etags: [
    'Successful reads have an ETag, and may be cached with validation.',
    addHeaders(
      (reply, call) => ({
        etag: tag(reply, call),
        'cache-control': 'private, no-cache',
        vary: 'Authorization',
      }),
      { method: 'GET', status: 200 },
    ),
  ],
  'location-of-the-created': [
    'A 201 has the Location of the animal.',
    addHeaders(location, { operation: 'createPet', status: 201 }),
  ],
  'browser-headers': [
    'Every response has headers for browsers of other origins.',
    addHeaders(() => ({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
      'strict-transport-security': 'max-age=63072000',
      'x-content-type-options': 'nosniff',
    })),
  ],
  'cookies-set': ['Every response sets a cookie.', setHeader('set-cookie', 'node=eu-1; Path=/; HttpOnly')],
  'rate-limit-headers-twofold': [
    'Every response also has the rate limit headers of the IETF draft.',
    replace('rateLimitHeaders', (before) => (windowState, call) => ({
      ...before(windowState, call),
      ratelimit: `"plan";r=${windowState.remaining};t=${Math.ceil((windowState.resetAt - call.at) / 1000)}`,
      'ratelimit-policy': `"plan";q=${windowState.window.limit};w=${windowState.window.seconds}`,
    })),
  ],
});
