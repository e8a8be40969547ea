import type { Credential, Header, KeySlot } from './exchange.ts';
import { keyIn, keyPlaces } from './key-locations.ts';

/** How a key is sent: in the Authorization header, or as a header, query parameter, or cookie of its own. */
export type KeyScheme =
  | { readonly kind: 'bearer' | 'basic' }
  | { readonly kind: 'header' | 'query' | 'cookie'; readonly name: string };

const bearerScheme: KeyScheme = { kind: 'bearer' };

/** The part of a request that carries a token. */
const present = (scheme: KeyScheme, token: string): ReturnType<Credential['apply']> => {
  switch (scheme.kind) {
    case 'bearer':
      return authorization(`Bearer ${token}`);
    case 'basic':
      return authorization(`Basic ${base64(token)}`);
    case 'header':
      return { headers: [[scheme.name, token]] };
    case 'cookie':
      return { headers: [['Cookie', `${scheme.name}=${token}`]] };
    case 'query':
      return { headers: [], query: `${encodeURIComponent(scheme.name)}=${encodeURIComponent(token)}` };
  }
};

/** The valid key of another API. For Basic it is `user:password`. */
export const keyUnder = (scheme: KeyScheme): Credential => ({
  label: 'a valid key',
  chargedTo: 'main',
  apply: (key) => present(scheme, key),
});

/** No key besides the headers that each request has. */
export const givenHeaders: Credential = {
  label: 'the given headers',
  chargedTo: 'main',
  needsNoKey: true,
  apply: () => ({ headers: [] }),
};

/** A credential without some of the headers that each request has. */
export const withoutGiven = (
  credential: Credential,
  label: string,
  names: readonly string[],
): Credential => ({
  ...credential,
  label,
  chargedTo: null,
  omits: names,
});

/** A credential with another value of a header that each request has; of a cookie, all values change. */
export const withChangedGiven = (
  credential: Credential,
  header: string,
  { label, alter }: { readonly label: string; alter(value: string): string },
): Credential => ({
  ...credential,
  label,
  chargedTo: null,
  apply: (key, others, given = []) => {
    const applied = credential.apply(key, others, given);
    const changed = given
      .filter(([name]) => name.toLowerCase() === header)
      .map(
        ([name, value]): Header => [
          name,
          name.toLowerCase() === 'cookie' ? alterCookies(value, alter) : alter(value),
        ],
      );
    return { ...applied, headers: [...applied.headers, ...changed] };
  },
});

const alterCookies = (value: string, alter: (value: string) => string): string =>
  value
    .split('; ')
    .map((pair) => pair.replace(/=(.*)$/s, (_, each: string) => `=${alter(each)}`))
    .join('; ');

/** The documented form: `Authorization: Bearer <key>`. */
export const bearer = (slot: KeySlot): Credential => ({
  label: slot === 'main' ? 'a valid key' : 'the rate limit key',
  chargedTo: slot,
  apply: (key) => authorization(`Bearer ${key}`),
});

/** Valid, because scheme names are case-insensitive (RFC 9110 11.1). */
export const lowerCaseBearer: Credential = {
  label: 'a valid key under the scheme name "bearer"',
  chargedTo: 'main',
  mayCountElsewhere: true,
  dedicatedConnection: true,
  apply: (key) => authorization(`bearer ${key}`),
};

/** Valid, because any number of spaces may follow the scheme name (RFC 9110 11.4). */
export const bearerAfterSpaces: Credential = {
  label: 'a valid key after two spaces',
  chargedTo: 'main',
  mayCountElsewhere: true,
  dedicatedConnection: true,
  apply: (key) => authorization(`Bearer  ${key}`),
};

/** No Authorization header. */
export const anonymous: Credential = { label: 'no key', chargedTo: null, apply: () => ({ headers: [] }) };

/**
 * Replacements that keep the form of a key, for example hexadecimal, in case a server checks only the form. None is the next character,
 * because keys may be numbered. None differs only in the last bits, which a lenient base64 decoder ignores.
 */
const replacements: readonly (readonly [from: string, to: string])[] = [
  ['0123456789', '5678901234'],
  ['abcdef', '012345'],
  ['ABCDEF', '012345'],
  ['ghijklmnopqrstuvwxyz', 'wxyzghijklmnopqrstuv'],
  ['GHIJKLMNOPQRSTUVWXYZ', 'QRSTUVWXYZGHIJKLMNOP'],
];

