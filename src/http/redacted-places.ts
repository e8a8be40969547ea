/** A place in a request where the key does not count. */
export interface KeyPlace {
  readonly kind: 'header' | 'cookie' | 'query' | 'member';
  readonly name: string;
  /** Text before the key. */
  readonly before?: string;
}

const placesOf = (kind: KeyPlace['kind'], names: readonly string[]): readonly KeyPlace[] =>
  names.map((name) => ({ kind, name }));

const bearerIn = (names: readonly string[]): readonly KeyPlace[] =>
  placesOf('header', names).map((place) => ({ ...place, before: 'Bearer ' }));

/** Places in which some servers accept a key. No two differ only in case, because some servers join such headers. */
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

/** Members of a body in which some servers accept a key. */
export const keyMembers: readonly KeyPlace[] = placesOf('member', [
  ...['api_key', 'apiKey', 'access_token', 'token', 'key', 'auth'],
]);

/** A separate list of other spellings, because some servers join headers that differ only in `-` and `_`. */
export const placesInOtherSpellings: readonly KeyPlace[] = [
  ...keyPlaces.filter(({ kind, name }) => kind === 'header' && name !== 'Api-Key'),
  ...placesOf('header', ['api_key']),
  ...placesOf('query', ['apikey', 'apitoken', 'accesstoken', 'authtoken', 'auth_key', 'Authorization']),
  ...placesOf('cookie', ['apikey', 'accessToken', 'auth_token', 'Authorization']),
];
