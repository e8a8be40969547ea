import type { Incoming } from '../parts.ts';
import { sentObject } from '../patch-kit/creations.ts';
import { admitting, authorization, refusing, schemeAndRest } from '../patch-kit/keys.ts';
import { family } from './family.ts';

type Place = (arrival: Incoming, key: string) => boolean;

const underScheme =
  (scheme: string): Place =>
  (arrival, key) => {
    const [used, rest] = schemeAndRest(arrival);
    return used === scheme && rest === key;
  };
const inHeader =
  (name: string): Place =>
  ({ request }, key) =>
    request.headers.get(name) === key;
const inQuery =
  (name: string): Place =>
  ({ url }, key) =>
    url.searchParams.get(name) === key;

/** The user and the password of Basic (RFC 7617). */
function basic(arrival: Incoming): readonly [user: string, password: string] {
  const [scheme, rest] = schemeAndRest(arrival);
  const [user = '', password = ''] =
    scheme === 'basic' ? Buffer.from(rest, 'base64').toString().split(':') : [];
  return [user, password];
}

/** Mistakes with a valid key that is not sent as a bearer token. */
export const misplacedKeyFaults = family('AUTH-3', {
  'key-under-basic': ['The scheme Basic with the bare key is accepted.', admitting(underScheme('basic'))],
  'key-as-user-of-basic': [
    'The key is accepted as the user name of Basic, with an empty password.',
    admitting((arrival, key) => basic(arrival)[0] === key),
  ],
  'key-as-password-of-basic': [
    'The key is accepted as the password of Basic.',
    admitting((arrival, key) => basic(arrival)[1] === key),
  ],
  'key-under-token': ['The scheme Token is accepted.', admitting(underScheme('token'))],
  'key-under-apikey': ['The scheme ApiKey is accepted.', admitting(underScheme('apikey'))],
  'key-without-a-scheme': [
    'The bare key is accepted as the value of Authorization.',
    admitting((arrival, key) => authorization(arrival) === key),
  ],
  'key-under-any-scheme': [
    'The server reads only the text after the space: every scheme is accepted.',
    admitting((arrival, key) => schemeAndRest(arrival)[1] === key),
  ],
  // A token that ends with the key is an invalid key too.
  'key-searched-in-authorization': [
    'Authorization is accepted if it ends with the key.',
    admitting(
      (arrival, key) => (authorization(arrival) ?? '').endsWith(` ${key}`) || authorization(arrival) === key,
    ),
    { companions: ['AUTH-2'] },
  ],
  'key-in-x-api-key': ['The header X-API-Key is accepted too.', admitting(inHeader('x-api-key'))],
  'key-in-x-api-key-for-orders': [
    'GET /store/orders accepts X-API-Key too.',
    admitting(inHeader('x-api-key'), ['listOrders']),
  ],
  'key-in-query-as-api-key': ['The query parameter api_key is accepted too.', admitting(inQuery('api_key'))],
  'key-in-query-as-access-token': [
    'The query parameter access_token is accepted too, as in RFC 6750.',
    admitting(inQuery('access_token')),
  ],
  'key-in-query-for-one-animal': [
    'GET /pets/{petId} accepts the key in the query, for links to share.',
    admitting((arrival, key) => [...arrival.url.searchParams.values()].includes(key), ['getPet']),
  ],
  'key-behind-bearer-without-a-space': [
    'The server trims the text after "Bearer": the space may be missing.',
    admitting((arrival, key) => /^bearer(.*)$/i.exec(authorization(arrival) ?? '')?.[1]?.trim() === key),
  ],
  'key-under-a-scheme-that-begins-like-bearer': [
    'A scheme that begins with "Bearer" is accepted.',
    admitting((arrival, key) => {
      const [scheme, rest] = schemeAndRest(arrival);
      return scheme.startsWith('bearer') && rest === key;
    }),
  ],
  'key-under-a-scheme-that-ends-like-bearer': [
    'The server finds "Bearer" anywhere in the header, and reads the key after it.',
    admitting((arrival, key) => /Bearer (.*)/.exec(authorization(arrival) ?? '')?.[1] === key),
  ],
  'key-in-a-cookie': [
    'The cookie "token" is accepted too, for the dashboard.',
    admitting(({ request }, key) =>
      (request.headers.get('cookie') ?? '').split('; ').includes(`token=${key}`),
    ),
  ],
  'key-in-a-cookie-that-a-header-repeats': [
    'A key in the cookie "token" is accepted if X-Token repeats it, against forged requests.',
    admitting(
      (arrival, key) =>
        inHeader('x-token')(arrival, key) &&
        (arrival.request.headers.get('cookie') ?? '').split('; ').includes(`token=${key}`),
    ),
  ],
  'key-under-jwt': ['The scheme JWT is accepted.', admitting(underScheme('jwt'))],
  'bearer-token-in-x-authorization': [
    'X-Authorization is accepted too, for proxies that use Authorization.',
    admitting(({ request }, key) => request.headers.get('x-authorization') === `Bearer ${key}`),
  ],
  'key-in-query-in-any-case': [
    'The query parameter apiKey is accepted in any case; several values are joined.',
    admitting(
      ({ url }, key) =>
        [...url.searchParams].flatMap(([name, value]) => (/^apikey$/i.test(name) ? [value] : [])).join() ===
        key,
    ),
  ],
  'key-in-query-as-api-token': [
    'The query parameter api_token is accepted too.',
    admitting(inQuery('api_token')),
  ],
  'key-in-x-auth-token': ['The header X-Auth-Token is accepted too.', admitting(inHeader('x-auth-token'))],
  'key-in-query-as-token': ['The query parameter token is accepted too.', admitting(inQuery('token'))],
  'key-in-query-as-key': ['The query parameter key is accepted too.', admitting(inQuery('key'))],
  'key-in-the-body-as-api-key': [
    'createPet looks for the member apiKey of the body first, and then for a bearer token.',
    refusing(async (call) => {
      const apiKey = (await sentObject(call))?.apiKey;
      const isKeyed = call.state.keys.some(({ key }) => key === apiKey);
      return isKeyed ? call.parts.handlers.createPet(call) : null;
    }, 'createPet'),
  ],
});
