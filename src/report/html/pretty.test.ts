import { expect, test } from 'vitest';
import { prettyJson } from './pretty.ts';

test('prettyJson: an object -> a member on each line, with numbers and escapes as they were sent', () => {
  expect(prettyJson('{"id":9007199254740993,"a":1.0,"a":1e2,"name":"\\u0041 {,:\\"}"}')).toBe(
    '{\n  "id": 9007199254740993,\n  "a": 1.0,\n  "a": 1e2,\n  "name": "\\u0041 {,:\\"}"\n}',
  );
});

test('prettyJson: a list -> an item on each line; long items are broken up', () => {
  const long = 'x'.repeat(120);
  expect(prettyJson(` [ {"id" : 1,"tags":[]}, {"name":"${long}"} ] `)).toBe(
    `[\n  {"id": 1, "tags": []},\n  {\n    "name": "${long}"\n  }\n]`,
  );
});

test.each(['', 'plain', '{"a":1,}', '"text"', '7', '[]', '['.repeat(40) + ']'.repeat(40)])(
  'prettyJson: %s -> unchanged',
  (text) => {
    expect(prettyJson(text)).toBe(text);
  },
);
