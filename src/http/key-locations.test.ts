import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byRequest, keyIn, keyMembers, keyPlaces, placesInOtherSpellings } from './key-locations.ts';
import { toWire } from './wire.ts';

test('key in one place -> only there, and the label names the place', () => {
  const credentials = keyPlaces.map((place) => {
    const { label, chargedTo, apply } = keyIn([place]);
    const { headers, query = '' } = apply('k y');
    expect(chargedTo).toBeNull();
    return [label, headers.map((header) => header.join(': ')).join(), query];
  });
  expect(credentials).toContainEqual(['the valid key in the header X-API-Key', 'X-API-Key: k y', '']);
  expect(credentials).toContainEqual(['the valid key in the cookie token', 'Cookie: token=k y', '']);
  expect(credentials).toContainEqual(['the valid key in the query, as api_key', '', 'api_key=k%20y']);
  expect(new Set(credentials.map(([label]) => label)).size).toBe(keyPlaces.length);
});

test('key in the body -> members of its object, before the others; other bodies stay as they are', () => {
  const credential = keyIn(keyMembers.filter(({ name }) => name === 'apiKey' || name === 'token'));
  const bodyOf = (body: string | null) =>
    toWire(
      { operation: 'createPet', method: 'POST', path: '/pets', query: '', headers: [], body, credential },
      'http://a.invalid/v1',
      'k"y',
      '1',
    ).body;
  expect(credential.label).toBe('the valid key in the field apiKey and the field token together');
  expect(bodyOf('{"name":"Rex"}')).toBe(String.raw`{"apiKey":"k\"y","token":"k\"y","name":"Rex"}`);
  for (const body of ['[{"name":"Rex"}]', '', null]) expect(bodyOf(body)).toBe(body);
});

test.each([
  ['places', keyPlaces],
  ['other spellings', placesInOtherSpellings],
])(
  '%s -> no two differ only in case, or headers only in hyphens, because some servers join their values',
  (_which, places) => {
    const names = places.map(({ kind, name }) => {
      const folded = name.toLowerCase();
      return `${kind} ${kind === 'header' ? folded.replaceAll('_', '-') : folded}`;
    });
    expect(new Set(names).size).toBe(names.length);
  },
);

test('short key -> all places in one request', () => {
  expect(byRequest(keyPlaces, 64)).toEqual([keyPlaces]);
});

test('key of any length -> each place once, each request small enough for front ends', () => {
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
