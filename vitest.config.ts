import { enableCompileCache } from 'node:module';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { allureFor } from './test/conformance/allure.ts';

// As the command does: Node need not compile the sources again. Threads look for the folder in the environment.
const { directory } = enableCompileCache();
if (directory !== undefined) process.env.NODE_COMPILE_CACHE = directory;

/** Files of one long test, or of many: they start first, so that no core waits for one of them at the end. */
const longest = [
  'test/selftest/selftest.test.ts',
  'test/hostile/hostile.test.ts',
  'test/whole-runs/golden.test.ts',
  'test/selftest/sockets.test.ts',
  'test/frameworks/frameworks.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId, project }: TestSpecification): number => {
      const at = longest.findIndex((file) => moduleId.endsWith(file));
      return at >= 0 ? at : longest.length + (project.name === 'modules' ? 1 : 0);
    };
    return (await super.sort(files)).toSorted(
      (a, b) =>
        a.project.config.sequence.groupOrder - b.project.config.sequence.groupOrder || place(a) - place(b),
    );
  }
}

/** They mock modules, or read the state of the process: each file needs a process of its own. */
const isolated = ['src/api/*.test.ts', 'src/cli/*.test.ts'];

/** They start no process and mock nothing: files can share the modules that all of them load. */
const sharing = ['verdicts', 'documents', 'golden'].map((folder) => `test/${folder}/**/*.test.ts`);

/** Many tests wait for a rate limit: more workers than cores. */
const maxWorkers = availableParallelism() + 1;

/** Only for what hangs: machines may be busy. */
const patienceMs = 900_000;

const own = { testTimeout: patienceMs, hookTimeout: patienceMs, setupFiles: ['test/setup.ts'], maxWorkers };

/** The tests of folders of `test/`, run alone if no other project has its `place` in the order of projects. */
const projectOf = (name: string, folders: readonly string[], place = 0) => ({
  test: {
    ...own,
    name,
    include: folders.map((folder) => `test/${folder}/**/*.test.ts`),
    sequence: { groupOrder: place },
  },
});

/** Minutes of processor time: every fault and dialect, other frameworks, Vitest, whole runs on many servers. */
const thorough = ['selftest', 'frameworks', 'vitest', 'rate-limits', 'whole-runs'];

/** They measure time, or wait for limits of time: they run alone. */
const timed = ['timed', 'hostile', 'domains'];

/** They need a program that npm does not install, or a registry. */
const withPrograms = ['curl', 'browser', 'gateways', 'name-servers', 'languages'];

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    reporters: [
      'default',
      ...(process.env.GITHUB_ACTIONS === 'true' ? ['github-actions'] : []),
      allureFor('conformance', 'reports/allure-results'),
    ],
    projects: [
      {
        test: {
          ...own,
          name: 'unit',
          include: ['test/**/*.test.ts', ...isolated],
          exclude: [
            ...sharing,
            ...[...thorough, ...withPrograms, ...timed, 'nodes', 'installs', 'conformance'].map(
              (folder) => `test/${folder}/**`,
            ),
          ],
        },
      },
      {
        test: {
          ...own,
          name: 'modules',
          include: ['{src,suites}/**/*.test.ts', ...sharing],
          exclude: isolated,
          isolate: false,
        },
      },
      projectOf('thorough', thorough),
      ...withPrograms.map((folder) => projectOf(folder, [folder])),
      // Packs the package, as a test of the thorough project does.
      projectOf('nodes', ['nodes'], 1),
      projectOf('installs', ['installs'], 3),
      { test: { ...projectOf('timed', timed, 2).test, maxWorkers: 1 } },
      {
        test: {
          name: 'conformance',
          include: ['test/conformance/**/*.test.ts'],
          pool: 'threads',
          isolate: false,
          // Node loads the sources itself, as it loads the package in the project of a user.
          server: { deps: { external: [/\/(src|suites)\//] } },
        },
      },
    ],
  },
});
