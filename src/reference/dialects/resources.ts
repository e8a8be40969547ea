import { gzipSync } from 'node:zlib';
import type { Call, Operation } from '../parts.ts';
import type { Dialect, Patch } from '../patch.ts';
import { around, editReply, replace, setHeader } from '../patches.ts';
import { jsonReply, type Reply, textReply } from '../reply.ts';
import { failAs } from './refusals.ts';

const page = '<!DOCTYPE html>\n<html><body><h1>Pets</h1></body></html>\n';

/** A response from in front of the application: without its headers, and without a look at the key. */
const inFront = (response: (call: Call) => Reply | null): Patch =>
  around(async (call, next) => response(call) ?? next());

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

/** What the application answers where the document has no operation; null: as ever. */
const instead = (response: (call: Call) => Reply | null): Patch =>
  replace(
    'respond',
    (before) => async (call) => (call.grant === null ? null : response(call)) ?? before(call),
  );

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

/** Methods, paths, parameters, and headers about which the document says nothing, as stacks and gateways treat them. */
export const resourceDialects: readonly Dialect[] = [
  {
    name: 'head-404',
    description: 'HEAD is answered with 404, as of a router that knows GET and POST only.',
    patch: replace(
      'route',
      (before) => (method, path) =>
        method === 'HEAD' ? { operation: null, problem: 'unknown-resource' } : before(method, path),
    ),
  },
  {
    name: 'head-refused-in-front',
    description: 'A gateway refuses HEAD with 403, without the headers of the API.',
    patch: inFront(({ request }) => (request.method === 'HEAD' ? textReply(403, 'text/html', page) : null)),
  },
  {
    name: 'preflights-answered-in-front',
    choice: 'options',
    description: 'OPTIONS is answered with 200, the headers that browsers want, and nothing else.',
    patch: inFront(({ request }) =>
      request.method === 'OPTIONS' ? { status: 200, headers: crossOrigin, body: null } : null,
    ),
  },
  {
    name: 'options-described',
    choice: 'options',
    description: 'OPTIONS is answered with a description of the resource, as by Django.',
    patch: instead(({ request }) =>
      request.method === 'OPTIONS'
        ? {
            ...jsonReply(200, { name: 'Pets', renders: ['application/json'] }),
            headers: { allow: 'GET, POST' },
          }
        : null,
    ),
  },
  {
    name: 'more-methods',
    choice: 'wrong-method',
    description: 'Animals can be replaced, changed, and removed, and orders can be placed.',
    patch: instead(moreMethods),
  },
  {
    name: 'other-methods-forbidden',
    choice: 'wrong-method',
    description: 'A firewall refuses PUT, PATCH, and DELETE with 403 in HTML.',
    patch: inFront(({ request }) =>
      ['PUT', 'PATCH', 'DELETE'].includes(request.method) ? textReply(403, 'text/html', page) : null,
    ),
  },
  {
    name: 'slash-at-the-end-redirected',
    choice: 'paths',
    description: 'A path with a slash at its end is redirected to the one without, as by nginx.',
    patch: inFront(({ url }) =>
      /[^/]\/$/.test(url.pathname) ? redirected(301, url.pathname.slice(0, -1)) : null,
    ),
  },
  {
    name: 'capitals-redirected',
    description: 'The collection in capitals is redirected to the one in small letters.',
    patch: inFront(({ url }) =>
      url.pathname.endsWith('/PETS') ? redirected(308, `${url.pathname.toLowerCase()}${url.search}`) : null,
    ),
  },
  {
    name: 'unknown-paths-served-a-page',
    description: 'A path of more segments than any operation has gets 200 and the page of a web application.',
    patch: inFront(({ url }) =>
      url.pathname.split('/').length > 4 ? textReply(200, 'text/html', page) : null,
    ),
  },
  {
    name: 'unknown-parameters-refused',
    description: 'A query parameter that the operation does not have is refused with 400.',
    patch: instead(unknownParameter),
  },
  {
    name: 'bodies-zipped',
    description: 'Bodies are compressed with gzip for clients that take it.',
    patch: zipped,
  },
  {
    name: 'content-encoding-refused',
    description: 'A body with a Content-Encoding is refused with 415.',
    patch: instead((call) =>
      call.request.headers.has('content-encoding') ? failAs(415, 'invalid-body', call) : null,
    ),
  },
  {
    name: 'headers-of-gateways',
    description: 'Every response carries what gateways and frameworks add, and more about its rate limit.',
    patch: editReply({}, (reply) => ({ ...reply, headers: { ...gatewayHeaders, ...reply.headers } })),
  },
  {
    name: 'challenge-of-two-schemes',
    choice: 'challenge',
    description: '401 carries two challenges, of which one is Bearer.',
    patch: setHeader('www-authenticate', 'Digest realm="pets", nonce="x", Bearer realm="pets"', {
      status: 401,
    }),
  },
];
