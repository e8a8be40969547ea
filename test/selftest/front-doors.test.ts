import { beforeAll, expect, test } from 'vitest';
import {
  type ReferenceServerOptions,
  type Report,
  run as runSuite,
  startReferenceServer,
} from '../../src/api/index.ts';
import { dialects } from '../../src/reference/dialects/index.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { hashOf } from '../../src/util/hash.ts';
import { createProject, moduleOf, type VitestRun } from '../support/vitest.ts';

/** The first items by the hash of their names. */
const drawn = (all: readonly { readonly name: string }[], count: number): readonly string[] =>
  all
    .map(({ name }) => name)
    .toSorted((a, b) => hashOf(a) - hashOf(b))
    .slice(0, count);

/** Without faults of rate limits, which take real minutes, and of concurrency, which depend on overlapping requests. */
const steady = faults.filter(
  ({ name, requirement }) => !requirement.startsWith('RATE') && !name.includes('concurrent'),
);

const servers: ReadonlyMap<string, ReferenceServerOptions> = new Map<string, ReferenceServerOptions>([
  ['reference', {}],
  ...drawn(steady, 5).map((name) => [`fault-${name}`, { faults: [name] }] as const),
  ...drawn(dialects, 2).map((name) => [`dialect-${name}`, { dialects: [name] }] as const),
]);

const settings = { seed: 1, runs: 2, timeout: 2_000 } as const;
const plan = 'enterprise';
const project = createProject();
let ended: VitestRun;
const reports = new Map<string, Report>();

const runAt = async (options: ReferenceServerOptions): Promise<Report> => {
  const server = await startReferenceServer({ ...options, plan });
  const { baseUrl, apiKey } = server;
  const { report } = await runSuite({ baseUrl, apiKey, plan, ...settings });
  await server.stop();
  return report;
};

const runAll = async (): Promise<void> => {
  for (const [name, options] of servers) reports.set(name, await runAt(options));
};

beforeAll(async () => {
  for (const [name, options] of servers) {
    project.write(
      `${name}.test.ts`,
      `import { startReferenceServer } from '${moduleOf('src/api/index.ts')}';
import { conformance } from '${moduleOf('src/vitest/index.ts')}';
conformance({ start: () => startReferenceServer(${JSON.stringify({ ...options, plan })}), ...${JSON.stringify(settings)} });
`,
    );
  }
  [ended] = await Promise.all([project.run(['--no-isolate', '--maxWorkers=1']), runAll()]);
});

test.each([...servers.keys()])('%s: conformance and run -> the same verdicts', (name) => {
  const { requirements = [] } = reports.get(name) ?? {};
  const tests = ended.tests.filter(({ file }) => file === `${name}.test.ts`);
  expect(Object.fromEntries(tests.map(({ conformance }) => [conformance?.id, conformance?.verdict]))).toEqual(
    Object.fromEntries(requirements.map(({ id, verdict }) => [id, verdict])),
  );
  const hasFailed = requirements.some(({ verdict }) => ['failed', 'error'].includes(verdict));
  expect(tests.some(({ status }) => status === 'failed')).toBe(hasFailed);
});
