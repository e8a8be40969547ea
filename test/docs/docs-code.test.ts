import { once } from 'node:events';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../src/openapi/package-root.ts';
import { key, record } from '../support/command.ts';
import { pages, textOf } from '../support/pages.ts';
import { folder, shell } from '../support/processes.ts';

/** Fenced blocks, and indented ones that are no part of a list. */
const blocksOf = (page: string): readonly string[] =>
  [...textOf(page).matchAll(/^```\w*\n([\s\S]*?)^```$|(?<=\n\n)((?:(?: {4}.*)?\n)+)/gm)].flatMap(
    ([, fenced, indented = '']) => {
      const block = fenced ?? indented.replaceAll(/^ {4}/gm, '').trim();
      return block === '' ? [] : [block];
    },
  );

let baseUrl: string;

beforeAll(async () => {
  ({ baseUrl } = await record());
});
/** The command of a page with the address and key of our server, a few requests, and these words in place of others. */
const adapted = (command: string, words: Readonly<Record<string, string>> = {}): string =>
  Object.entries({
    '…': key,
    'http://127.0.0.1:8080/v1': baseUrl,
    'https://todo.example/api': baseUrl,
    ...words,
  }).reduce((result, [word, value]) => result.replaceAll(word, value), command);

/** Starts a command in a folder with these files. */
const startIn = (command: string, files: Readonly<Record<string, string>> = {}) => {
  const cwd = mkdtempSync(join(folder, 'page-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, name), content);
  return shell(command, { ANIMAL_STORE_API_KEY: key, KEY: key, STAGING_URL: baseUrl }, cwd);
};

/** Runs a command to its end, which must have this exit code. */
const runs = async (
  command: string,
  code = 0,
  files: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const ended = await startIn(command, files).ended;
  expect(ended.code, `${command}\n${ended.out}${ended.err}`).toBe(code);
};

const few = ' --budget 40';

const runsWith =
  (added: string, words: Readonly<Record<string, string>> = {}) =>
  (block: string): Promise<void> =>
    runs(adapted(block, words) + added);

const serves = async (block: string): Promise<void> => {
  const { child, ended } = startIn(`exec ${block} --port 0`);
  const [first] = await once(child.stdout, 'data');
  child.kill();
  await ended;
  expect(String(first)).toContain('http://127.0.0.1:');
};

const ciJob = async (block: string): Promise<void> => {
  const [{ run }, upload] = parse(block);
  await runs(`${run.replace('--plan pro', '--plan business')}${few}`);
  expect(upload).toMatchObject({ if: 'always()', with: { path: 'reports/' } });
};

/** The inputs of the action are those that it has. */
const actionJob = (block: string): void => {
  const { inputs } = parse(textOf('action.yml'));
  const { jobs } = parse(block);
  const given = Object.keys(jobs.conformance.steps[0].with);
  expect(given.filter((name) => !(name in inputs))).toEqual([]);
};

/** The command that runs the suite, in a job of a CI system whose environment has the key and the address. */
const runIn = async (block: string, pattern: RegExp): Promise<void> => {
  const [command = ''] = pattern.exec(block) ?? [];
  expect(command).toContain('--max-creates');
  await runs(
    `ANIMAL_STORE_BASE_URL=${baseUrl} ${adapted(command, { 'npx --no-install ': '', '--plan pro': '--plan business' })}${few}`,
  );
};

const shellJob = (block: string): Promise<void> =>
  runs(
    adapted(block, {
      'npm ci\n': '',
      '"$(cat /run/secrets/animal-store-key)"': key,
      'exec npx --no-install ': '',
      '--plan pro': '--plan business',
    }).trimEnd() + few,
  );

/** There is no container here: the words after its image are run without one. */
const containerRun = async (block: string): Promise<void> => {
  const [, words = ''] = /conformance \\\n\s+(run [\s\S]*)$/.exec(block.trim()) ?? [];
  const here = mkdtempSync(join(folder, 'volume-'));
  await runs(
    `animal-store-conformance ${words.replace('/reports', here).replace('--plan pro', '--plan business')}${few}`,
  );
};

const parts = (block: string): Promise<void> =>
  runs(block.replaceAll('--runs 1000', '--runs 2 --only LIST-2 --only LIST-3 --plan business'));

const settingsFile = (block: string): Promise<void> => {
  const settings = { ...parse(block), baseUrl, plan: 'business', categoryId: [1] };
  return runs(`animal-store-conformance run${few}`, 0, {
    'conformance.config.yaml': JSON.stringify(settings),
  });
};

/** The reference server does not have the failure, so that the list is out of date. */
const knownFailures = (block: string): Promise<void> =>
  runs('animal-store-conformance run --reference --known-failures known.yaml --only LIST-2', 1, {
    'known.yaml': block,
  });

/** The commands themselves take too long, or would change this checkout. */
const scriptsExist = (block: string): void => {
  const { scripts } = JSON.parse(textOf('package.json'));
  const named = [...block.matchAll(/npm (?:run )?([\w:-]+)/g)].flatMap(([, name]) => name ?? []);
  expect(named.filter((name) => !['ci', ...Object.keys(scripts)].includes(name))).toEqual([]);
  for (const [path] of block.matchAll(/(?<=^|npx vitest run )(\.ci|src)\/\w+/gm))
    expect(existsSync(join(packageRoot(), path)), path).toBe(true);
};

const foldersExist = (block: string): void => {
  for (const [path] of block.matchAll(/^\S+(?=\/ )/gm))
    expect(existsSync(join(packageRoot(), path)), path).toBe(true);
};

const npmStart = async (block: string): Promise<void> => {
  scriptsExist(block);
  const reports = mkdtempSync(join(folder, 'start-'));
  await runs(`cd '${packageRoot()}' && npm start -- --report-dir '${reports}'${few}`);
};

/** What shows that the code of a block works: it is run here, or by another test, which names its page. */
type Proof = ((block: string) => Promise<void> | void) | { readonly test: string };

const package_ = { test: 'test/vitest/package.test.ts' };
const domains = { test: 'test/domains/command.test.ts' };
const judge = { test: 'test/command/judge.test.ts' };
const matrix = { test: 'test/command/matrix.test.ts' };
const tutorial = { test: 'test/docs/tutorial.test.ts' };
const contributing = { test: 'test/whole-runs/contributing.test.ts' };

/** By the page, and how the block begins. */
const proofs: readonly (readonly [page: string, start: string, proof: Proof])[] = [
  ['README.md', 'npm ci && npm start', npmStart],
  ['README.md', 'export ANIMAL_STORE_API_KEY', runsWith(few)],
  ['README.md', "import { conformance } from 'animal-store-conformance/vitest'", package_],
  ['README.md', '- run: animal-store-conformance', ciJob],
  ['README.md', 'animal-store-conformance domains', domains],
  ['README.md', 'animal-store-conformance judge', judge],
  ['docs/how-to.md', 'animal-store-conformance judge -- npm', judge],
  ['docs/how-to.md', 'animal-store-conformance judge --listen', judge],
  ['docs/how-to.md', 'animal-store-conformance judge --target', judge],
  ['docs/how-to.md', 'animal-store-conformance matrix', matrix],
  ['docs/how-to.md', 'animal-store-conformance claim', matrix],
  ['docs/how-to.md', 'animal-store-conformance domains www.shop.example', domains],
  ['docs/how-to.md', 'animal-store-conformance domains --config', domains],
  ['CONTRIBUTING.md', 'npm ci', scriptsExist],
  ['CONTRIBUTING.md', 'spec/', foldersExist],
  ['CONTRIBUTING.md', 'test/', foldersExist],
  [
    'CONTRIBUTING.md',
    'node bin/animal-store-conformance.js selftest --fault NAME',
    runsWith('', { 'node bin/': `node ${packageRoot()}/bin/`, NAME: 'limit-ignored' }),
  ],
  [
    'CONTRIBUTING.md',
    'node bin/animal-store-conformance.js selftest --dialect NAME',
    runsWith('', { 'node bin/': `node ${packageRoot()}/bin/`, NAME: 'oldest-first' }),
  ],
  ['CONTRIBUTING.md', '- id: LIST-11', contributing],
  ['CONTRIBUTING.md', 'const highestIdFirst', contributing],
  ['CONTRIBUTING.md', "'id-after-lower-id'", contributing],
  ['CONTRIBUTING.md', "...family('LIST-11'", contributing],
  ['CONTRIBUTING.md', '...independent', contributing],
  ['CONTRIBUTING.md', 'npm run new -- requirement', contributing],
  ['docs/how-to.md', 'baseUrl:', settingsFile],
  ['docs/how-to.md', '// store.test.ts', package_],
  ['docs/how-to.md', '// store.node-test.ts', package_],
  ['docs/how-to.md', '// my-checks.ts', package_],
  ['docs/how-to.md', 'animal-store-conformance run --checks my-checks.ts', package_],
  ['docs/how-to.md', '- id: LIST-2', knownFailures],
  [
    'docs/how-to.md',
    'animal-store-conformance run --base-url http://127.0.0.1:8080/v1 --seed 7',
    runsWith(''),
  ],
  ['docs/how-to.md', 'animal-store-conformance serve', serves],
  [
    'docs/how-to.md',
    'animal-store-conformance run --base-url https://todo.example/api',
    runsWith(few, { 'todo.yaml': join(packageRoot(), 'spec/openapi.yaml') }),
  ],
  ['docs/tutorial.md', '', tutorial],
  ['docs/ci.md', 'on:', actionJob],
  ['docs/ci.md', 'conformance:', (block) => runIn(block, /npx --no-install animal-store-conformance run.*/)],
  ['docs/ci.md', 'pipeline {', (block) => runIn(block, /npx --no-install animal-store-conformance run[^']*/)],
  ['docs/ci.md', '#!/bin/sh', shellJob],
  ['docs/ci.md', 'docker run', containerRun],
  ['docs/ci.md', 'animal-store-conformance run --base-url', parts],
  ['docs/explanation.md', 'animal-store-conformance selftest', runsWith(' --fault limit-ignored')],
];

const blocks = pages.flatMap((page) => blocksOf(page).map((block) => ({ page, block })));

const startsWith = (block: string, start: string): boolean => block.startsWith(start);

test('every block of code in the pages -> a test runs it', () => {
  const without = blocks.filter(
    ({ page, block }) => !proofs.some(([of, start]) => of === page && startsWith(block, start)),
  );
  expect(without).toEqual([]);
  for (const [page, start, proof] of proofs) {
    const found = blocks.filter((each) => each.page === page && startsWith(each.block, start));
    expect(found.length, start).toBeGreaterThan(0);
    if (typeof proof === 'object') expect(textOf(proof.test), start).toContain(page);
  }
});

describe('a block of code works', () => {
  const run = proofs.flatMap(([page, start, proof]) =>
    typeof proof === 'object' ? [] : [{ page, start, proof }],
  );
  test.each(run)('$page: $start', async ({ page, start, proof }) => {
    const block = blocks.find((each) => each.page === page && startsWith(each.block, start))?.block ?? '';
    await proof(block);
  });
});
