import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { reference, referencePath } from '../scripts/reference.ts';
import { nameOf, settingList } from '../src/config/table.ts';
import { packageRoot } from '../src/openapi/package-root.ts';

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'docs/architecture.md',
  'docs/how-to.md',
  'docs/explanation.md',
  'docs/reference.md',
];
const textOf = (name: string) => readFile(join(packageRoot(), name), 'utf8');
const bin = join(packageRoot(), 'bin/animal-store-conformance.js');
const helpOf = async (command: string) =>
  (await promisify(execFile)(process.execPath, [bin, command, '--help'])).stdout;
const all = async () => (await Promise.all(pages.map(textOf))).join('\n');

test('docs/reference.md -> says what the code says (npm run docs writes it)', async () => {
  expect(await readFile(referencePath, 'utf8')).toBe(reference());
});

test('every link to a file of the repository -> leads to one', async () => {
  for (const page of pages) {
    const folder = join(packageRoot(), page, '..');
    const links = [...(await textOf(page)).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(
      ([, target = '']) => target,
    );
    for (const link of links)
      await expect(readFile(join(folder, link)), `${page}: ${link}`).resolves.toBeDefined();
  }
});

test('every option in the pages -> exists in some command', async () => {
  const commands = ['run', 'serve', 'selftest', 'compare', 'merge', 'requirements'];
  const helps = await Promise.all(commands.map(helpOf));
  const known = new Set(helps.join('\n').match(/--[a-z][a-z-]+/g));
  // Options of npm, vitest, allure, and the project's own scripts.
  const others = ['--save-dev', '--update', '--no-edit', '--single-file', '--output'];
  const used = new Set((await all()).match(/(?<![\w-])--[a-z][a-z-]+/g));
  expect([...used].filter((flag) => !known.has(flag) && !others.includes(flag))).toEqual([]);
});

test('the configuration in the pages -> has only names of settings', async () => {
  const names = new Set(settingList.map(([, { flag }]) => nameOf(flag)));
  const blocks = [...(await textOf('docs/how-to.md')).matchAll(/```yaml\n([\s\S]*?)```/g)].map(
    ([, text = '']) => parse(text),
  );
  const [settings] = blocks.filter((block) => !Array.isArray(block));
  expect(Object.keys(settings).filter((name) => !names.has(name))).toEqual([]);
});

test('every page in docs -> is linked from README or from another page', async () => {
  const text = await all();
  for (const name of await readdir(join(packageRoot(), 'docs'))) expect(text).toContain(name);
});

test('every test that SECURITY.md names -> exists', async () => {
  const named = [...(await textOf('SECURITY.md')).matchAll(/`([\w./-]+\.test\.ts)`/g)].map(
    ([, file = '']) => file,
  );
  expect(named).not.toEqual([]);
  for (const file of named) await expect(textOf(file), file).resolves.toContain('test(');
});
