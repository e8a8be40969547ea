import { expect, test } from 'vitest';
import { parsedResponse } from '../../../test/support/build.ts';
import { listPets } from '../../check/requests.ts';
import { brokenBody } from '../../oracle/broken-body.ts';
import { excerptAt, jsonErrorText, looksLikeJson } from './body.ts';

const unreadable = (body: string | Uint8Array) => {
  const { body: read } = parsedResponse(listPets({}), { body });
  if (read.kind !== 'unreadable') throw new Error('it is readable');
  return brokenBody(read);
};

test('jsonErrorText: a syntax error -> its position in characters', () => {
  expect(jsonErrorText(unreadable('{"name":"\u{1f408}""}'))).toBe(
    'expected "," or "}", got "\\"" at character 12: {"name":"\u{1f408}""}',
  );
});

test.each([
  ['[1,]', 'expected a value, got "]"'],
  ['{"a":1', 'expected "," or "}", got the end'],
  ['[1 x', 'expected "," or "]", got "x"'],
  ['1 x', 'expected the end, got "x"'],
  ['{}}', 'expected the end, got "}"'],
  ['{"a":1,}', 'expected a member name in double quotes, got "}"'],
  ['{"a" 1}', 'expected ":", got "1"'],
  ['["a', 'a string without its closing quote'],
  ['["\t"]', 'a control character in a string'],
  ['["\\x"]', 'a malformed escape in a string'],
  ['\ufeff[]', 'it has a byte order mark'],
])('jsonErrorText: %j -> what is wrong', (body, text) => {
  expect(jsonErrorText(unreadable(body)).replace(/ at character .*/s, '')).toBe(text);
});

test.each([1, 50, 1_000])(
  'jsonErrorText, excerptAt: a syntax error after %i items -> the text around it',
  (count) => {
    const items = '{"name":"Rex"},'.repeat(count);
    const body = unreadable(`[${items}{"name":""Max"}]${' '.repeat(1_000)}`);
    expect(body.near.length + body.start.length).toBeLessThan(700);
    expect(jsonErrorText(body)).toContain(`got "M" at character ${items.length + 12}: `);
    expect(jsonErrorText(body)).toContain('{"name":""Max"}');
    expect(excerptAt(body)).toContain('Max"}]');
    expect(excerptAt(body).startsWith('…')).toBe(count > 1);
  },
);

test('jsonErrorText: invalid UTF-8 -> no position', () => {
  expect(jsonErrorText(unreadable(Uint8Array.of(0x5b, 0x22, 0xc3, 0x22, 0x5d)))).toBe('it has invalid UTF-8');
});

test('looksLikeJson: an HTML page -> false', () => {
  expect(looksLikeJson(unreadable(' [1,'))).toBe(true);
  expect(looksLikeJson(unreadable('<h1>Oops</h1>'))).toBe(false);
});
