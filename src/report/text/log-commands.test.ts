import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { withoutLogCommands } from './log-commands.ts';

/** What the agents obey: Azure Pipelines, GitHub's runner (both forms), TeamCity, GitLab's runner. */
const obeyed: readonly RegExp[] = [
  /##vso\[/i,
  /##\[/,
  /##teamcity\[/i,
  /^\s*::[a-z]/im,
  /section_(?:start|end):\d/i,
];
const isObeyed = (text: string): boolean => obeyed.some((command) => command.test(text));

test.each([
  'done ##vso[task.complete result=Succeeded;]',
  'x ##[add-mask]a',
  '###[error]',
  "##teamcity[testFailed name='a']",
  '::error::theirs',
  'first\n \t::add-mask::a',
  'first\r::stop-commands::a',
  'section_start:1700000000:name\r\u001b[0K',
  'section_end:1700000000:name\r\u001b[0K',
])('withoutLogCommands: %j -> nothing that an agent obeys', (text) => {
  expect(isObeyed(text)).toBe(true);
  expect(isObeyed(withoutLogCommands(text))).toBe(false);
});

test('withoutLogCommands: any text -> nothing that an agent obeys', () => {
  const parts = [
    '#',
    '##',
    ':',
    '::',
    '[',
    'vso',
    'teamcity',
    'error',
    'section_',
    'start:1',
    '\n',
    '\r',
    ' ',
  ];
  const text = fc
    .array(fc.oneof(fc.constantFrom(...parts), fc.string({ unit: 'binary', maxLength: 3 })))
    .map((pieces) => pieces.join(''));
  fc.assert(fc.property(text, (each) => !isObeyed(withoutLogCommands(each))));
});

test('withoutLogCommands: a JSON text -> the same value', () => {
  const text = fc.array(fc.constantFrom('##', '[', 'vso', '::', 'section_', 'end:', '\\', '"', '\n', 'a'));
  fc.assert(
    fc.property(text, (pieces) => {
      const value = pieces.join('');
      return JSON.parse(withoutLogCommands(JSON.stringify({ value }))).value === value;
    }),
  );
});

test('withoutLogCommands: other text -> unchanged', () => {
  const text = '## Title [link] http://[::1]:80/v1\n::1 a::b #[1]';
  expect(withoutLogCommands(text)).toBe(text);
});
