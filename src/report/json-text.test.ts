import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonText } from './json-text.ts';

test('a lone surrogate is spelled out, in values and in names', () => {
  expect(jsonText({ '\udc00': ['a\ud83d', '\ude00\ud83d'] }, 0)).toBe(
    '{"\\\\udc00":["a\\\\ud83d","\\\\ude00\\\\ud83d"]}\n',
  );
});

test('what looks like one stays as it is: a pair, its spelling, a backslash before it', () => {
  for (const text of ['😀', '\\ud83d', '\\\\ud83d', '\\', '"\u0000\n'])
    expect(JSON.parse(jsonText(text, 0))).toBe(text);
});

test('every text comes out well formed, and a well-formed one as it went in', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.array(fc.integer({ min: 0xd7ff, max: 0xe000 })),
      (text, units) => {
        expect(JSON.parse(jsonText(text, 1))).toBe(text);
        const surrogates = String.fromCharCode(...units);
        const read: string = JSON.parse(jsonText(text + surrogates, 1));
        expect(read.isWellFormed()).toBe(true);
        if (surrogates.isWellFormed()) expect(read).toBe(text + surrogates);
      },
    ),
  );
});
