import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeBody } from './decode.ts';

test('text that is UTF-8 comes back without a problem', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(decodeBody(new TextEncoder().encode(text))).toEqual({ text, problems: [] });
    }),
  );
});

test('a byte order mark is named and dropped', () => {
  expect(decodeBody(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31))).toEqual({
    text: '1',
    problems: ['byte order mark'],
  });
});

test.each([
  [[0x22, 0xff, 0x22]],
  [[0x22, 0xc3, 0x22]],
  [[0x22, 0xed, 0xa0, 0x80, 0x22]],
  [[0x22, 0xc0, 0x80, 0x22]],
])('the bytes %j are named as invalid UTF-8', (bytes) => {
  const { text, problems } = decodeBody(Uint8Array.from(bytes));
  expect(problems).toEqual(['invalid UTF-8']);
  expect(text).toContain('\ufffd');
});

test('both problems are named together', () => {
  expect(decodeBody(Uint8Array.of(0xef, 0xbb, 0xbf, 0xff)).problems).toEqual([
    'invalid UTF-8',
    'byte order mark',
  ]);
});
