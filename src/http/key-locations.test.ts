import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byRequest, keyIn, keyPlaces, placesInOtherSpellings } from './key-locations.ts';

test('a key in one place is nowhere else, and said to be there', () => {
  const said = keyPlaces.map((place) => {
    const { label, chargedTo, apply } = keyIn([place]);
    const { headers, query = '' } = apply('k y');
    expect(chargedTo).toBeNull();
    return [label, headers.map((header) => header.join(': ')).join(), query];
  });
  expect(said).toContainEqual(['the valid key in the header X-API-Key', 'X-API-Key: k y', '']);
  expect(said).toContainEqual(['the valid key in the cookie token', 'Cookie: token=k y', '']);
  expect(said).toContainEqual(['the valid key in the query, as api_key', '', 'api_key=k%20y']);
  expect(new Set(said.map(([label]) => label)).size).toBe(keyPlaces.length);
});

test('a key in many places is in one request, and in none where it counts', () => {
  const { label, apply } = keyIn(keyPlaces);
  const { headers, query } = apply('secret');
  expect(label).toBe('the valid key in other headers, the query and cookies');
  expect(headers.map(([name]) => name)).not.toContain('Authorization');
  expect(headers.filter(([name]) => name === 'Cookie')).toEqual([
    [
      'Cookie',
      'api_key=secret; apiKey=secret; token=secret; access_token=secret; session=secret; sessionid=secret; jwt=secret; auth=secret',
    ],
  ]);
  expect(headers.length - 1 + (query?.split('&').length ?? 0)).toBe(keyPlaces.length - 8);
});

test('a key in a few places is said to be in each of them', () => {
  const places = keyPlaces.filter(({ name }) => name === 'X-Token' || name === 'token');
  expect(keyIn(places).label).toBe(
    'the valid key in the header X-Token, the query parameter token and the cookie token together',
  );
});

test('a key that is to be a bearer token there is written as one', () => {
  const place = keyPlaces.find(({ name }) => name === 'X-Authorization');
  expect(place && keyIn([place]).apply('k').headers).toEqual([['X-Authorization', 'Bearer k']]);
});

test.each([
  ['places', keyPlaces],
  ['other spellings', placesInOtherSpellings],
])(
  'no two %s of a kind differ in case alone, no two headers in hyphens: servers that ignore it would join their values',
  (_which, places) => {
    const names = places.map(({ kind, name }) => {
      const folded = name.toLowerCase();
      return `${kind} ${kind === 'header' ? folded.replaceAll('_', '-') : folded}`;
    });
    expect(new Set(names).size).toBe(names.length);
  },
);

test('a short key has room in all places at once', () => {
  expect(byRequest(keyPlaces, 64)).toEqual([keyPlaces]);
});

test('a key of any length is in every place once, and in few enough at a time for what front ends take', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_300 }), (keyLength) => {
      const requests = byRequest(keyPlaces, keyLength);
      expect(requests.flat()).toEqual(keyPlaces);
      for (const places of requests) {
        const { headers, query = '' } = keyIn(places).apply('k'.repeat(keyLength));
        expect(headers.map((header) => header.join(': ')).join('\r\n').length).toBeLessThan(5_000);
        expect(query.length).toBeLessThan(1_600);
      }
    }),
  );
});
