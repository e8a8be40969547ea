import { existsSync, globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/openapi/package-root.ts';
import { lineAt } from './line-at.ts';
import { allowed, folders } from './rules.ts';

const isTest = (file: string): boolean => /(\.test|testing)\.ts$/.test(file);
const files = globSync('{src,suites}/**/*.ts', { cwd: packageRoot() }).filter((file) => !isTest(file));

/** The relative paths in `import … from`, `export … from` and `import()`, with their lines. */
const importsOf = (file: string): readonly { readonly path: string; readonly line: number }[] => {
  const text = readFileSync(posix.join(packageRoot(), file), 'utf8');
  return [...text.matchAll(/\b(?:from|import)[ (]'(\.[^']+)'/g)].map(({ 1: path = '', index }) => ({
    path: posix.join(posix.dirname(file), path),
    line: lineAt(text, index),
  }));
};

const prefixes = Object.keys(folders).sort((a, b) => b.length - a.length);
const folderOf = (file: string): string | undefined =>
  folders[prefixes.find((prefix) => file.startsWith(prefix)) ?? ''];

const isWithin = (folder: string, parent: string): boolean =>
  folder === parent || folder.startsWith(`${parent}/`);

const rulesFor = (from: string): readonly string[] =>
  allowed[from] ?? allowed[from.split('/')[0] ?? ''] ?? [];

const mayImport = (from: string, to: string): boolean => {
  const rules = rulesFor(from);
  return rules.includes('*') || isWithin(to, from) || rules.some((rule) => isWithin(to, rule));
};

/** Why a file of a folder may not import a path, and what to do; null: it may. */
const objection = (from: string, path: string): string | null => {
  if (isTest(path) || path.startsWith('test/'))
    return 'which is for tests. Move what both need to a file of its own';
  if (!path.endsWith('.ts') || mayImport(from, folderOf(path) ?? '')) return null;
  const names = rulesFor(from).join(', ') || 'nothing';
  return `but ${from} may import only ${names}. Move what both need to one of them, or hand it in as an argument (test/architecture/rules.ts)`;
};

/** A line for each import that the rules do not allow, with its place, the rule, and what to do. */
const violations = (): readonly string[] =>
  files.flatMap((file) =>
    importsOf(file).flatMap(({ path, line }) => {
      const why = objection(folderOf(file) ?? '', path);
      return why === null ? [] : [`${file}:${line}: imports ${path}, ${why}`];
    }),
  );

const page = readFileSync(posix.join(packageRoot(), 'docs/architecture.md'), 'utf8');

test('docs/architecture.md -> names files and folders that exist', () => {
  const named = [...page.matchAll(/`((?:src|suites|spec|test)\/[\w./-]*)`/g)].map(([, path = '']) => path);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(posix.join(packageRoot(), path)))).toEqual([]);
});

test('docs/architecture.md: Where is … -> each file defines what is named beside it', () => {
  const table = page.slice(page.indexOf('## Where is'), page.indexOf('## Types'));
  const rows = [...table.matchAll(/^\| .*\| `(\S+)` +\| `(\S+)` +\|$/gm)];
  expect(rows.length).toBeGreaterThan(10);
  const missing = rows.filter(([, file = '', name = '']) => {
    const source = existsSync(posix.join(packageRoot(), file))
      ? readFileSync(posix.join(packageRoot(), file), 'utf8')
      : '';
    return !new RegExp(`^(?:export )?const ${name}\\b|^ {2}'${name}':`, 'm').test(source);
  });
  expect(missing.map(([row]) => row)).toEqual([]);
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
  const homeless = files.filter((file) => folderOf(file) === undefined);
  expect(homeless, 'Add their folder to folders and allowed in test/architecture/rules.ts').toEqual([]);
});

test('imports follow the rules', () => {
  expect(violations()).toEqual([]);
});
