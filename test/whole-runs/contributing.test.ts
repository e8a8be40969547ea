import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../src/openapi/package-root.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type ProcessEnd, start } from '../support/processes.ts';

/** A copy of the project, with the same packages. */
const copy = temporaryFolder();
for (const part of ['bin', 'scripts', 'spec', 'src', 'suites', 'package.json'])
  cpSync(join(packageRoot(), part), join(copy, part), { recursive: true });
for (const part of ['biome.json', '.gitignore']) cpSync(join(packageRoot(), part), join(copy, part));
symlinkSync(join(packageRoot(), 'node_modules'), join(copy, 'node_modules'));

const node = (...words: readonly string[]): Promise<ProcessEnd> =>
  start(process.execPath, words, {}, copy).ended;
const create = (...words: readonly string[]) => node('scripts/new.ts', ...words);
const selftest = (...words: readonly string[]) =>
  node('bin/animal-store-conformance.js', 'selftest', ...words);

const page = readFileSync(join(packageRoot(), 'CONTRIBUTING.md'), 'utf8');

/** The words of the commands that start the example. */
const commands = [...page.matchAll(/^ {4}npm run new -- (.*)$/gm)].map(([, words = '']) =>
  (words.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', '')),
);

/** The blocks of the example: a row, a check, a kind of problem, faults, a dialect. */
const [row = '', check = '', kind = '', faults = '', dialect = ''] = [
  ...page.matchAll(/```(?:yaml|ts)\n([\s\S]*?)```/g),
].map(([, block = '']) => block);

const fill = (file: string, ...changes: readonly (readonly [RegExp, string])[]): void => {
  const path = join(copy, file);
  const before = readFileSync(path, 'utf8');
  const after = changes.reduce((text, [pattern, by]) => {
    expect(text, file).toMatch(pattern);
    return text.replace(pattern, () => by);
  }, before);
  writeFileSync(path, after);
};

/** Where there is something to do, and how it starts. */
const places = [
  /^spec\/requirements\.yaml:\d+: Name the section/,
  /^src\/reference\/dialects\/lists\.ts:\d+: Describe a choice .* --dialect list-11-varied$/,
  /^src\/reference\/dialects\/lists\.ts:\d+: Describe a choice .* --dialect order-in-a-header$/,
  /^src\/reference\/faults\/list\.ts:\d+: Describe a mistake .* --fault list-11-broken$/,
  /^src\/reference\/faults\/list\.ts:\d+: Describe a mistake .* --fault list-11-broken-rarely$/,
  /^src\/reference\/faults\/list\.ts:\d+: Describe a mistake .* --fault ids-ordered-as-text$/,
  /^suites\/animal-store\/list\.ts:\d+: Choose the end of the id/,
  /^suites\/animal-store\/list\.ts:\d+: List the inputs/,
  /^suites\/animal-store\/list\.ts:\d+: Send requests/,
  /^Then: npm run record, /,
];

test('npm run new: writes parts with their next steps; the example of CONTRIBUTING fills them in', async () => {
  expect(commands).toHaveLength(3);
  for (const words of commands) expect(await create(...words)).toMatchObject({ code: 0, err: '' });
  const steps = (await create()).out.trim().split('\n');
  expect(steps).toHaveLength(places.length);
  for (const [index, place] of places.entries()) expect(steps[index]).toMatch(place);

  const empty = await selftest('--fault', 'list-11-broken', '--fault', 'list-11-broken-rarely');
  expect(empty.code).toBe(1);
  expect(empty.out).toMatch(/list-11-broken\b/);

  fill('spec/requirements.yaml', [/- id: LIST-11\n(?: {2}.*\n)+/, row]);
  fill(
    'suites/animal-store/list.ts',
    [/const list11 = defineCheck\([\s\S]*?\n\}\);\n/, check],
    [/\blist11,/, 'highestIdFirst,'],
    [/import \{ listedPets,/, 'import { idOf, listedPets,'],
  );
  fill('src/finding/kinds/lists.ts', [/\n\};\n$/, `\n${kind}};\n`]);
  fill(
    'src/reference/faults/list.ts',
    [/(?: *\.\.\.family\('LIST-11'[\s\S]*?\n {2}\}\),\n)+/, faults],
    [/compose/, 'replace'],
  );
  fill('src/reference/dialects/lists.ts', [
    /(?: *\.\.\.independent\(\{\n *\/\/ Next[\s\S]*?\n {2}\}\),\n)+/,
    dialect,
  ]);

  const left = await create();
  expect(left.out).toBe('Then: npm run record, and read what it changed\n');
  const full = await selftest(
    ...['--fault', 'lowest-ids-first', '--fault', 'ids-ordered-as-text', '--dialect', 'order-in-a-header'],
  );
  expect(full, full.out).toMatchObject({ code: 0, err: '' });
});

test.each([
  [['requirement', 'LIST-3', 'MUST', 'A list.'], 'LIST-3 exists. Write the next number'],
  [['requirement', 'ZOO-1', 'MUST', 'A list.'], '"ZOO-1" is not the id of a requirement on servers. Write'],
  [['requirement', 'LIST-12', 'MAY', 'A list.'], '"MAY" is not a level. Write MUST, SHOULD, or OPEN'],
  [['requirement', 'LIST-12', 'MUST'], 'The statement is missing. Write'],
  [['fault', 'limit-ignored', 'LIST-3'], 'limit-ignored exists. Choose another name'],
  [['dialect', 'pages-of-nine'], 'npm run new -- dialect pages-of-nine LIST-3'],
  [['check', 'x'], '"check" cannot be written. Write requirement, fault, or dialect'],
])('npm run new -- %j -> refused, with what to write', async (words, text) => {
  const { code, out, err } = await create(...words);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(err).toContain(`error: ${text}`.replace('error: npm', 'npm'));
});
