import { expect, test } from 'vitest';
import { type TestServer, testServer } from '../testing.ts';
import { degenerates } from './index.ts';

/** What a list without a key, a list with one, and a creation get: status and body. */
const three = async (server: TestServer): Promise<readonly string[]> => {
  const answers: string[] = [];
  for (const ask of [
    () => server.get('/pets', { key: null }),
    () => server.get('/pets?limit=1'),
    () => server.create('{"name":"Rex","categoryId":1,"status":"available"}'),
  ]) {
    const start = server.now;
    const answer = await ask().catch(() => null);
    const late = server.now - start > 60_000 ? 'late ' : '';
    answers.push(answer === null ? 'dropped' : `${late}${answer.status} ${answer.text}`.slice(0, 20).trim());
  }
  return answers;
};

const thrice = (answer: string) => [answer, answer, answer];
const expected: Readonly<Record<string, readonly string[]>> = {
  'always-an-empty-array': thrice('200 []'),
  'always-an-empty-object': thrice('200 {}'),
  'always-null': thrice('200 null'),
  'always-one-animal': thrice('200 {"id":1,"name":"'),
  'always-a-created-animal': thrice('201 {"id":1,"name":"'),
  'always-a-list-of-one': thrice('200 [{"id":1,"name":'),
  'always-empty': thrice('200'),
  'always-204': thrice('204'),
  'always-400': thrice('400 {"code":"error",'),
  'always-404': thrice('404 {"code":"error",'),
  'always-500': thrice('500 {"code":"error",'),
  'always-html': thrice('200 <!doctype html><'),
  'always-html-alone': thrice('200 <!doctype html><'),
  'always-429': thrice('429'),
  'always-redirected': thrice('302'),
  echo: ['200', '200', '200 {"name":"Rex","c'],
  'echo-created': ['201', '201', '201 {"name":"Rex","c'],
  'drops-every-connection': thrice('dropped'),
  'never-answers': ['late 401 {"code":"un', 'late 200 [{"id":12,"', 'late 201 {"id":13,"n'],
  'requires-no-key': ['200 [{"id":12,"name"', '200 [{"id":12,"name"', '201 {"id":13,"name":'],
  'accepts-no-key': thrice('401 {"code":"unautho'),
  'always-401': thrice('401 {"code":"error",'),
  'always-403': thrice('403 {"code":"error",'),
};

test('each degenerate server is looked at', () => {
  expect(degenerates.map(({ name }) => name).sort()).toEqual(Object.keys(expected).sort());
});

test.each(degenerates)('$name: $description', async ({ name, patch }) => {
  const answers = await three(testServer({ seedPets: 12, patches: [patch] }));
  expect(answers).toEqual(expected[name]);
  expect(await three(testServer({ seedPets: 12 }))).not.toEqual(answers);
});
