import type { Credential, Header, KeySlot } from './exchange.ts';
import { keyIn, keyPlaces } from './key-locations.ts';

/** The key as the interface document wants it: `Authorization: Bearer <key>`. */
export const bearer = (slot: KeySlot): Credential => ({
  label: slot === 'main' ? 'a valid key' : 'the rate limit key',
  chargedTo: slot,
  apply: (key) => authorization(`Bearer ${key}`),
});

/** The scheme in lower case: scheme names are case-insensitive (RFC 9110 11.1). */
export const lowerCaseBearer: Credential = {
  label: 'a valid key under the scheme name "bearer"',
  chargedTo: 'main',
  dedicatedConnection: true,
  apply: (key) => authorization(`bearer ${key}`),
};

/** No Authorization header at all. */
export const anonymous: Credential = {
  label: 'no key',
  chargedTo: null,
  apply: () => ({ headers: [] }),
};

/**
 * What characters become so that the key keeps the form that keys have, hexadecimal digits such: a server may look at nothing else. Never
 * the next one, as keys may be counted, nor one that a lenient reader of base64 takes for the same, as the last
 * bits are left over there.
 */
const changes: readonly (readonly [from: string, to: string])[] = [
  ['0123456789', '5678901234'],
  ['abcdef', '012345'],
  ['ABCDEF', '012345'],
  ['ghijklmnopqrstuvwxyz', 'wxyzghijklmnopqrstuv'],
  ['GHIJKLMNOPQRSTUVWXYZ', 'QRSTUVWXYZGHIJKLMNOP'],
];

/** Invalid keys: random ones, an empty token, and near misses of the valid key. */
export const invalidKeys: readonly Credential[] = [
  invalid('an empty token', () => authorization('Bearer ')),
  mutated('the key, its first character changed', (key) => `${another(key[0])}${key.slice(1)}`),
  mutated('the key with its last character changed', (key) => `${key.slice(0, -1)}${another(key.at(-1))}`),
  mutated('the key with a character in its middle changed', (key) => {
    const middle = middleOf(key);
    return `${key.slice(0, middle)}${another(key[middle])}${key.slice(middle + 1)}`;
  }),
  mutated('the key without its last character', (key) => key.slice(0, -1)),
  mutated('the key with a character added', (key) => `${key}x`),
  { ...mutated('the key in the other case', swapCase), dedicatedConnection: true },
];

/** Further near misses, each of which falls for what some comparison overlooks. */
export const nearMissKeys: readonly Credential[] = [
  mutated('the key without its first character', (key) => key.slice(1)),
  mutated('the first half of the key', (key) => key.slice(0, Math.ceil(key.length / 2))),
  mutated('the key with a character put before it', (key) => `x${key}`),
  mutated('the key twice', (key) => `${key}${key}`),
  mutated('the key with two of its characters exchanged', exchanged),
  mutated('the key, then an equals sign', (key) => `${key}=`),
  mutated('the key with a hyphen in its middle', (key) => {
    const middle = key.length >> 1;
    return `${key.slice(0, middle)}-${key.slice(middle)}`;
  }),
];

/** One character anywhere in the key is changed, which a comparison may leave out. */
export const keyChangedAt = (place: number): Credential =>
  mutated(`the key with its character ${place + 1} changed`, (key) => {
    const at = place % Math.max(1, key.length);
    return `${key.slice(0, at)}${another(key[at])}${key.slice(at + 1)}`;
  });

/** Says of itself that it is not signed: a library that takes its word for that checks nothing (RFC 8725, 2.1). */
const unsignedJwt = [
  { alg: 'none', typ: 'JWT' },
  { sub: '1', exp: 4_102_444_800 },
]
  .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
  .concat('')
  .join('.');

/** Invalid keys that single servers take for valid: what a lookup finds that was never put there, what stands for nothing. */
export const plausibleInvalidKeys: readonly Credential[] = [
  ...['constructor', '__proto__', 'null', 'undefined', '00000000-0000-4000-8000-000000000000'].map((token) =>
    invalid(`the token ${JSON.stringify(token)}`, () => authorization(`Bearer ${token}`)),
  ),
  invalid('an empty Authorization header', () => authorization('')),
  invalid('an unsigned JWT', () => authorization(`Bearer ${unsignedJwt}`)),
];

/** What is hardly a bearer token (RFC 6750 2.1), and no valid key: it may be refused as malformed too. */
export const malformedTokens: readonly Credential[] = [
  mutated('the key and letters beyond ASCII', (key) => `${key}${inUtf8('\u00e9\u{1f408}')}`),
  // Whoever looks at how it begins, how it ends, its first word or its last finds the key.
  invalid('the key twice, each behind "Bearer"', (key) => authorization(`Bearer ${key} Bearer ${key}`)),
  mutated('the key, then a comma and a word', (key) => `${key},x`),
  mutated(
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

/** A key that has nothing to do with a valid one. */
export const randomKey = (token: string): Credential =>
  invalid('a random key', () => authorization(`Bearer ${token}`));

/** The valid key where or how it does not count. */
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

/** Where the valid key counts as little, and is looked for less often. */
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

/** An alteration that changes nothing (a key without letters has no other case), or makes another valid key, becomes a longer key. */
function mutated(label: string, alter: (key: string) => string): Credential {
  return invalid(label, (key, others = []) => {
    const valid = [key, ...others];
    let token = alter(key);
    while (valid.includes(token)) token += 'x';
    return authorization(`Bearer ${token}`);
  });
}

function authorization(value: string): { headers: readonly Header[] } {
  return { headers: [['Authorization', value]] };
}

function another(character = ''): string {
  const [from, to] = changes.find(([each]) => character !== '' && each.includes(character)) ?? ['', ''];
  return to[from.indexOf(character)] ?? 'Z';
}

/** The middle of a key, or the next place after it where no hyphen or the like stands. */
function middleOf(key: string): number {
  const middle = key.length >> 1;
  return middle + Math.max(0, key.slice(middle).search(/[0-9a-z]/i));
}

/** Two neighbours that are not alike change places, in the second half where there are any: both ends, and the characters, remain. */
function exchanged(key: string): string {
  const swapped = (text: string) => text.replace(/(.)(?!\1)(.)/, '$2$1');
  const [before, behind] = [key.slice(0, key.length >> 1), key.slice(key.length >> 1)];
  return swapped(behind) === behind ? swapped(key) : `${before}${swapped(behind)}`;
}

/** Every letter in its other case. */
export function swapCase(text: string): string {
  return [...text]
    .map((each) => (each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase()))
    .join('');
}

function percentEncoded(character = ''): string {
  return `%${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`;
}

/** Header values travel as Latin-1: one character for each byte. */
function inUtf8(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function base64(text: string): string {
  return Buffer.from(text, 'latin1').toString('base64');
}
