import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonText } from './json-text.ts';

test('jsonText: a lone surrogate in a value or a name -> written as text', () => {
  expect(jsonText({ '\udc00': ['a\ud83d', '\ude00\ud83d'] }, 0)).toBe(
    '{"\\\\udc00":["a\\\\ud83d","\\\\ude00\\\\ud83d"]}\n',
  );
});

test('jsonText: a surrogate pair, an escape as text, or backslashes -> unchanged', () => {
  for (const text of ['😀', '\\ud83d', '\\\\ud83d', '\\', '"\u0000\n'])
    expect(JSON.parse(jsonText(text, 0))).toBe(text);
});

test('jsonText: any text -> well formed; a well-formed text -> unchanged', () => {
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
