import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeHtml, escapeMarkdown, escapeXmlAttribute, oneLine, shorten, visible } from './escape.ts';

const anyText = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) });

test('visible: any text -> no invisible or unpaired character', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const shown = visible(text);
      expect(shown.replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\ufffe\uffff]/u);
      expect(shown.isWellFormed()).toBe(true);
    }),
  );
});

test('visible: control characters, bidirectional overrides, lone surrogates -> escapes', () => {
  expect(visible('a\u0000b\u202ec\ud800d\u{e0041}')).toBe('a\\u0000b\\u202ec\\ud800d\\udb40\\udc41');
  expect(visible('tab\tline\nemoji 🐶')).toBe('tab\tline\nemoji 🐶');
});

test('visible: a JSON text -> the same value', () => {
  fc.assert(fc.property(anyText, (text) => JSON.parse(visible(JSON.stringify(text))) === text));
});

test('escapeHtml: any text -> no markup', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(escapeHtml(`</script>${text}`)).not.toMatch(/[<>"']/);
    }),
  );
});

test('escapeXmlAttribute: line feeds and tabs -> character references', () => {
  expect(escapeXmlAttribute('a\nb\tc')).toBe('a&#10;b&#9;c');
});

test('escapeMarkdown: markup, tables, mentions, and links -> escaped', () => {
  expect(escapeMarkdown('**a** | [b](http://c) @d\n# e <i>')).toBe(
    '\\*\\*a\\*\\* \\| \\[b\\]\\(http&#58;//c\\) &#64;d ↵ \\# e &lt;i&gt;',
  );
});

test('oneLine: any text -> one line', () => {
  fc.assert(fc.property(anyText, (text) => !oneLine(text).includes('\n')));
});

test('shorten: characters of two code units -> not split', () => {
  expect(shorten('🐶🐱🐭', 2)).toBe('🐶…');
  expect(shorten('abc', 3)).toBe('abc');
});

test('oneLine: line feeds with blanks around them -> one sign, in linear time', () => {
  expect(oneLine('a \n\n \t b\n')).toBe('a ↵ b ↵ ');
  const blanks = ' '.repeat(500_000);
  expect(oneLine(blanks)).toBe(blanks);
});
