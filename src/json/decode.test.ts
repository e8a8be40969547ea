import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeBody } from './decode.ts';

test('UTF-8 bytes -> the text, no problems', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(decodeBody(new TextEncoder().encode(text))).toEqual({ text, problems: [] });
    }),
  );
});

test('byte order mark -> reported and dropped', () => {
  expect(decodeBody(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31))).toEqual({
    text: '1',
    problems: ['byte-order-mark'],
  });
});

test.each([
  [[0x22, 0xff, 0x22]],
  [[0x22, 0xc3, 0x22]],
  [[0x22, 0xed, 0xa0, 0x80, 0x22]],
  [[0x22, 0xc0, 0x80, 0x22]],
])('bytes %j -> reported as invalid UTF-8', (bytes) => {
  const { text, problems } = decodeBody(Uint8Array.from(bytes));
  expect(problems).toEqual(['invalid-utf8']);
  expect(text).toContain('\ufffd');
});

test('byte order mark and invalid UTF-8 -> both reported', () => {
  expect(decodeBody(Uint8Array.of(0xef, 0xbb, 0xbf, 0xff)).problems).toEqual([
    'invalid-utf8',
    'byte-order-mark',
  ]);
});
