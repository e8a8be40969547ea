import { createHash } from 'node:crypto';
import { isJsonObject } from '../../json/json.ts';
import { type Call, operations } from '../parts.ts';
import type { Dialect } from '../patch.ts';
import { editReply, perServer, removeHeaders, replace, setHeader, type Where } from '../patches.ts';
import type { Reply } from '../reply.ts';

/** Adds headers to finished replies. */
const withHeaders = (headers: (reply: Reply, call: Call) => Reply['headers'], where: Where = {}) =>
  editReply(where, (reply, call) => ({ ...reply, headers: { ...reply.headers, ...headers(reply, call) } }));

const numbered = perServer(() => {
  let requests = 0;
  return setHeader('x-request-id', () => {
    requests += 1;
    return `req-${String(requests).padStart(8, '0')}`;
  });
});

const tag = (reply: Reply, { parts }: Call): string => {
  const text = reply.body && 'json' in reply.body ? parts.stringify(reply.body.json) : '';
  return `W/"${createHash('sha1').update(text).digest('hex')}"`;
};

const location = (reply: Reply): Reply['headers'] => {
  const pet = reply.body && 'json' in reply.body ? reply.body.json : null;
  return isJsonObject(pet) ? { location: `/v1/pets/${pet.id}` } : {};
};

/** Headers that the document neither asks for nor forbids. */
export const headerDialects: readonly Dialect[] = [
  {
    name: 'no-date',
    description: 'Answers carry no Date, as those of a server without a clock.',
    patch: removeHeaders(['date']),
  },
  {
    name: 'connection-closed',
    description: 'The connection is closed after each answer.',
    patch: setHeader('connection', 'close'),
  },
  {
    name: 'answers-chunked',
    description: 'Bodies are sent in chunks, with no Content-Length.',
    patch: withHeaders((reply) => (reply.body === null ? {} : { 'transfer-encoding': 'chunked' }), {
      operation: operations,
    }),
  },
  { name: 'requests-numbered', description: 'Every answer carries an id of its request.', patch: numbered },
  {
    name: 'etags',
    description: 'Successful reads carry an ETag, and may be kept if asked again each time.',
    patch: withHeaders(
      (reply, call) => ({
        etag: tag(reply, call),
        'cache-control': 'private, no-cache',
        vary: 'Authorization',
      }),
      { method: 'GET', status: 200 },
    ),
  },
  {
    name: 'location-of-the-created',
    description: 'A creation is answered with the Location of the animal.',
    patch: withHeaders(location, { operation: 'createPet', status: 201 }),
  },
  {
    name: 'browser-headers',
    description: 'Every answer carries the headers that browsers of other origins need.',
    patch: withHeaders(() => ({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
      'strict-transport-security': 'max-age=63072000',
      'x-content-type-options': 'nosniff',
    })),
  },
  {
    name: 'cookies-set',
    description: 'Every answer sets a cookie that nobody needs.',
    patch: setHeader('set-cookie', 'node=eu-1; Path=/; HttpOnly'),
  },
  {
    name: 'rate-limit-headers-twofold',
    description: 'Beside its own headers every answer carries those of the IETF draft.',
    patch: replace('rateLimitHeaders', (before) => (standing, call) => ({
      ...before(standing, call),
      ratelimit: `"plan";r=${standing.remaining};t=${Math.ceil((standing.resetAt - call.at) / 1000)}`,
      'ratelimit-policy': `"plan";q=${standing.window.limit};w=${standing.window.seconds}`,
    })),
  },
];
