import { expect, test } from 'vitest';
import { anonymous, bearer, wrongSchemes } from './credentials.ts';
import { keyPlaceOf } from './paced-request.ts';

test('keyPlaceOf: invalid credential -> the place of the key, independent of label and key', () => {
  const places = wrongSchemes.map((credential) => {
    const place = keyPlaceOf({ credential }, 'the/key');
    expect(keyPlaceOf({ credential: { ...credential, label: 'another label' } }, 'the/key')).toBe(place);
    expect(keyPlaceOf({ credential }, 'another/key')).toBe(place);
    return place;
  });
  expect(places).toContain('Authorization: Token {key}');
  for (const credential of [anonymous, bearer('main')])
    expect(keyPlaceOf({ credential }, 'the/key')).toBe('');
});
