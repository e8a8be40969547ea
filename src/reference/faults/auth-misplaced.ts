import type { Arrival, Operation } from '../parts.ts';
import type { Fault } from '../patch.ts';
import { admitting, authorization, schemeAndRest } from './auth-breaches.ts';

type Place = (arrival: Arrival, key: string) => boolean;

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
function basic(arrival: Arrival): readonly [user: string, password: string] {
  const [scheme, rest] = schemeAndRest(arrival);
  const [user = '', password = ''] =
    scheme === 'basic' ? Buffer.from(rest, 'base64').toString().split(':') : [];
  return [user, password];
}

const misplaced = (
  name: string,
  description: string,
  place: Place,
  operations?: readonly Operation[],
): Fault => ({
  name,
  requirement: 'AUTH-3',
  companions: [],
  description,
  patch: admitting(place, operations),
});

/** Mistakes with a valid key that does not come as a bearer token. */
export const misplacedKeyFaults: readonly Fault[] = [
  misplaced('key-under-basic', 'The scheme Basic with the bare key passes.', underScheme('basic')),
  misplaced(
    'key-as-user-of-basic',
    'The key passes as the user name of Basic, with an empty password.',
    (arrival, key) => basic(arrival)[0] === key,
  ),
  misplaced(
    'key-as-password-of-basic',
    'The key passes as the password of Basic.',
    (arrival, key) => basic(arrival)[1] === key,
  ),
  misplaced('key-under-token', 'The scheme Token passes for Bearer.', underScheme('token')),
  misplaced('key-under-apikey', 'The scheme ApiKey passes for Bearer.', underScheme('apikey')),
  misplaced(
    'key-without-a-scheme',
    'The bare key passes as the value of Authorization.',
    (arrival, key) => authorization(arrival) === key,
  ),
  misplaced(
    'key-under-any-scheme',
    'Only the word after the space is read: every scheme passes.',
    (arrival, key) => schemeAndRest(arrival)[1] === key,
  ),
  {
    // A token that ends with the key is an invalid key besides.
    ...misplaced(
      'key-searched-in-authorization',
      'Authorization passes where it ends with the key, whatever stands before.',
      (arrival, key) => (authorization(arrival) ?? '').endsWith(` ${key}`) || authorization(arrival) === key,
    ),
    companions: ['AUTH-2'],
  },
  misplaced('key-in-x-api-key', 'The header X-API-Key passes as well.', inHeader('x-api-key')),
  misplaced(
    'key-in-x-api-key-for-orders',
    'GET /store/orders takes X-API-Key as well.',
    inHeader('x-api-key'),
    ['listOrders'],
  ),
  misplaced('key-in-query-as-api-key', 'The query parameter api_key passes as well.', inQuery('api_key')),
  misplaced(
    'key-in-query-as-access-token',
    'The query parameter access_token passes as well, as RFC 6750 once allowed.',
    inQuery('access_token'),
  ),
  misplaced(
    'key-in-query-for-one-animal',
    'GET /pets/{petId} takes the key from the query, for links that can be shared.',
    (arrival, key) => [...arrival.url.searchParams.values()].includes(key),
    ['getPet'],
  ),
  misplaced(
    'key-behind-bearer-without-a-space',
    'What stands behind "Bearer" is trimmed: the space between may be missing.',
    (arrival, key) => /^bearer(.*)$/i.exec(authorization(arrival) ?? '')?.[1]?.trim() === key,
  ),
  misplaced(
    'key-under-a-scheme-that-begins-like-bearer',
    'A scheme passes that begins with "Bearer".',
    (arrival, key) => {
      const [scheme, rest] = schemeAndRest(arrival);
      return scheme.startsWith('bearer') && rest === key;
    },
  ),
  misplaced(
    'key-under-a-scheme-that-ends-like-bearer',
    'A pattern finds "Bearer" anywhere in the header, and what follows is the key.',
    (arrival, key) => /Bearer (.*)/.exec(authorization(arrival) ?? '')?.[1] === key,
  ),
  misplaced('key-in-a-cookie', 'The cookie "token" passes as well, for the dashboard.', ({ request }, key) =>
    (request.headers.get('cookie') ?? '').split('; ').includes(`token=${key}`),
  ),
  misplaced(
    'key-in-a-cookie-that-a-header-repeats',
    'A key in the cookie "token" passes where X-Token repeats it, as against forged requests.',
    (arrival, key) =>
      inHeader('x-token')(arrival, key) &&
      (arrival.request.headers.get('cookie') ?? '').split('; ').includes(`token=${key}`),
  ),
  misplaced('key-under-jwt', 'The scheme JWT passes for Bearer.', underScheme('jwt')),
  misplaced(
    'bearer-token-in-x-authorization',
    'X-Authorization passes as well, for proxies that take Authorization for themselves.',
    ({ request }, key) => request.headers.get('x-authorization') === `Bearer ${key}`,
  ),
  misplaced(
    'key-in-query-in-any-case',
    'The query parameter apiKey passes in any case; the values of several are joined.',
    ({ url }, key) =>
      [...url.searchParams].flatMap(([name, value]) => (/^apikey$/i.test(name) ? [value] : [])).join() ===
      key,
  ),
  misplaced(
    'key-in-query-as-api-token',
    'The query parameter api_token passes as well.',
    inQuery('api_token'),
  ),
  misplaced('key-in-x-auth-token', 'The header X-Auth-Token passes as well.', inHeader('x-auth-token')),
  misplaced('key-in-query-as-token', 'The query parameter token passes as well.', inQuery('token')),
  misplaced('key-in-query-as-key', 'The query parameter key passes as well.', inQuery('key')),
];
