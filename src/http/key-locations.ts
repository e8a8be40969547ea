import type { Credential, Header } from './exchange.ts';
import type { KeyPlace } from './redacted-places.ts';

export { type KeyPlace, keyPlaces, placesInOtherSpellings } from './redacted-places.ts';

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
    chargedTo: null,
    apply: (key) => {
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
