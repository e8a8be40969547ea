import fc from 'fast-check';
import { expect, test } from 'vitest';
import { invalidKeys, nearMissKeys } from './credentials.ts';

const tokenOf = (label: string, key: string): string | undefined => {
  const found = [...invalidKeys, ...nearMissKeys].find((credential) => credential.label === label);
  return found?.apply(key).headers[0]?.[1].replace('Bearer ', '');
};

test.each([
  ['the key, its first character changed', 'sk_live_09af', 'ok_live_09af'],
  ['the key with its last character changed', 'sk_live_09af', 'sk_live_09a5'],
  ['the key with its last character changed', 'sk_live_0999', 'sk_live_0994'],
  ['the key with a character in its middle changed', '1b4e-----28ba', '1b4e-----78ba'],
  ['the key with a character in its middle changed', 'Zz', 'Zv'],
  ['the key with a character in its middle changed', '+~+', '+Z+'],
  ['the key with two of its characters exchanged', 'aaab', 'aaba'],
  ['the key with two of its characters exchanged', 'aaa', 'aaax'],
])('%s: %s -> %s, in the form of a key', (label, key, token) => {
  expect(tokenOf(label, key)).toBe(token);
});

test('near misses -> never a valid key', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[!-~]+$/), (key) => {
      const altered = [...invalidKeys, ...nearMissKeys];
      const tokensOf = (others: readonly string[]) =>
        altered.map(({ apply }) => apply(key, others).headers[0]?.[1].replace('Bearer ', '') ?? '');
      const alone = tokensOf([]);
      expect(alone).not.toContain(key);
      const valid = alone.filter((token) => token !== '');
      for (const token of tokensOf(valid)) expect([key, ...valid]).not.toContain(token);
    }),
  );
});

test.each([
  ['key-1', 'key-2'],
  ['key-9', 'key-0'],
  ['key-a', 'key-b'],
])('numbered key %s -> no near miss is %s', (key, next) => {
  for (const { apply } of invalidKeys) expect(apply(key).headers[0]?.[1]).not.toBe(`Bearer ${next}`);
});

test('last character of a base64url key changed -> decodes to other bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 32, maxLength: 34 }), (bytes) => {
      const key = Buffer.from(bytes).toString('base64url');
      const changed = tokenOf('the key with its last character changed', key) ?? '';
      expect(Buffer.from(changed, 'base64url').equals(bytes)).toBe(false);
    }),
  );
});
