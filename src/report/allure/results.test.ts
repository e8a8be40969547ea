import { expect, test } from 'vitest';
import { brokenOutcome, outcomeOf } from '../testing.ts';
import { allureResults, isAllureResult } from './results.ts';

const filesOf = (outcome = brokenOutcome(), env = {}) =>
  new Map(allureResults(outcome, env).map(({ name, content }) => [name, String(content)]));

const testsOf = (files: ReadonlyMap<string, string>) =>
  [...files].filter(([name]) => name.endsWith('-result.json')).map(([, content]) => JSON.parse(content));

const testOf = (id: string, files = filesOf()) =>
  testsOf(files).find(({ name }) => name.startsWith(`${id} `));

test('each requirement is a test with the status that its verdict asks for', () => {
  expect(testsOf(filesOf())).toHaveLength(brokenOutcome().requirements.length);
  const status = (id: string) => testOf(id).status;
  expect(
    ['CREATE-9', 'RATE-6', 'LIST-6', 'LIST-2', 'RATE-5', 'AUTH-6', 'ERR-3', 'GEN-1'].map(status),
  ).toEqual(['failed', 'broken', 'skipped', 'skipped', 'skipped', 'passed', 'passed', 'passed']);
});

test('history hangs on the requirement alone, a result on its run', () => {
  const later = { ...outcomeOf(), startedAt: '2026-02-01T00:00:00.000Z', seed: 7 };
  const [before, after] = [testOf('GEN-1', filesOf(outcomeOf())), testOf('GEN-1', filesOf(later))];
  expect(after.historyId).toBe(before.historyId);
  expect(after.uuid).not.toBe(before.uuid);
  expect(testOf('GEN-1', filesOf(outcomeOf())).uuid).toBe(before.uuid);
  const ids = testsOf(filesOf()).map(({ historyId }) => historyId);
  expect(new Set(ids).size).toBe(ids.length);
});

test('every attachment that a step names is there', () => {
  const files = filesOf();
  const sources = testsOf(files).flatMap(({ steps }) =>
    steps.flatMap(({ attachments }: { attachments: readonly { source: string }[] }) =>
      attachments.map(({ source }) => source),
    ),
  );
  expect(sources.length).toBeGreaterThan(0);
  for (const source of sources) expect(files.get(source)).toBeTruthy();
  expect([...files.keys()].filter((name) => name.endsWith('.txt')).sort()).toEqual(sources.toSorted());
});

test('each message that did not pass falls into one of the categories', () => {
  const files = filesOf();
  const categories: readonly { name: string; messageRegex?: string; matchedStatuses: readonly string[] }[] =
    JSON.parse(files.get('categories.json') ?? '');
  const categoryOf = (id: string) => {
    const { status, statusDetails } = testOf(id, files);
    return categories.find(({ messageRegex = '[\\s\\S]*', matchedStatuses }) => {
      const pattern = new RegExp(`^(?:${messageRegex})$`);
      return matchedStatuses.includes(status) && pattern.test(statusDetails.message ?? '');
    })?.name;
  };
  expect(['CREATE-9', 'RATE-6', 'LIST-6', 'LIST-2', 'RATE-5', 'GEN-1'].map(categoryOf)).toEqual([
    'Breaches of the interface document',
    'Faults of the suite itself',
    'Known failures',
    'Not decided',
    'Not tried',
    undefined,
  ]);
});

test('the environment is a properties file in ASCII', () => {
  const target = { baseUrl: 'http://höst\\x\n/v1' };
  const text = filesOf(outcomeOf({ target })).get('environment.properties');
  expect(text).toContain('Target = http://h\\u00f6st\\\\x\\n/v1\n');
  expect(text).toContain('Seed = 42\n');
});

test('the executor is the CI job where there is one', () => {
  const env = {
    GITHUB_SERVER_URL: 'https://github.example',
    GITHUB_REPOSITORY: 'a/b',
    GITHUB_RUN_ID: '7',
    GITHUB_RUN_NUMBER: '3',
  };
  expect(JSON.parse(filesOf(outcomeOf(), env).get('executor.json') ?? '')).toMatchObject({
    type: 'github',
    buildUrl: 'https://github.example/a/b/actions/runs/7',
  });
  expect(JSON.parse(filesOf(outcomeOf()).get('executor.json') ?? '')).toMatchObject({ type: 'local' });
});

test('nothing invisible that a target wrote gets into a result', () => {
  for (const content of filesOf().values()) {
    expect(content.replaceAll(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
  }
});

test('only what is written here counts as ours', () => {
  const names = [...filesOf().keys()];
  expect(names.filter((name) => !isAllureResult(name)).sort()).toEqual([
    'categories.json',
    'environment.properties',
    'executor.json',
  ]);
  expect(isAllureResult('notes.txt')).toBe(false);
});
