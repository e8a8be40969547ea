import { existsSync, globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/openapi/package-root.ts';
import { allowed, folders } from './rules.ts';

const isTest = (file: string): boolean => /(\.test|testing)\.ts$/.test(file);
const files = globSync('{src,suites}/**/*.ts', { cwd: packageRoot() }).filter((file) => !isTest(file));

/** The relative paths in `import … from`, `export … from` and `import()`. */
const importsOf = (file: string): readonly string[] =>
  [
    ...readFileSync(posix.join(packageRoot(), file), 'utf8').matchAll(/\b(?:from|import)[ (]'(\.[^']+)'/g),
  ].map(([, path = '']) => posix.join(posix.dirname(file), path));

const prefixes = Object.keys(folders).sort((a, b) => b.length - a.length);
const folderOf = (file: string): string | undefined =>
  folders[prefixes.find((prefix) => file.startsWith(prefix)) ?? ''];

const isWithin = (folder: string, parent: string): boolean =>
  folder === parent || folder.startsWith(`${parent}/`);

const mayImport = (from: string, to: string): boolean => {
  const rules = allowed[from] ?? allowed[from.split('/')[0] ?? ''] ?? [];
  return rules.includes('*') || isWithin(to, from) || rules.some((rule) => isWithin(to, rule));
};

/** `folder -> file` for each import that the rules do not allow. */
const violations = (): readonly string[] => {
  const found = files.flatMap((file) => {
    const from = folderOf(file) ?? '';
    const isWrong = (path: string) =>
      path.endsWith('.ts') &&
      (isTest(path) || path.startsWith('test/') || !mayImport(from, folderOf(path) ?? ''));
    return importsOf(file)
      .filter(isWrong)
      .map((path) => `${from} -> ${path}`);
  });
  return [...new Set(found)].toSorted();
};

const page = readFileSync(posix.join(packageRoot(), 'docs/architecture.md'), 'utf8');

test('docs/architecture.md -> names files and folders that exist', () => {
  const named = [...page.matchAll(/`((?:src|suites|spec|test)\/[\w./-]*)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(posix.join(packageRoot(), path)))).toEqual([]);
});

test('docs/architecture.md -> has the rules of imports', () => {
  const table = page.slice(page.indexOf('## Who may import what'));
  const rows = [...table.matchAll(/^\| ([\w/-]+) +\| ([^|]+?) +\|$/gm)].map(([, folder, names]) => [
    folder,
    names,
  ]);
  const wanted = Object.entries(allowed).map(([folder, names]) => [
    folder,
    names.includes('*') ? 'everything' : names.join(', ') || 'nothing',
  ]);
  expect(rows.filter(([folder]) => folder !== 'folder' && !folder?.startsWith('-'))).toEqual(wanted);
});

test('every source file belongs to a folder with import rules', () => {
  expect(files.filter((file) => folderOf(file) === undefined)).toEqual([]);
});

test('imports follow the rules', () => {
  expect(violations()).toEqual([]);
});
