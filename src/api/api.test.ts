import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/folder.ts';
import { nameOf, settingList } from '../config/table.ts';
import {
  createPet,
  defineCheck,
  defineRequirement,
  fc,
  InvalidSettings,
  listPets,
  run,
  smoke,
  startReferenceServer,
} from './index.ts';
import type { Settings } from './settings.ts';

const folder = temporaryFolder();

/** Every setting once, so that a missing or an unknown name does not compile. */
const everySetting: { readonly [Name in keyof Required<Settings>]: true } = {
  baseUrl: true,
  reference: true,
  apiKey: true,
  rateLimitKey: true,
  clientCert: true,
  clientKey: true,
  exhaustDaily: true,
  allowBan: true,
  header: true,
  plan: true,
  rateLimitPlan: true,
  sharedKey: true,
  categoryId: true,
  readOnly: true,
  maxCreates: true,
  maxWait: true,
  budget: true,
  runs: true,
  seed: true,
  only: true,
  skip: true,
  path: true,
  spec: true,
  timeout: true,
  maxBody: true,
  concurrency: true,
  risky: true,
  now: true,
  strict: true,
  operation: true,
  skipOperation: true,
  strictRequests: true,
  strictStatuses: true,
  knownFailures: true,
  shard: true,
  reportDir: true,
  waitForTarget: true,
  keepSecrets: true,
  allowAnyPath: true,
  checks: true,
  requirements: true,
};

const verdictOf = ({ report }: Awaited<ReturnType<typeof run>>, id: string) =>
  report.requirements.find((requirement) => requirement.id === id)?.verdict;

const problemsOf = async (settings: object): Promise<readonly string[]> => {
  const error = await run(settings as Settings).catch((thrown: unknown) => thrown);
  return error instanceof InvalidSettings ? error.problems : [];
};

const sorted = defineRequirement({ id: 'ACME-1', statement: 'GET /pets is sorted by id' });

/** Fails on every server. */
const backwards = defineCheck({
  requirement: 'ACME-1',
  title: 'GET /pets is never empty',
  arbitrary: ({ page }) => fc.integer({ min: page.minimum, max: page.maximum }),
  share: 0.1,
  run: async (limit, context) => {
    const response = await context.send(listPets({ limit }));
    const { length } = Array.isArray(response.json) ? response.json : [];
    if (limit < 2) return context.passed();
    const message = `GET /pets with limit=${limit}: expected none, got ${length}`;
    context.breach({ response, message, expected: '0', actual: `${length}`, rule: 'not-empty' });
  },
});

const own = (...checks: Settings['checks'] & object) => ({
  reference: true,
  seed: 1,
  only: ['ACME'],
  requirements: [sorted],
  checks,
});

test('settings -> the names of the configuration file, and requirements', () => {
  const names = settingList
    .map(([, { flag }]) => nameOf(flag))
    .filter((name) => !['verbose', 'workers'].includes(name));
  expect(Object.keys(everySetting).toSorted()).toEqual([...names, 'requirements'].toSorted());
});

