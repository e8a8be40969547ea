import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { escapeHtml, escapeMarkdown, escapeXmlAttribute, oneLine, shorten, visible } from './escape.ts';

const anyText = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) });

test('no invisible or unpaired character is left, whatever the text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const shown = visible(text);
      expect(shown.replace(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\ufffe\uffff]/u);
      expect(shown.isWellFormed()).toBe(true);
    }),
  );
});

test('control characters, bidirectional overrides and lone surrogates are spelled out', () => {
  expect(visible('a\u0000b\u202ec\ud800d\u{e0041}')).toBe('a\\u0000b\\u202ec\\ud800d\\udb40\\udc41');
  expect(visible('tab\tline\nemoji 🐶')).toBe('tab\tline\nemoji 🐶');
});

test('a JSON text still says the same', () => {
  fc.assert(fc.property(anyText, (text) => JSON.parse(visible(JSON.stringify(text))) === text));
});

test('HTML is never closed or opened by a text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(escapeHtml(`</script>${text}`)).not.toMatch(/[<>"']/);
    }),
  );
});

test('line feeds in an XML attribute survive a parser', () => {
  expect(escapeXmlAttribute('a\nb\tc')).toBe('a&#10;b&#9;c');
});

test('Markdown markup, tables, mentions and links are defused', () => {
  expect(escapeMarkdown('**a** | [b](http://c) @d\n# e <i>')).toBe(
    '\\*\\*a\\*\\* \\| \\[b\\]\\(http&#58;//c\\) &#64;d ↵ \\# e &lt;i&gt;',
  );
});

test('one line stays one line', () => {
  fc.assert(fc.property(anyText, (text) => !oneLine(text).includes('\n')));
});

test('shortening keeps characters whole', () => {
  expect(shorten('🐶🐱🐭', 2)).toBe('🐶…');
  expect(shorten('abc', 3)).toBe('abc');
});
