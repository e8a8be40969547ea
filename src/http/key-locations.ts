import type { Credential, Header } from './exchange.ts';

/** A place in a request where a key does not count. */
export interface KeyPlace {
  readonly kind: 'header' | 'cookie' | 'query';
  readonly name: string;
  /** What stands before the key. */
  readonly before?: string;
}

const placesOf = (kind: KeyPlace['kind'], names: readonly string[]): readonly KeyPlace[] =>
  names.map((name) => ({ kind, name }));

const bearerIn = (names: readonly string[]): readonly KeyPlace[] =>
  placesOf('header', names).map((place) => ({ ...place, before: 'Bearer ' }));

/** Where servers are known to look for a key as well. No two differ in case alone: some servers join the values of such. */
export const keyPlaces: readonly KeyPlace[] = [
  ...placesOf('header', ['X-API-Key', 'Api-Key', 'X-Auth-Token', 'X-Access-Token', 'X-Token']),
  ...placesOf('header', ['ApiKey', 'X-ApiKey', 'X-Auth-Key', 'Access-Token', 'Token']),
  ...placesOf('header', ['X-API-Token', 'Private-Token', 'Ocp-Apim-Subscription-Key']),
  ...bearerIn(['X-Authorization', 'Proxy-Authorization', 'X-Forwarded-Authorization', 'Authentication']),
  ...placesOf('query', ['api_key', 'access_token', 'key', 'apiKey', 'api-key', 'token', 'api_token', 'auth']),
  ...placesOf('query', ['auth_token', 'accessToken', 'authorization', 'bearer', 'code', 'jwt']),
  ...placesOf('query', ['subscription-key']),
  ...placesOf('cookie', ['api_key', 'apiKey', 'token', 'access_token', 'session', 'sessionid']),
  ...placesOf('cookie', ['jwt', 'auth']),
];

/** The same again, in other spellings: some servers join the values of headers that differ in `-` and `_` alone. */
export const placesInOtherSpellings: readonly KeyPlace[] = [
  ...keyPlaces.filter(({ kind, name }) => kind === 'header' && name !== 'Api-Key'),
  ...placesOf('header', ['api_key']),
  ...placesOf('query', ['apikey', 'apitoken', 'accesstoken', 'authtoken', 'auth_key', 'Authorization']),
  ...placesOf('cookie', ['apikey', 'accessToken', 'auth_token', 'Authorization']),
];

/** Front ends refuse more than some 8,000 bytes of headers, or 2,000 of a query: half of it is taken by all. */
const roomFor = { header: 4_000, query: 1_500 };

const roomOf = ({ kind, name, before = '' }: KeyPlace, keyLength: number) => ({
  kind: kind === 'query' ? ('query' as const) : ('header' as const),
  bytes: name.length + before.length + keyLength + '=; '.length,
});

/** The places, in order, by as many as one request has room for with a key of so many characters: all of them, if it is short. */
export const byRequest = (
  places: readonly KeyPlace[],
  keyLength: number,
): readonly (readonly KeyPlace[])[] => {
  const parts: KeyPlace[][] = [];
  let left = { header: 0, query: 0 };
  for (const place of places) {
    const { kind, bytes } = roomOf(place, keyLength);
    if (parts.length === 0 || bytes > left[kind]) {
      parts.push([]);
      left = { ...roomFor };
    }
    parts.at(-1)?.push(place);
    left[kind] -= bytes;
  }
  return parts;
};

const one = { header: 'the header', cookie: 'the cookie', query: 'the query, as' };
const oneOfFew = { ...one, query: 'the query parameter' };
const several = { header: 'other headers', cookie: 'cookies', query: 'the query' };

/** So many places are named. */
const few = 3;

const listed = new Intl.ListFormat('en-GB');

const inWords = (places: readonly KeyPlace[]): string => {
  const [first] = places;
  if (first !== undefined && places.length === 1) return `${one[first.kind]} ${first.name}`;
  if (places.length > few) return listed.format([...new Set(places.map(({ kind }) => several[kind]))]);
  return `${listed.format(places.map(({ kind, name }) => `${oneOfFew[kind]} ${name}`))} together`;
};

/** The valid key in some places at once, and in none where it counts: one request tells of all of them. */
export const keyIn = (places: readonly KeyPlace[]): Credential => {
  const named = (kind: KeyPlace['kind']) => places.filter((place) => place.kind === kind);
  return {
    label: `the valid key in ${inWords(places)}`,
    charges: null,
    present: (key) => {
      const cookies = named('cookie').map(({ name }) => `${name}=${key}`);
      const query = named('query').map(({ name }) => `${name}=${encodeURIComponent(key)}`);
      return {
        headers: [
          ...named('header').map(({ name, before = '' }): Header => [name, `${before}${key}`]),
          ...(cookies.length === 0 ? [] : [['Cookie', cookies.join('; ')] as const]),
        ],
        ...(query.length === 0 ? {} : { query: query.join('&') }),
      };
    },
  };
};
