import { expect, test } from 'vitest';
import { markedLines } from './marks.ts';
import { prettyJson } from './pretty.ts';

/** The marked lines of a JSON text. */
const marked = (json: string, quoted: string): readonly string[] =>
  markedLines(prettyJson(json), quoted).flatMap(({ markup }) =>
    [...markup.matchAll(/<mark>(.*)<\/mark>/g)].map(([, text = '']) => text.replaceAll('&quot;', '"')),
  );

const pet = '{"id":777,"name":"Rex","status":"sold"}';

test.each<[name: string, quoted: string, marked: readonly string[]]>([
  ['member in JSON', '"id": 777', ['"id": 777']],
  ['member in JSON without a space', '"id":777', ['"id": 777']],
  ['member by its name', 'id: 777, status: "sold"', ['"id": 777', '"status": "sold"']],
  ['part of a longer number or name', 'id: 7771, petid: 777, status: "soldout"', []],
  ['status code', 'status 200', []],
])('body of an object, %s -> marked', (_, quoted, expected) => {
  expect(marked(pet, quoted)).toEqual(expected);
});

const list = `[{"id":1},${pet},{"id":2},{"id":1,"name":"${'x'.repeat(120)}"}]`;

test('list: items that are named, or an item that is quoted as it was sent -> marked', () => {
  expect(marked(list, 'item 2 of 4, id: "777"')).toEqual(['{"id": 777, "name": "Rex", "status": "sold"}']);
  expect(marked(list, pet)).toEqual(['{"id": 777, "name": "Rex", "status": "sold"}']);
  expect(marked(list, 'id 1 in items 1 and 4 of 4')).toEqual([
    '{"id": 1}',
    '{',
    '"id": 1',
    `"name": "${'x'.repeat(120)}"`,
    '}',
  ]);
});
