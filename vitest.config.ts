import { enableCompileCache } from 'node:module';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { allureFor } from './test/conformance/allure.ts';

// As the command does: Node need not compile the sources again. Threads look for the folder in the environment.
const { directory } = enableCompileCache();
if (directory !== undefined) process.env.NODE_COMPILE_CACHE = directory;

/** They measure real time, so they run when nothing else does. */
const timed = ['test/pacing-over-sockets.test.ts', 'test/runs-side-by-side.test.ts'];

/** Many tests wait for a rate limit: more workers than cores. */
const maxWorkers = availableParallelism() + 1;

const own = { testTimeout: 180_000, hookTimeout: 180_000, setupFiles: ['test/seed.ts'], maxWorkers };

export default defineConfig({
  test: {
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
          include: ['{src,suites,test}/**/*.test.ts'],
          exclude: ['test/{browser,conformance,nodes}/**', '**/node_modules/**', ...timed],
        },
      },
      {
        test: {
          ...own,
          name: 'timed',
          include: timed,
          maxWorkers: timed.length,
          sequence: { groupOrder: 1 },
        },
      },
      // Packs the package, as a test of the unit project does.
      { test: { ...own, name: 'nodes', include: ['test/nodes/**/*.test.ts'], sequence: { groupOrder: 2 } } },
      { test: { ...own, name: 'browser', include: ['test/browser/**/*.test.ts'] } },
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
