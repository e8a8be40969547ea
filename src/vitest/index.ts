/** The suite as tests of Vitest, 4 or newer: one test for each requirement. */
import { afterAll, describe, type SuiteCollector, type TestContext, test, vi } from 'vitest';
import { problemsOfNames } from '../api/settings.ts';
import { readExtra } from '../check/own-checks.ts';
import { problemOfId, selected } from '../config/selection.ts';
import { loadCatalogue } from '../openapi/catalogue.ts';
import { groupOf, type Requirement } from '../openapi/requirement.ts';
import { titleOfGroup } from '../report/text/shown-verdicts.ts';
import { testProblems } from '../report/text/vitest.ts';
import { type Engine, startEngine } from './engine.ts';
import { errorAt } from './failure.ts';
import { reportResult } from './report.ts';
import type { ConformanceSettings } from './settings.ts';

export type { PlanName } from '../api/settings.ts';
export * from '../check/index.ts';
export type { ConformanceSettings, StartedServer } from './settings.ts';

/** What the tests of one call share. */
interface Call {
  readonly settings: ConformanceSettings;
  readonly requirements: readonly Requirement[];
  readonly frame: string;
  readonly suites: SuiteCollector[];
  readonly controller: AbortController;
  engine: Engine | null;
}

type Task = SuiteCollector['file']['tasks'][number];

const leavesOf = (tasks: readonly Task[]): readonly Task[] =>
  tasks.flatMap((task) => ('tasks' in task ? leavesOf(task.tasks) : [task]));

const idOf = ({ name }: Pick<Task, 'name'>): string => name.split(' ')[0] ?? '';

/** The requirements of the tests of this call that will run. Vitest has already applied filters, `only`, and `skip`. */
const selectedIds = ({ suites }: Call, context: TestContext): readonly string[] => {
  const testsOfCall = new Set<unknown>(suites.flatMap(({ tasks }) => tasks));
  return leavesOf(context.task.file.tasks)
    .filter((task) => testsOfCall.has(task) && (task.mode === 'run' || task.mode === 'queued'))
    .map(idOf);
};

/** The engine of a call; the first test starts it. */
const engineOf = (call: Call, context: TestContext): Engine => {
  if (call.engine !== null) return call.engine;
  const registered = new Set(call.requirements.map(({ id }) => id));
  const ids = selectedIds(call, context);
  const isWhole = ids.length === registered.size;
  call.engine = startEngine(call.settings, { ids, isWhole, registered, signal: call.controller.signal });
  return call.engine;
};

const testRequirement = async (call: Call, id: string, context: TestContext): Promise<void> => {
  const { frame } = call;
  if (vi.isFakeTimers()) throw errorAt(testProblems.fakeTimers, frame);
  context.signal.addEventListener('abort', () => call.controller.abort(), { once: true });
  const decision = await engineOf(call, context)
    .decisionOn(id)
    .catch((error: unknown) => {
      throw errorAt(error instanceof Error ? error.message : String(error), frame);
    });
  await reportResult(context, decision, { frame, file: context.task.file.name });
};

const problemsOfIds = ({ only = [], skip = [] }: ConformanceSettings, requirements: readonly Requirement[]) =>
  Object.entries({ only, skip }).flatMap(([name, words]) =>
    words
      .map((word) => problemOfId(word, requirements, { groups: true }))
      .flatMap((problem) => (problem === null ? [] : [`${name}: ${problem}`])),
  );

/** The requirements that get a test. Throws if a setting is wrong. */
const requirementsFor = ({ start: _, ...settings }: ConformanceSettings): readonly Requirement[] => {
  const { requirements = [], checks = [], only = [], spec = null } = settings;
  const catalogue = loadCatalogue(spec);
  const own = readExtra([...requirements, ...checks], catalogue);
  const all = own.ok ? [...catalogue, ...own.extra.requirements] : catalogue;
  const problems = [...problemsOfNames(settings), ...(own.ok ? problemsOfIds(settings, all) : own.problems)];
  if (problems.length > 0) throw new Error(testProblems.settings(problems));
  return selected(all, { only, skip: [] });
};

/** The first line of the stack below `conformance`. */
const frameOfCaller = (): string => {
  const holder = { stack: '' };
  Error.captureStackTrace(holder, conformance);
  return holder.stack.split('\n')[1] ?? '';
};

/**
 * Defines a test for each requirement, in a `describe` for each group. The server is tested once, by the tests that are selected: a
 * filter such as `-t 'LIST-3 '` sends only what LIST-3 needs. Each test ends as soon as its requirement is decided.
 *
 * @example
 * conformance({
 *   start: async () => {
 *     const server = await startMyServer();
 *     return { baseUrl: `${server.url}/v1`, apiKey: 'my-key', stop: () => server.close() };
 *   },
 *   plan: 'pro',
 *   skip: ['RATE-4'],
 * });
 *
 * @throws Error while tests are collected, if a setting does not exist or an own check is not usable.
 */
export const conformance = (settings: ConformanceSettings = {}): void => {
  const call: Call = {
    settings,
    requirements: requirementsFor(settings),
    frame: frameOfCaller(),
    suites: [],
    controller: new AbortController(),
    engine: null,
  };
  // All tests wait for the same run: a limit on concurrent tests would delay it.
  vi.setConfig({ maxConcurrency: 1000 });
  for (const [group, members] of Map.groupBy(call.requirements, ({ id }) => groupOf(id))) {
    call.suites.push(
      describe.concurrent(`${group} ${titleOfGroup(group)}`, () => {
        for (const { id, statement } of members)
          test(`${id} ${statement}`, { timeout: 0, retry: 0 }, (context) =>
            testRequirement(call, id, context),
          );
      }),
    );
  }
  afterAll(async () => {
    const unreportedFailures = (await call.engine?.finished) ?? null;
    if (unreportedFailures !== null) throw errorAt(unreportedFailures, call.frame);
  }, 0);
};
