import { gzipSync } from 'node:zlib';
import type { Call, Operation } from '../parts.ts';
import { replace, respondInFront, respondToKey } from '../patch-kit/core.ts';
import { failAs } from '../patch-kit/refusals.ts';
import { editReply, setHeader } from '../patch-kit/responses.ts';
import { jsonReply, type Reply, textReply } from '../reply.ts';
import { choices, independent } from './choices.ts';

const page = '<!DOCTYPE html>\n<html><body><h1>Pets</h1></body></html>\n';

const crossOrigin = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'Authorization, Content-Type',
  'access-control-max-age': '600',
};

const redirected = (status: number, location: string): Reply => ({
  status,
  headers: { location, 'content-type': 'text/html' },
  body: { text: page },
});

/** Methods that another version of the API may have. */
const moreMethods = (call: Call): Reply | null => {
  const { method } = call.request;
  const [, , collection, member] = call.url.pathname.split('/');
  if (call.route.operation !== null || method === 'OPTIONS') return null;
  if (collection === 'store' && method === 'POST') return jsonReply(201, { id: 1n, petId: null });
  if (collection === 'pets' && member !== undefined && method === 'PATCH')
    return failAs(422, 'invalid-body', call);
  if (collection === 'pets' && member !== undefined) return failAs(404, 'unknown-pet', call);
  return method === 'PUT' ? jsonReply(200, []) : null;
};

const parametersOf: Readonly<Record<Operation, readonly string[]>> = {
  listPets: ['limit', 'status'],
  createPet: [],
  getPet: [],
  listOrders: [],
};

const unknownParameter = (call: Call): Reply | null => {
  const { operation } = call.route;
  if (operation === null) return null;
  const unknown = [...call.url.searchParams.keys()].find((name) => !parametersOf[operation].includes(name));
  return unknown === undefined
    ? null
    : call.parts.fail('invalid-parameter', call, `${unknown} is not a parameter`);
};

const zipped = editReply({ when: ({ body }) => body !== null }, (reply, { request, parts }) => {
  const { body } = reply;
  if (body === null || !(request.headers.get('accept-encoding') ?? '').includes('gzip')) return reply;
  const bytes =
    'json' in body
      ? Buffer.from(parts.stringify(body.json))
      : 'text' in body
        ? Buffer.from(body.text)
        : body.bytes;
  const headers = { ...reply.headers, 'content-encoding': 'gzip', vary: 'Accept-Encoding' };
  return { ...reply, headers, body: { bytes: gzipSync(bytes) } };
});

const gatewayHeaders = {
  server: 'gateway/1.0',
  via: '1.1 edge, 1.0 fred (Apache)',
  'x-powered-by': 'Pets',
  'alt-svc': 'h3=":443"; ma=86400',
  'server-timing': 'app;dur=1.5, db;desc="read";dur=0',
  'cache-control': 'no-store',
  'content-language': 'en',
  'x-ratelimit-used': '7',
  'x-ratelimit-resource': 'core',
};

const normalized = (path: string): string =>
  path
    .toLowerCase()
    .replaceAll(/;[^/]*/g, '')
    .replaceAll(/\/{2,}/g, '/')
    .replace(/(?<=.)(?:\/|\.json)$/, '');

/** How frameworks and gateways treat undocumented methods, paths, parameters, and headers. */
export const resourceDialects = [
  ...independent({
    'head-404': [
      'HEAD returns 404: the router knows only GET and POST.',
      replace(
        'route',
        (before) => (method, path) =>
          method === 'HEAD' ? { operation: null, problem: 'unknown-resource' } : before(method, path),
      ),
    ],
    'head-refused-in-front': [
      'A gateway refuses HEAD with 403, without the headers of the API.',
      respondInFront(({ request }) => (request.method === 'HEAD' ? textReply(403, 'text/html', page) : null)),
    ],
  }),
  ...choices('options', {
    'preflights-answered-in-front': [
      'OPTIONS returns 200 with the headers for browsers, and nothing else.',
      respondInFront(({ request }) =>
        request.method === 'OPTIONS' ? { status: 200, headers: crossOrigin, body: null } : null,
      ),
    ],
    'options-described': [
      'OPTIONS returns a description of the resource, like Django.',
      respondToKey(({ request }) =>
        request.method === 'OPTIONS'
          ? {
              ...jsonReply(200, { name: 'Pets', renders: ['application/json'] }),
              headers: { allow: 'GET, POST' },
            }
          : null,
      ),
    ],
  }),
  ...choices('wrong-method', {
    'more-methods': [
      'Animals can be replaced, changed, and removed, and orders can be placed.',
      respondToKey(moreMethods),
    ],
    'other-methods-forbidden': [
      'A firewall refuses PUT, PATCH, and DELETE with 403 in HTML.',
      respondInFront(({ request }) =>
        ['PUT', 'PATCH', 'DELETE'].includes(request.method) ? textReply(403, 'text/html', page) : null,
      ),
    ],
  }),
  ...choices('paths', {
    'slash-at-the-end-redirected': [
      'A slash at the end of a path redirects to the path without it, like nginx.',
      respondInFront(({ url }) =>
        /[^/]\/$/.test(url.pathname) ? redirected(301, url.pathname.slice(0, -1)) : null,
      ),
    ],
    'paths-normalized': [
      'The server ignores the case of a path, doubled and last slashes, ;parameters, and .json; keys are needed as usual.',
      replace('route', (before) => (method, path) => before(method, normalized(path))),
    ],
  }),
  ...independent({
    'method-override-honored': [
      'X-HTTP-Method-Override replaces the method: OPTIONS returns the headers for browsers.',
      respondInFront(({ request }) =>
        request.headers.get('x-http-method-override') === 'OPTIONS'
          ? { status: 204, headers: crossOrigin, body: null }
          : null,
      ),
    ],
    'original-url-honored': [
      'X-Original-URL replaces the path: /health needs no key and returns JSON.',
      respondInFront(({ request }) =>
        request.headers.get('x-original-url') === '/health'
          ? jsonReply(200, { name: 'Pets', status: 'up' })
          : null,
      ),
    ],
    'capitals-redirected': [
      'The collection in capitals redirects to lower case.',
      respondInFront(({ url }) =>
        url.pathname.endsWith('/PETS') ? redirected(308, `${url.pathname.toLowerCase()}${url.search}`) : null,
      ),
    ],
    'unknown-paths-served-a-page': [
      'A path with too many segments gets 200 and the page of a web application.',
      respondInFront(({ url }) =>
        url.pathname.split('/').length > 4 ? textReply(200, 'text/html', page) : null,
      ),
    ],
    'unknown-parameters-refused': ['Unknown query parameters get 400.', respondToKey(unknownParameter)],
    'bodies-zipped': ['Bodies are compressed with gzip if the client accepts it.', zipped],
    'content-encoding-refused': [
      'A body with a Content-Encoding gets 415.',
      respondToKey((call) =>
        call.request.headers.has('content-encoding') ? failAs(415, 'invalid-body', call) : null,
      ),
    ],
    'headers-of-gateways': [
      'Every response has the headers of gateways and frameworks, and more about its rate limit.',
      editReply({}, (reply) => ({ ...reply, headers: { ...gatewayHeaders, ...reply.headers } })),
    ],
  }),
  ...choices('challenge', {
    'challenge-of-two-schemes': [
      'A 401 has two challenges, one of them Bearer.',
      setHeader('www-authenticate', 'Digest realm="pets", nonce="x", Bearer realm="pets"', { status: 401 }),
    ],
  }),
];
