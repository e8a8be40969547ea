// The step of action.yml that runs the suite, beside an API like that of GitHub.
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../src/openapi/package-root.ts';
import { key, record, serve } from '../support/command.ts';
import { folder, start } from '../support/processes.ts';

interface Comment {
  readonly url: string;
  body: string;
}

const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing) close();
});

const bodyOf = async (request: IncomingMessage): Promise<{ readonly body: string }> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString() || '{}');
};

/** The comments of one pull request. `refuses`: the token may only read. */
const startGitHub = async ({ refuses = false } = {}) => {
  const comments: Comment[] = Array.from({ length: 100 }, (_, at) => ({
    url: `/others/${at}`,
    body: 'Nice.',
  }));
  const server = createServer(async (request, response) => {
    const { body } = await bodyOf(request);
    const url = new URL(request.url ?? '', 'http://localhost');
    const own = comments.find((comment) => comment.url.endsWith(url.pathname));
    if (refuses && request.method !== 'GET') return response.writeHead(403).end();
    if (request.method === 'POST') comments.push({ url: `${api}/comment-${comments.length}`, body });
    if (request.method === 'PATCH' && own !== undefined) own.body = body;
    const page = Number(url.searchParams.get('page') ?? 1);
    return response.end(JSON.stringify(comments.slice((page - 1) * 100, page * 100)));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { api, ours: () => comments.filter(({ body }) => body !== 'Nice.') };
};

const { runs, inputs: declared } = parse(readFileSync(join(packageRoot(), 'action.yml'), 'utf8'));
const defaults = Object.fromEntries(
  Object.entries<{ readonly default?: string }>(declared).map(([name, input]) => [name, input.default ?? '']),
);
const step: { readonly run: string; readonly shell: string } = runs.steps.find(
  ({ id }: { id?: string }) => id === 'run',
);
const few = { only: 'LIST-2\nLIST-3', runs: '2', seed: '5' };

/** Runs the step for pull request 7, as the job `test`. */
const act = async (inputs: Readonly<Record<string, string>>, api: string, job = 'test') => {
  const cwd = mkdtempSync(join(folder, 'action-'));
  const [event, output] = [join(cwd, 'event.json'), join(cwd, 'output')];
  writeFileSync(event, JSON.stringify({ pull_request: { number: 7 } }));
  writeFileSync(output, '');
  const env = {
    PATH: `${join(process.execPath, '..')}:${process.env.PATH}`,
    INPUTS: JSON.stringify({ ...defaults, 'github-token': 'token', ...few, ...inputs }),
    GITHUB_ACTION_PATH: packageRoot(),
    GITHUB_API_URL: api,
    GITHUB_EVENT_PATH: event,
    GITHUB_OUTPUT: output,
    GITHUB_REPOSITORY: 'shop/store',
    GITHUB_WORKFLOW: 'ci',
    GITHUB_JOB: job,
    CI: 'true',
  };
  const ended = await start(step.shell, ['-c', step.run], env, cwd).ended;
  const outputs = Object.fromEntries(
    readFileSync(output, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('=') as [string, string]),
  );
  return { ...ended, outputs, cwd };
};

describe.concurrent('the step of the action', () => {
  test('a right server -> 0, outputs, and one comment that the next run changes', async () => {
    const [{ baseUrl }, github] = await Promise.all([record(), startGitHub()]);
    const inputs = { 'base-url': baseUrl, 'api-key': key, plan: 'business' };
    const { code, outputs, cwd, out } = await act(inputs, github.api);
    expect([code, out]).toEqual([0, expect.not.stringContaining(key)]);
    expect(outputs).toEqual({ verdict: 'conformant', failed: '', report: join(cwd, 'reports') });
    expect(github.ours()).toHaveLength(1);
    expect(github.ours()[0]?.body).toContain('No failures');
    await act({ ...inputs, only: 'LIST-2' }, github.api);
    expect(github.ours()).toHaveLength(1);
    await act(inputs, github.api, 'another');
    expect(github.ours()).toHaveLength(2);
  });

  test('a server with a fault -> 1, its failed requirements, and its own folder', async () => {
    const [{ baseUrl }, github] = await Promise.all([serve('--fault', 'limit-one-too-many'), startGitHub()]);
    const inputs = { 'base-url': baseUrl, 'api-key': key, plan: 'business', 'report-dir': 'here' };
    const { code, outputs, cwd } = await act({ ...inputs, comment: 'false' }, github.api);
    expect([code, outputs.verdict, outputs.report]).toEqual([1, 'nonconformant', join(cwd, 'here')]);
    expect(outputs.failed).toContain('LIST-3');
    expect(github.ours()).toEqual([]);
  });

  test('a token that may only read -> a notice, and the exit code of the run', async () => {
    const [{ baseUrl }, github] = await Promise.all([record(), startGitHub({ refuses: true })]);
    const inputs = { 'base-url': baseUrl, 'api-key': key, plan: 'business' };
    const { code, out } = await act(inputs, github.api);
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('::notice::The summary is not on the pull request (status 403)'),
    ]);
  });

  test('a wrong input -> 2, and what is wrong', async () => {
    const github = await startGitHub();
    const { code, out, outputs } = await act({ strict: 'yes' }, github.api);
    expect([code, out, outputs]).toEqual([
      2,
      expect.stringContaining('strict: "yes" is neither true nor false'),
      {},
    ]);
  });
});