/** The key with its first, and with its last character changed. */
export const changedKeys = (scheme: KeyScheme): readonly Credential[] => [
  mutant(
    'the key, its first character changed',
    (key) => `${replaceCharacter(key[0])}${key.slice(1)}`,
    scheme,
  ),
  mutant('the key with its last character changed', changedEnd, scheme),
];

/** An empty token, and near misses of the valid key. */
export const invalidKeys: readonly Credential[] = [
  invalid('an empty token', () => authorization('Bearer ')),
  ...changedKeys(bearerScheme),
  mutant('the key with a character in its middle changed', (key) => {
    const middle = middleOf(key);
    return `${key.slice(0, middle)}${replaceCharacter(key[middle])}${key.slice(middle + 1)}`;
  }),
  prefixOfKey(bearerScheme),
  mutant('the key with a character added', (key) => `${key}x`),
  { ...mutant('the key in the other case', swapCase), dedicatedConnection: true },
];

/** The key without its last character. */
export function prefixOfKey(scheme: KeyScheme): Credential {
  return mutant('the key without its last character', (key) => key.slice(0, -1), scheme);
}

/** More near misses, each for a different careless comparison. */
export const nearMissKeys: readonly Credential[] = [
  mutant('the key without its first character', (key) => key.slice(1)),
  mutant('the first half of the key', (key) => key.slice(0, Math.ceil(key.length / 2))),
  mutant('the key with a character put before it', (key) => `x${key}`),
  mutant('the key twice', (key) => `${key}${key}`),
  mutant('the key with two of its characters exchanged', swapNeighbors),
  mutant('the key, then an equals sign', (key) => `${key}=`),
  mutant('the key with a hyphen in its middle', (key) => {
    const middle = key.length >> 1;
    return `${key.slice(0, middle)}-${key.slice(middle)}`;
  }),
];

/** The key with one character changed, in case a comparison skips that character. A negative place counts from the end. */
export const keyChangedAt = (place: number): Credential =>
  mutant(`the key with its character ${place < 0 ? `${-place} from the end` : place + 1} changed`, (key) => {
    const length = Math.max(1, key.length);
    const at = ((place % length) + length) % length;
    return `${key.slice(0, at)}${replaceCharacter(key[at])}${key.slice(at + 1)}`;
  });

