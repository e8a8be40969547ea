import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checksReference } from '../../scripts/checks-reference.ts';
import { reference, referencePath } from '../../scripts/reference.ts';
import * as facade from '../../src/check/index.ts';
import { packageRoot } from '../../src/openapi/package-root.ts';
import { pages, textOf } from '../support/pages.ts';
import { command } from '../support/processes.ts';

const all = pages.map(textOf).join('\n');

test('docs/reference.md -> says what the code says (npm run docs writes it)', async () => {
  expect(await readFile(referencePath, 'utf8')).toBe(await reference());
});

test('docs/checks.md -> has every export that a check may use (npm run docs writes it)', async () => {
  expect(textOf('docs/checks.md')).toBe(await checksReference());
  const headings = [...textOf('docs/checks.md').matchAll(/^## (\w+)$/gm)].map(([, name]) => name);
  expect(headings).toEqual(expect.arrayContaining(Object.keys(facade).filter((name) => name !== 'fc')));
});

test('every link to a file of the repository -> leads to one', async () => {
  for (const page of pages) {
    const folder = join(packageRoot(), page, '..');
    const links = [...textOf(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target = '']) => target);
    for (const link of links)
      await expect(readFile(join(folder, link)), `${page}: ${link}`).resolves.toBeDefined();
  }
});

test('every option in the pages -> exists in some command', async () => {
  const commands = [
    'run',
    'serve',
    'selftest',
    'compare',
    'merge',
    'matrix',
    'requirements',
    'domains',
    'init',
    'judge',
  ];
  const helps = await Promise.all(commands.map((name) => command(name, '--help')));
  const known = new Set(helps.flatMap(({ out }) => out.match(/--[a-z][a-z-]+/g)));
  const docker = ['--file', '--tag', '--rm', '--env', '--volume', '--user'];
  // Options of npm, vitest, allure, docker, and the project's own scripts.
  const others = [
    '--save-dev',
    '--no-install',
    '--update',
    '--no-edit',
    '--single-file',
    '--output',
    ...docker,
  ];
  const used = new Set(all.match(/(?<![\w-])--[a-z][a-z-]+/g));
  expect([...used].filter((flag) => !known.has(flag) && !others.includes(flag))).toEqual([]);
});

test('every page in docs -> is linked from README or from another page', async () => {
  const text = all;
  for (const name of await readdir(join(packageRoot(), 'docs'))) expect(text).toContain(name);
});

test('every test that SECURITY.md names -> exists', async () => {
  const named = [...textOf('SECURITY.md').matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, file = '']) => file);
  expect(named).not.toEqual([]);
  for (const file of named) expect(textOf(file), file).toContain('test(');
});