test('run: a server with a fault -> 1, and the report', async () => {
  const server = await startReferenceServer({ faults: ['no-default-limit'], apiKey: 'my-very-own-key' });
  const { baseUrl, apiKey, plan } = server;
  const reportDir = join(folder, 'reports');
  const ended = await run({ baseUrl, apiKey, plan, seed: 1, only: ['LIST-2', 'VER-1'], reportDir });
  await server.stop();
  expect([ended.exitCode, verdictOf(ended, 'LIST-2'), verdictOf(ended, 'VER-1')]).toEqual([
    1,
    'failed',
    'passed',
  ]);
  expect(JSON.stringify(ended.report)).not.toContain(apiKey);
  expect(JSON.parse(readFileSync(join(reportDir, 'conformance.json'), 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(ended.report)),
  );
});

test('run: no reportDir -> no reports', async () => {
  await run({ reference: true, only: ['VER-1'] });
  expect(existsSync(join(folder, 'conformance.json'))).toBe(false);
});

test('run: a server that is down -> 3', async () => {
  const { exitCode, report } = await run({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'k', only: ['LIST'] });
  expect([exitCode, report.verdict]).toEqual([3, 'not-judged']);
});

test('run: aborted -> 130', async () => {
  const { exitCode } = await run({ reference: true }, { signal: AbortSignal.abort() });
  expect(exitCode).toBe(130);
});

test.each<[string, object, RegExp]>([
  [
    'an unknown name',
    { reference: true, maxCreate: 3 },
    /^"maxCreate" is not a setting: did you mean maxCreates\?$/,
  ],
  ['a bad value', { reference: true, runs: -1 }, /^--runs: "-1" is not/],
  ['no server', { only: ['VER-1'] }, /^baseUrl is missing/],
  ['a key in the message', { reference: true, apiKey: 'canary key' }, /^--api-key: (?!.*canary)/],
  ['a path without a case', { reference: true, only: ['LIST-2'], seed: 1, path: '9999' }, /9999/],
  [
    'a file that is missing',
    { ...own(), checks: ['nowhere.ts'] },
    /^--checks nowhere\.ts: Cannot find module/,
  ],
  [
    'an id that is taken',
    { ...own(backwards), requirements: [sorted, { ...sorted }] },
    /^ACME-1: the id is already in use$/,
  ],
  [
    'a prefix that is taken',
    { ...own(backwards), requirements: [sorted, { ...sorted, id: 'LIST-99' }] },
    /^LIST-99: the prefix LIST is taken/,
  ],
  [
    'a check of an undefined requirement',
    { ...own(backwards), requirements: [] },
    /^ACME-1: a check tests it, but/,
  ],
  ['a requirement without a check', own(), /^ACME-1: no check tests it$/],
  ['a value that is not a check', own({ requirement: 'ACME-1' } as never), /not made by defineCheck/],
  [
    'another API',
    {
      ...own(backwards),
      only: [],
      spec: 'spec/openapi.yaml',
      baseUrl: 'http://127.0.0.1:9/v1',
      apiKey: 'k',
      reference: undefined,
    },
    /Drop --checks or --spec$/,
  ],
])('run: %s -> a problem, before anything is sent', async (_, settings, problem) => {
  expect((await problemsOf(settings))[0]).toMatch(problem);
});

test('own check: a failure -> a minimal case with curl, replay, and code; no other requests', async () => {
  const { exitCode, report } = await run(own(backwards));
  const { verdict, failures } = report.requirements.find(({ id }) => id === 'ACME-1') ?? { failures: [] };
  expect([exitCode, verdict]).toEqual([1, 'failed']);
  expect(failures[0]).toMatchObject({
    rule: 'not-empty',
    expected: '0',
    check: 'ACME-1 GET /pets is never empty',
    tries: 3,
  });
  expect(failures[0]?.message).toContain('limit=2:');
  expect(failures[0]?.replay).toMatch(/--only ACME-1 --seed 1 --path \d/);
  expect(report.requirements.filter(({ verdict }) => verdict !== 'skipped').map(({ id }) => id)).toEqual([
    'ACME-1',
  ]);
  expect(Object.keys(report.traffic.byOperation)).not.toContain('createPet');
});

test.each<[string, Parameters<typeof defineCheck>[0]['run'], string, number]>([
  [
    'that throws -> error, never a failure',
    async () => {
      throw new Error('oops');
    },
    'error',
    4,
  ],
  [
    'with a breach of a requirement that it does not cover -> error',
    async (_, context) => {
      const response = await context.send(listPets());
      context.breach({ response, requirement: 'LIST-2', message: '', expected: '', actual: '' });
    },
    'error',
    4,
  ],
  ['that records nothing -> skipped', async (_, { send }) => void (await send(listPets())), 'skipped', 3],
  [
    'without a clear result -> inconclusive',
    async (_, context) => context.inconclusive('Needs more'),
    'inconclusive',
    3,
  ],
  [
    'that creates -> passed',
    async (_, { run, send, uniqueName, passed }) => {
      const [category] = run.categories;
      const made = await send(createPet({ name: uniqueName(), categoryId: category?.id ?? 1 }));
      if (made.status === 201) passed();
    },
    'passed',
    0,
  ],
  [
    'with an unexpected status -> failed',
    async (_, context) => {
      const expects = [{ requirement: 'ACME-1', statuses: [418], because: 'this is a teapot' }];
      await context.send(listPets({ expects }));
    },
    'failed',
    1,
  ],
])('own check %s', async (_, runCheck, verdict, exitCode) => {
  const ended = await run(own(defineCheck({ requirement: 'ACME-1', title: 'GET /pets', run: runCheck })));
  expect([verdictOf(ended, 'ACME-1'), ended.exitCode]).toEqual([verdict, exitCode]);
});

test.each([
  ['two cases -> the second one decides', [1, 2], 'passed'],
  ['one case -> it skips itself, so inconclusive', [smoke(1)], 'inconclusive'],
])('own check with a value that its cases share, %s', async (_, inputs, verdict) => {
  const counts = defineCheck<number>({
    requirement: 'ACME-1',
    title: 'cases are counted',
    inputs: () => inputs,
    run: async (_input, context) => {
      const cases = context.state('cases', () => ({ count: 0 }));
      cases.count += 1;
      if (cases.count < 2) context.skipCase('Needs a second case');
      context.passed();
    },
  });
  expect(verdictOf(await run(own(counts)), 'ACME-1')).toBe(verdict);
});

test.each([
  ['no id', () => defineRequirement({ id: '', statement: 's' })],
  ['an id in small letters', () => defineRequirement({ id: 'acme-1', statement: 's' })],
  ['no statement', () => defineRequirement({ id: 'ACME-1', statement: ' ' })],
  ['no title', () => defineCheck({ requirement: 'ACME-1', title: '', run: async () => {} })],
  ['no requirement', () => defineCheck({ requirement: '', title: 't', run: async () => {} })],
])('a definition with %s -> throws', (_, define) => expect(define).toThrow(/^define(Requirement|Check): /));
