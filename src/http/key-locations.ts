import type { Credential, Header } from './exchange.ts';
import type { KeyPlace } from './redacted-places.ts';

export { type KeyPlace, keyMembers, keyPlaces, placesInOtherSpellings } from './redacted-places.ts';

/** Front ends reject more than about 8,000 bytes of headers or 2,000 bytes of query. These values stay well below. */
const capacity = { header: 4_000, query: 1_500 };

const sizeOf = ({ kind, name, before = '' }: KeyPlace, keyLength: number) => ({
  kind: kind === 'query' ? ('query' as const) : ('header' as const),
  bytes: name.length + before.length + keyLength + '=; '.length,
});

/** Splits the places into groups, in order. Each group fits in one request with a key of this length. */
export const byRequest = (
  places: readonly KeyPlace[],
  keyLength: number,
): readonly (readonly KeyPlace[])[] => {
  const groups: KeyPlace[][] = [];
  let free = { header: 0, query: 0 };
  for (const place of places) {
    const { kind, bytes } = sizeOf(place, keyLength);
    if (groups.length === 0 || bytes > free[kind]) {
      groups.push([]);
      free = { ...capacity };
    }
    groups.at(-1)?.push(place);
    free[kind] -= bytes;
  }
  return groups;
};

const one = { header: 'the header', cookie: 'the cookie', query: 'the query, as', member: 'the body, as' };
const oneOfSeveral = { ...one, query: 'the query parameter', member: 'the field' };
const several = { header: 'other headers', cookie: 'cookies', query: 'the query', member: 'the body' };

/** Labels name at most this many places. */
const MAX_NAMED = 3;

const list = new Intl.ListFormat('en-GB');

const placesText = (places: readonly KeyPlace[]): string => {
  const [first] = places;
  if (first !== undefined && places.length === 1) return `${one[first.kind]} ${first.name}`;
  if (places.length > MAX_NAMED) return list.format([...new Set(places.map(({ kind }) => several[kind]))]);
  return `${list.format(places.map(({ kind, name }) => `${oneOfSeveral[kind]} ${name}`))} together`;
};

/** The valid key in several places where it does not count. One request tests all of them. */
export const keyIn = (places: readonly KeyPlace[]): Credential => {
  const ofKind = (kind: KeyPlace['kind']) => places.filter((place) => place.kind === kind);
  return {
    label: `the valid key in ${placesText(places)}`,
    chargedTo: null,
    apply: (key) => {
      const cookies = ofKind('cookie').map(({ name }) => `${name}=${key}`);
      const query = ofKind('query').map(({ name }) => `${name}=${encodeURIComponent(key)}`);
      return {
        headers: [
          ...ofKind('header').map(({ name, before = '' }): Header => [name, `${before}${key}`]),
          ...(cookies.length === 0 ? [] : [['Cookie', cookies.join('; ')] as const]),
        ],
        ...(query.length === 0 ? {} : { query: query.join('&') }),
        members: Object.fromEntries(ofKind('member').map(({ name }) => [name, key])),
      };
    },
  };
};
