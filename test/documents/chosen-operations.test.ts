import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { run, type Settings } from '../../src/api/index.ts';
import { runOnApi } from '../support/api-run.ts';
import { todo } from '../support/other-apis.ts';

/** Tests the to-do API, in whose document removeTodo has the tag `danger`. Returns the operations that were sent. */
const testChosen = async (settings: Settings, mistakes: readonly string[] = []) => {
  const document = JSON.parse(await readFile(todo.spec, 'utf8'));
  document.paths['/todos/{todo_id}'].delete.tags = ['danger'];
  const sent = new Set<string>();
  const respond = todo.fetch(mistakes);
  const result = await runOnApi(
    document,
    (request) => {
      const path = new URL(request.url).pathname;
      sent.add(`${request.method} ${path.replace(/^\/todos\/.*$/, '/todos/…')}`);
      return respond(request);
    },
    { apiKey: `${todo.key}`, seed: 3, ...settings },
  );
  return { ...result, sent: [...sent].toSorted() };
};

test('an id as operation -> only that operation, and the creation that it needs', async () => {
  const { exitCode, sent, report } = await testChosen({ operation: ['gettodo'] });
  expect({ exitCode, sent }).toEqual({
    exitCode: 0,
    sent: ['GET /todos', 'GET /todos/…', 'POST /todos'],
  });
  expect(report.operations).toMatchObject({ all: 6, leftOut: 3 });
});

test('a method and a path as operation, a tag as skipOperation -> what is left', async () => {
  const { exitCode, sent, report } = await testChosen({
    operation: ['* /todos/*'],
    skipOperation: ['danger'],
  });
  expect(exitCode).toBe(0);
  expect(sent).not.toContain('DELETE /todos/…');
  expect(sent).not.toContain('GET /health');
  expect(sent).toEqual(expect.arrayContaining(['GET /todos/…', 'PUT /todos/…']));
  expect(report.operations?.notRequested).toContainEqual(
    expect.stringContaining('DELETE /todos/{todo_id}: left out by --operation or --skip-operation'),
  );
});

test('a failure of a chosen operation -> its replay has the same choice', async () => {
  const { report } = await testChosen({ skipOperation: ['danger'] }, ['wrong item shape']);
  const [failure] = report.requirements.find(({ id }) => id === 'GEN-3')?.failures ?? [];
  expect(failure && 'replay' in failure && failure.replay).toContain('--skip-operation danger');
});

test.each<[string, Settings, string | undefined]>([
  ['RES-3 is not in the report', {}, undefined],
  ['selected, it is there with its reason', { only: ['RES-3'] }, 'skipped'],
])('an API without deletions: %s', async (_, settings, verdict) => {
  const { report } = await testChosen({ operation: ['GET /health'], ...settings });
  expect(report.requirements.find(({ id }) => id === 'RES-3')?.verdict).toBe(verdict);
});

const ofTodo = { baseUrl: 'http://127.0.0.1:1', spec: todo.spec };

test.each<[Settings, string]>([
  [{ operation: ['getTodos'] }, '--operation: "getTodos" names no operation: did you mean getTodo?'],
  [{ skipOperation: ['GET /pets'] }, '--skip-operation: "GET /pets" names no operation: '],
  [
    { operation: ['removeTodo'], skipOperation: ['removeTodo'] },
    'no operation of the document can be tested',
  ],
  [{ operation: ['getPet'], spec: undefined }, '--operation needs --spec'],
])('%j -> a usage error', async (settings, message) => {
  await expect(run({ ...ofTodo, ...settings })).rejects.toMatchObject({
    name: 'InvalidSettings',
    problems: expect.arrayContaining([expect.stringContaining(message)]),
  });
});
