import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { at, record, run } from '../support/command.ts';
import { folder } from '../support/processes.ts';
import { openServer } from '../support/servers.ts';

const serviceLinks = {
  ANIMAL_STORE_SERVICE_HOST: '10.0.0.11',
  ANIMAL_STORE_SERVICE_PORT_HTTP: '80',
  ANIMAL_STORE_PORT: 'tcp://10.0.0.11:80',
  ANIMAL_STORE_PORT_80_TCP_ADDR: '10.0.0.11',
  ANIMAL_STORE_API_SERVICE_HOST: '10.0.0.12',
  ANIMAL_STORE_API_PORT: 'tcp://10.0.0.12:80',
  ANIMAL_STORE_API_PORT_80_TCP: 'tcp://10.0.0.12:80',
};

test('variables of a Kubernetes Service animal-store -> ignored, other unknown ones are still an error', async () => {
  const server = await record();
  const judged = await run(
    [...at(server), '--only', 'GET-1', '--only', 'LIST-1', '--runs', '1'],
    serviceLinks,
  );
  expect(judged).toMatchObject({ code: 0, err: '' });
  const misspelled = {
    ...serviceLinks,
    ANIMAL_STORE_BASE_URI: 'http://127.0.0.1:1',
    ANIMAL_STORE_X_PORT: '80',
  };
  const { code, err } = await run(at(server), misspelled);
  expect(code).toBe(2);
  expect(err.split('\n').map((line) => line.split(' ')[1])).toEqual([
    'ANIMAL_STORE_BASE_URI',
    'ANIMAL_STORE_X_PORT',
    undefined,
  ]);
});

const command = '##vso[task.complete result=Succeeded;]x ##[add-mask]a section_start:1:a';
const lines = `first\n  ::add-mask::a\n::error::theirs\r##teamcity[testFailed]\n${command}`;
const thing = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
const get = {
  get: { responses: { 200: { description: 'ok', content: { 'application/json': { schema: thing } } } } },
};

test.each([[[]], [['--verbose']]])(
  'commands to CI systems in responses and documents, %j -> escaped',
  async (args) => {
    const server = createServer(({ url }, response) => {
      if (url?.startsWith('/text')) response.setHeader('Content-Type', 'text/plain').end(lines);
      else
        response
          .setHeader('Content-Type', 'application/json')
          .end(JSON.stringify({ id: lines, [command]: 1 }));
    });
    const spec = join(folder, `commands-${args.length}.json`);
    const info = { title: command, version: '1' };
    writeFileSync(spec, JSON.stringify({ openapi: '3.1.0', info, paths: { '/x': get, '/text': get } }));
    const baseUrl = `http://${await openServer(server)}`;
    const { code, out, err } = await run(['--base-url', baseUrl, '--spec', spec, '--seed', '7', ...args], {
      GITHUB_ACTIONS: 'true',
    });
    expect(code).toBe(1);
    expect(out).toContain('\\u0023#vso[task.complete');
    expect(`${out}${err}`).not.toMatch(/##(vso|teamcity)?\[|section_(start|end):/i);
    const commands = out.split(/\r\n|\r|\n/).filter((line) => /^\s*::/.test(line));
    expect(commands.length).toBeGreaterThan(0);
    for (const line of commands) expect(line).toMatch(/^::(error|warning|notice) title=GEN-\d /);
  },
);
