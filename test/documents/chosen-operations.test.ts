import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../support/command.ts';
import { todo } from '../support/other-apis.ts';
import { folder } from '../support/processes.ts';
import { serveOnSocket } from '../support/servers.ts';

/** Runs the command on the to-do API, in whose document removeTodo has the tag `danger`. Returns the operations that were sent. */
const testChosen = async (words: readonly string[], mistakes: readonly string[] = []) => {
  const document = JSON.parse(await readFile(todo.spec, 'utf8'));
  document.paths['/todos/{todo_id}'].delete.tags = ['danger'];
  const spec = join(folder, 'chosen.json');
  await writeFile(spec, JSON.stringify(document));
  const sent = new Set<string>();
  const respond = todo.fetch(mistakes);
  const { baseUrl } = await serveOnSocket({
    keys: [],
    fetch: (request) => {
      const path = new URL(request.url).pathname.replace('/v1', '');
      sent.add(`${request.method} ${path.replace(/^\/todos\/.*$/, '/todos/…')}`);
      return respond(request);
    },
    refuse: async () => new Response(null, { status: 400 }),
  });
  const key = ['--api-key', `${todo.key}`];
  const ended = await run(['--base-url', baseUrl, ...key, '--spec', spec, '--seed', '3', ...words]);
  return { ...ended, sent: [...sent].toSorted() };
};

test('--operation with an id -> only that operation, and the creation that it needs', async () => {
  const { code, sent, report } = await testChosen(['--operation', 'gettodo']);
  expect({ code, sent }).toEqual({ code: 0, sent: ['GET /todos', 'GET /todos/…', 'POST /todos'] });
  expect(report?.operations).toMatchObject({ all: 6, leftOut: 3 });
});

test('--operation with a method and a path, --skip-operation with a tag -> what is left', async () => {
  const { code, sent, out } = await testChosen(['--operation', '* /todos/*', '--skip-operation', 'danger']);
  expect(code).toBe(0);
  expect(sent).not.toContain('DELETE /todos/…');
  expect(sent).not.toContain('GET /health');
  expect(sent).toEqual(expect.arrayContaining(['GET /todos/…', 'PUT /todos/…']));
  expect(out).toContain('DELETE /todos/{todo_id}: left out by --operation or --skip-operation');
});

test('a failure of a chosen operation -> its replay has the same choice', async () => {
  const { report } = await testChosen(['--skip-operation', 'danger'], ['wrong item shape']);
  const [failure] = report?.requirements.find(({ id }) => id === 'GEN-3')?.failures ?? [];
  expect(failure && 'replay' in failure && failure.replay).toContain('--skip-operation danger');
});

test.each([
  [['--operation', 'getTodos'], '--operation: "getTodos" names no operation: did you mean getTodo?'],
  [['--skip-operation', 'GET /pets'], '--skip-operation: "GET /pets" names no operation: '],
  [['--operation', 'danger', '--skip-operation', 'removeTodo'], 'no operation of the document can be tested'],
])('%j -> a usage error', async (words, message) => {
  const { code, err } = await testChosen(words);
  expect(code).toBe(2);
  expect(err).toContain(message);
});

test('--operation without --spec -> a usage error', async () => {
  const { code, err } = await run(['--reference', '--operation', 'getPet']);
  expect(code).toBe(2);
  expect(err).toContain('--operation needs --spec');
});