/** Some libraries trust `alg: none` and verify nothing (RFC 8725 2.1). */
const unsignedJwt = [
  { alg: 'none', typ: 'JWT' },
  { sub: '1', exp: 4_102_444_800 },
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .concat('')
  .join('.');

/** Invalid keys that some servers accept: names that a lookup in a plain object finds, and values that mean "nothing". */
export const plausibleInvalidKeys: readonly Credential[] = [
  ...['constructor', '__proto__', 'null', 'undefined', '00000000-0000-4000-8000-000000000000'].map((token) =>
    invalid(`the token ${JSON.stringify(token)}`, () => authorization(`Bearer ${token}`)),
  ),
  invalid('an empty Authorization header', () => authorization('')),
  invalid('an unsigned JWT', () => authorization(`Bearer ${unsignedJwt}`)),
];

/** Invalid keys with or near a syntax error (RFC 6750 2.1). A server may reject them as malformed. */
export const malformedTokens: readonly Credential[] = [
  mutant('the key and letters beyond ASCII', (key) => `${key}${inUtf8('\u00e9\u{1f408}')}`),
  // A comparison of only the start, the end, the first word, or the last word finds the key.
  invalid('the key twice, each behind "Bearer"', (key) => authorization(`Bearer ${key} Bearer ${key}`)),
  mutant('the key, then a comma and a word', (key) => `${key},x`),
  mutant(
    'the key with its last character percent-encoded',
    (key) => `${key.slice(0, -1)}${percentEncoded(key.at(-1))}`,
  ),
  invalid('a token of 2,000 characters', () => authorization(`Bearer ${'a'.repeat(2_000)}`)),
  invalid('the key behind "Bearer" twice', (key) => authorization(`Bearer Bearer ${key}`)),
  ...['%', '*', '.*', "' OR '1'='1"].map((token) =>
    invalid(`the token ${JSON.stringify(token)}`, () => authorization(`Bearer ${token}`)),
  ),
  invalid('the key in quotation marks', (key) => authorization(`Bearer "${key}"`)),
];

/** An empty key. */
export const emptyKey = (scheme: KeyScheme): Credential => invalid('an empty key', () => present(scheme, ''));

/** The valid key, presented in another way than the documented one. */
export const misplacedKey = (label: string, scheme: KeyScheme): Credential =>
  invalid(label, (key) => present(scheme, key));

/** A key that is unrelated to the valid key. */
export const randomKey = (token: string, scheme: KeyScheme = bearerScheme): Credential =>
  invalid('a random key', () => present(scheme, token));

/** The valid key under a scheme that does not count. */
export const wrongSchemes: readonly Credential[] = [
  invalid('the valid key under the scheme Basic', (key) => authorization(`Basic ${key}`)),
  invalid('the valid key as the user and the password of Basic', (key) =>
    authorization(`Basic ${base64(`${key}:${key}`)}`),
  ),
  invalid('the valid key under the scheme Token', (key) => authorization(`Token ${key}`)),
  invalid('the valid key under the scheme ApiKey', (key) => authorization(`ApiKey ${key}`)),
  invalid('the valid key without a scheme', authorization),
  invalid('the valid key as the user of Basic', (key) => authorization(`Basic ${base64(`${key}:`)}`)),
  invalid('the valid key as the password of Basic', (key) => authorization(`Basic ${base64(`:${key}`)}`)),
];

/** Less common wrong schemes and places for the valid key. */
export const otherWrongSchemes: readonly Credential[] = [
  invalid('the valid key right behind "Bearer", with no space', (key) => authorization(`Bearer${key}`)),
  invalid('the valid key behind "Bearer:"', (key) => authorization(`Bearer: ${key}`)),
  invalid('the valid key under the scheme Bearers', (key) => authorization(`Bearers ${key}`)),
  ...['Api-Key', 'JWT', 'OAuth', 'XBearer'].map((scheme) =>
    invalid(`the valid key under the scheme ${scheme}`, (key) => authorization(`${scheme} ${key}`)),
  ),
  ...keyPlaces
    .filter(({ name }) => ['X-API-Key', 'api_key', 'access_token'].includes(name))
    .map((place) => keyIn([place])),
  invalid('the valid key as the password of Basic, for a user', (key) =>
    authorization(`Basic ${base64(`api:${key}`)}`),
  ),
  invalid('the valid key as the user of Basic, with a password', (key) =>
    authorization(`Basic ${base64(`${key}:x`)}`),
  ),
  invalid('the valid key as a parameter of the scheme Token', (key) => authorization(`Token token="${key}"`)),
  invalid('the valid key right behind "Bearer:", with no space', (key) => authorization(`Bearer:${key}`)),
];

function invalid(label: string, apply: Credential['apply']): Credential {
  return { label, chargedTo: null, apply };
}

/** A change may have no effect (case of a key without letters) or make another valid key. Then characters are appended. */
function mutant(label: string, alter: (key: string) => string, scheme: KeyScheme = bearerScheme): Credential {
  return invalid(label, (key, others = []) => {
    const valid = [key, ...others];
    let token = alter(key);
    while (valid.includes(token)) token += 'x';
    return present(scheme, token);
  });
}

function authorization(value: string): { headers: readonly Header[] } {
  return { headers: [['Authorization', value]] };
}

/** The key with its last character changed. */
export function changedEnd(key: string): string {
  return `${key.slice(0, -1)}${replaceCharacter(key.at(-1))}`;
}

function replaceCharacter(character = ''): string {
  const [from, to] = replacements.find(([each]) => character !== '' && each.includes(character)) ?? ['', ''];
  return to[from.indexOf(character)] ?? 'Z';
}

/** Returns the index of the first letter or digit from the middle of a key on. */
function middleOf(key: string): number {
  const middle = key.length >> 1;
  return middle + Math.max(0, key.slice(middle).search(/[0-9a-z]/i));
}

/** Swaps the first two different neighbors, if possible in the second half of the key. */
function swapNeighbors(key: string): string {
  const swap = (text: string) => text.replace(/(.)(?!\1)(.)/, '$2$1');
  const [first, second] = [key.slice(0, key.length >> 1), key.slice(key.length >> 1)];
  return swap(second) === second ? swap(key) : `${first}${swap(second)}`;
}

export function swapCase(text: string): string {
  return [...text]
    .map((each) => (each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase()))
    .join('');
}

function percentEncoded(character = ''): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`;
}

/** Header values are sent as Latin-1, one byte per character. */
function inUtf8(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function base64(text: string): string {
  return Buffer.from(text, 'latin1').toString('base64');
}
