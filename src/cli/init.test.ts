import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { captureOutput } from '../../test/support/output.ts';
import { loadSettings } from '../config/load.ts';
import { main } from './main.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'init-'));
  vi.spyOn(process, 'cwd').mockReturnValue(root);
  vi.stubEnv('ANIMAL_STORE_BASE_URL', undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.exitCode = undefined;
  rmSync(root, { recursive: true, force: true });
});

const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');

const writeIn = (path: string, text: string): void => {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

const init = async () => {
  const output = captureOutput();
  await main(['init']);
  return output;
};

const load = () => loadSettings({ flags: {}, env: {}, directory: root, requirements: [] });

test('init in an empty folder -> a configuration file with the defaults, and a job for GitHub', async () => {
  const before = await load();
  const { stdout } = await init();
  expect(stdout).toContain('Wrote conformance.config.yaml\nWrote .github/workflows/conformance.yml\n');
  expect(stdout).toContain('npm install --save-dev <archive>\n');
  expect(await load()).toEqual(before);
  expect(parse(textOf('.github/workflows/conformance.yml'))).toMatchObject({
    concurrency: 'conformance',
    jobs: { conformance: { steps: expect.arrayContaining([{ run: 'npm ci' }]) } },
  });
});

test.each([
  [{ HEAD: 'ref: refs/heads/master\n' }, 'master'],
  [{ HEAD: 'ref: refs/heads/topic\n', 'refs/heads/master': 'a1\n', 'refs/heads/topic': 'a2\n' }, 'master'],
  [{ HEAD: 'ref: refs/heads/topic\n', 'packed-refs': 'a1 refs/heads/main\n' }, 'main'],
  [
    {
      HEAD: 'ref: refs/heads/main\n',
      'refs/heads/main': 'a1\n',
      'refs/remotes/origin/HEAD': 'ref: refs/remotes/origin/release/next\n',
    },
    'release/next',
  ],
  [{ HEAD: `${'a'.repeat(40)}\n` }, 'main'],
  [{}, 'main'],
])('init in a repository with %j -> the job runs on pushes to %s', async (files, branch) => {
  for (const [name, text] of Object.entries(files)) writeIn(join('.git', name), text);
  await init();
  expect(parse(textOf('.github/workflows/conformance.yml')).on.push.branches).toEqual([branch]);
});

test('init in a worktree -> the branch of its repository', async () => {
  const files = {
    'main/.git/HEAD': 'ref: refs/heads/develop\n',
    'main/.git/refs/remotes/origin/HEAD': 'ref: refs/remotes/origin/trunk\n',
    'main/.git/worktrees/tree/HEAD': 'ref: refs/heads/feature\n',
    'main/.git/worktrees/tree/commondir': '../..\n',
    'tree/.git': `gitdir: ${join(root, 'main/.git/worktrees/tree')}\n`,
  };
  for (const [name, text] of Object.entries(files)) writeIn(name, text);
  vi.spyOn(process, 'cwd').mockReturnValue(join(root, 'tree'));
  await init();
  expect(parse(textOf('tree/.github/workflows/conformance.yml')).on.push.branches).toEqual(['trunk']);
});

test('every setting with a default, uncommented -> the same settings', async () => {
  const before = await load();
  await init();
  const text = textOf('conformance.config.yaml').replaceAll(/^# (\w+: (?:\d+|false|reports))$/gm, '$1');
  expect(text).toContain('\nmaxCreates: 200\n');
  writeFileSync(join(root, 'conformance.config.yaml'), text);
  expect(await load()).toEqual(before);
});

test('a base URL in the environment -> in the file, unless it has a password', async () => {
  vi.stubEnv('ANIMAL_STORE_BASE_URL', 'http://127.0.0.1:4010/v1');
  await init();
  expect(parse(textOf('conformance.config.yaml'))).toEqual({ baseUrl: 'http://127.0.0.1:4010/v1' });
  rmSync(join(root, 'conformance.config.yaml'));
  vi.stubEnv('ANIMAL_STORE_BASE_URL', 'http://me:secret@127.0.0.1:4010/v1');
  await init();
  expect(textOf('conformance.config.yaml')).not.toContain('secret');
});

test('a project on GitLab with pnpm -> a job for GitLab that uses pnpm', async () => {
  writeFileSync(join(root, 'pnpm-lock.yaml'), '');
  writeFileSync(join(root, '.gitlab-ci.yml'), '');
  writeFileSync(join(root, 'package.json'), '{ "devDependencies": { "animal-store-conformance": "0.1.0" } }');
  const { stdout } = await init();
  expect(stdout).not.toContain('Add the suite');
  expect(stdout).toContain('include: [{ local: .gitlab/conformance.yml }]');
  expect(parse(textOf('.gitlab/conformance.yml'))).toMatchObject({
    conformance: { script: ['pnpm install --frozen-lockfile', 'pnpm exec animal-store-conformance run'] },
  });
});

test('files that exist -> not changed', async () => {
  writeFileSync(join(root, 'conformance.config.json'), '{}');
  await init();
  const { stdout } = await init();
  expect(stdout).toBe(
    'conformance.config.json exists: it was not changed\n.github/workflows/conformance.yml exists: it was not changed\n',
  );
  expect(textOf('conformance.config.json')).toBe('{}');
});

test('a file that cannot be written -> exit code 2 and one line', async () => {
  mkdirSync(join(root, '.github'));
  writeFileSync(join(root, '.github/workflows'), '');
  const { stderr } = await init();
  expect(stderr).toMatch(/^error: .github\/workflows\/conformance.yml cannot be written: .+\n$/);
  expect(process.exitCode).toBe(2);
});
