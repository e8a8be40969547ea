import { beforeAll, describe, expect, test } from 'vitest';
import { run as runSuite } from '../../src/api/index.ts';
import { key, record } from '../support/command.ts';
import { faultNamed } from '../support/faults.ts';
import { createProject, moduleOf, type VitestRun, withStatus } from '../support/vitest.ts';

const project = createProject();

const front = `import { conformance } from '${moduleOf('src/vitest/index.ts')}';`;

/** Runs a project of one file that calls `conformance` with these settings, written as code. */
const runWith = (settings: string, args: readonly string[] = [], before = ''): Promise<VitestRun> => {
  project.write('store.test.ts', `${front}\n${before}\nconformance(${settings});\n`);
  return project.run(['store.test.ts', ...args]);
};

const startAt = (baseUrl: string) =>
  `start: () => ({ baseUrl: '${baseUrl}', apiKey: '${key}', plan: 'business' })`;

const down = startAt('http://127.0.0.1:9/v1');

describe('a server with a fault', () => {
  let ended: VitestRun;
  beforeAll(async () => {
    const server = await record({ patches: [faultNamed('default-limit-one-too-many').patch] });
    ended = await runWith(
      `{ ${startAt(server.baseUrl)}, seed: 1, only: ['LIST', 'RATE', 'VER'], skip: ['RATE-4'] }`,
      ['--reporter=github-actions'],
    );
  });

  test('one test for each requirement of only; each ends as its verdict says', () => {
    const ids = ended.tests.map(({ title }) => title.split(' ')[0]);
    expect(ids).toHaveLength(new Set(ids).size);
    expect(ids.filter((id) => !/^(LIST|RATE|VER)-\d+$/.test(id ?? ''))).toEqual([]);
    expect(ended.code).toBe(1);
    expect(withStatus(ended, 'failed').map(({ conformance }) => conformance?.id)).toEqual(['LIST-2']);
  });

  test('the failure -> the text of run, a diff, a replay for Vitest, and the place of the call', () => {
    const [failed] = withStatus(ended, 'failed');
    expect(failed?.messages[0]).toMatch(
      /✕ LIST-2 \(MUST\).*curl -.*ANIMAL_STORE_SEED=1 npx vitest run store\.test\.ts -t '.*LIST-2 '/s,
    );
    expect(failed?.messages[0]).not.toMatch(/^ +expected /m);
    expect(ended.text).toMatch(/Expected: "at most 20 animals"\s+Received: "\d+ animals"/);
    expect(ended.text).toMatch(/::error file=.*store\.test\.ts,.*line=3/);
  });

  test('a skipped test -> its reason in the terminal, JUnit, and JSON', () => {
    const reason = 'Needs --rate-limit-key';
    expect(ended.text).toContain(`[skipped: ${reason}]`.replace('skipped: ', ''));
    expect(ended.xml).toContain(`value="${reason}"`);
    expect(ended.tests.find(({ title }) => title.startsWith('RATE-5 '))).toMatchObject({
      status: 'skipped',
      conformance: { id: 'RATE-5', verdict: 'skipped', reason },
    });
  });

  test('skip -> a skipped test with the reason', () => {
    const skipped = ended.tests.find(({ title }) => title.startsWith('RATE-4 '));
    expect(skipped).toMatchObject({
      status: 'skipped',
      conformance: { reason: 'Not selected (--only, --skip)' },
    });
  });

  test('observations -> properties in JUnit', () => {
    expect(ended.xml).toMatch(/<property name="observation" value="order: by id/);
  });

  test('no key is shown', () =>
    expect(ended.text + ended.xml + JSON.stringify(ended.tests)).not.toContain(key));
});

test('-t -> sends what run --only sends', async () => {
  const requestsOf = (seen: readonly { readonly method: string; readonly path: string }[]) =>
    seen.map(({ method, path }) => `${method} ${path.replaceAll(/\d{5,}/g, 'ID')}`).toSorted();
  const [filtered, selected] = [await record(), await record()];
  const ended = await runWith(`{ ${startAt(filtered.baseUrl)}, seed: 7 }`, ['-t', 'LIST-3 ']);
  await runSuite({ baseUrl: selected.baseUrl, apiKey: key, plan: 'business', seed: 7, only: ['LIST-3'] });
  expect(withStatus(ended, 'passed').map(({ conformance }) => conformance?.id)).toEqual(['LIST-3']);
  expect(requestsOf(filtered.seen)).toEqual(requestsOf(selected.seen));
});

const fileOf = (name: string): string => `${name.replaceAll(' ', '-')}.test.ts`;

/** Runs a project of a file for each of these settings. */
const runEach = (
  calls: Readonly<Record<string, readonly [settings: string, message: RegExp]>>,
  args: readonly string[] = [],
): Promise<VitestRun> => {
  for (const [name, [settings]] of Object.entries(calls))
    project.write(fileOf(name), `${front}\nconformance(${settings});\n`);
  return project.run([...Object.keys(calls).map(fileOf), '--no-isolate', '--maxWorkers=1', ...args]);
};

describe.each([
  {
    args: [],
    calls: {
      'a server that is down': [`{ ${down} }`, /refused/],
      'start that throws': ["{ start: async () => { throw new Error('no database'); } }", /no database/],
      'another path than v1': ["{ start: () => ({ baseUrl: 'http://127.0.0.1:9', apiKey: 'k' }) }", /VER-1/],
    },
  },
  {
    args: ['-t', 'LIST-3 '],
    calls: {
      'a server that is down, one test': [`{ ${down} }`, /refused/],
      'start that returns nothing': ['{ start: () => ({}) }', /start: it returned no baseUrl/],
      'a bad value': [`{ ${down}, runs: -1 }`, /--runs: "-1" is not/],
    },
  },
] as const)('without a server that can be tested, with $args', ({ args, calls }) => {
  let ended: VitestRun;
  beforeAll(async () => {
    ended = await runEach(calls, args);
  });

  test.each<[string, readonly [string, RegExp]]>(Object.entries(calls))(
    '%s -> every selected test fails with one message',
    (name, [, message]) => {
      const tests = ended.tests.filter(({ file }) => file === fileOf(name));
      const selected = tests.filter(({ status }) => status !== 'skipped' && status !== 'pending');
      expect(ended.code).toBe(1);
      expect(selected.length).toBeGreaterThan(0);
      expect(
        selected.filter(({ status, messages }) => status !== 'failed' || !message.test(messages[0] ?? '')),
      ).toEqual([]);
    },
  );
});

test('settings that are wrong -> throws at collection', async () => {
  const calls = {
    'an unknown setting': [
      `{ ${down}, maxCreate: 1 }`,
      /"maxCreate" is not a setting: did you mean maxCreates\?/,
    ],
    'an unknown requirement': [`{ ${down}, skip: ['CREAT-9'] }`, /skip: unknown requirement "CREAT-9"/],
    'what is no check': [`{ ${down}, checks: [{}] }`, /not made by defineCheck/],
  } as const;
  const ended = await runEach(calls);
  expect([ended.code, ended.tests]).toEqual([1, []]);
  for (const [, message] of Object.values(calls)) expect(ended.text).toMatch(message);
});

test('fake timers -> refused', async () => {
  const before = `import { vi } from '${moduleOf('node_modules/vitest/dist/index.js')}'; vi.useFakeTimers();`;
  const ended = await runWith(`{ ${down} }`, ['-t', 'LIST-3 '], before);
  expect(withStatus(ended, 'failed')[0]?.messages[0]).toContain('vi.useRealTimers()');
});

test('a server that goes down -> red, although no selected requirement failed', async () => {
  const server = await record({
    before: async (count) => {
      if (count > 30) void server.close();
      return undefined;
    },
  });
  const ended = await runWith(`{ ${startAt(server.baseUrl)}, seed: 1 }`, ['-t', 'LIST-3 ']);
  expect(ended.code).toBe(1);
});

test('--bail 1 -> ends the run, and awaits stop', async () => {
  const server = await record({ patches: [faultNamed('orders-not-found').patch] });
  const ended = await runWith(
    `{ start: () => ({ baseUrl: '${server.baseUrl}', apiKey: '${key}', stop: () => fetch('${server.baseUrl}/stopped') }), seed: 1 }`,
    ['--bail', '1'],
  );
  expect(ended.code).toBe(1);
  expect(server.seen.at(-1)?.path).toBe('/v1/stopped');
  expect(server.seen.length).toBeLessThan(700);
});

test('requireAssertions, own checks, known failures -> as documented', async () => {
  const server = await record({ patches: [faultNamed('no-default-limit').patch] });
  project.write('known.yaml', '- id: LIST-2\n  reason: until March\n- id: VER-1\n  reason: never\n');
  project.write(
    'strict.config.js',
    'export default { test: { expect: { requireAssertions: true }, retry: 2 } };',
  );
  const own = `
import { defineCheck, defineRequirement, listPets } from '${moduleOf('src/vitest/index.ts')}';
const never = defineRequirement({ id: 'ACME-1', statement: 'GET /pets is a teapot' });
const check = defineCheck({ requirement: 'ACME-1', title: 'GET /pets', run: async (_, context) => {
  const response = await context.send(listPets());
  context.breach({ response, message: 'GET /pets: expected 418', expected: '418', actual: String(response.status) });
} });`;
  const ended = await runWith(
    `{ ${startAt(server.baseUrl)}, only: ['LIST-1', 'LIST-2', 'VER', 'ACME'], requirements: [never], checks: [check], knownFailures: 'known.yaml' }`,
    ['--config', 'strict.config.js'],
    own,
  );
  const statuses = Object.fromEntries(ended.tests.map(({ title, status }) => [title.split(' ')[0], status]));
  expect(statuses).toEqual({
    'LIST-1': 'passed',
    'LIST-2': 'skipped',
    'VER-1': 'failed',
    'ACME-1': 'failed',
  });
  expect(ended.xml).toContain('known failure: until March');
  expect(ended.text).toContain('VER-1 is listed as a known failure but passes now');
});
