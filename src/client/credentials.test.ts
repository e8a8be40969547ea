import fc from 'fast-check';
import { expect, test } from 'vitest';
import { invalidKeys, nearMisses } from './credentials.ts';

const tokenOf = (label: string, key: string): string | undefined => {
  const found = [...invalidKeys, ...nearMisses].find((credential) => credential.label === label);
  return found?.present(key).headers[0]?.[1].replace('Bearer ', '');
};

test.each([
  ['the key, its first character changed', 'sk_live_09af', 'tk_live_09af'],
  ['the key with its last character changed', 'sk_live_09af', 'sk_live_09aa'],
  ['the key with its last character changed', 'sk_live_0999', 'sk_live_0990'],
  ['the key with a character in its middle changed', '1b4e-----28ba', '1b4e-----38ba'],
  ['the key with a character in its middle changed', 'Zz', 'Zg'],
  ['the key with a character in its middle changed', '+~+', '+Z+'],
  ['the key with two of its characters exchanged', 'aaab', 'aaba'],
  ['the key with two of its characters exchanged', 'aaa', 'aaax'],
])('%s keeps the form of the key', (label, key, token) => {
  expect(tokenOf(label, key)).toBe(token);
});

test('none is the key itself', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[!-~]+$/), (key) => {
      for (const { present } of [...invalidKeys, ...nearMisses])
        expect(present(key).headers[0]?.[1]).not.toBe(`Bearer ${key}`);
    }),
  );
});
