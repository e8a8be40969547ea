import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { allureFor } from './test/conformance/allure.ts';

const own = { testTimeout: 180_000, hookTimeout: 180_000, setupFiles: ['test/seed.ts'] };

export default defineConfig({
  test: {
    // Many tests wait for a rate limit: more workers than cores.
    maxWorkers: availableParallelism() + 1,
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
          exclude: ['test/{browser,conformance}/**', '**/node_modules/**'],
        },
      },
      { test: { ...own, name: 'browser', include: ['test/browser/**/*.test.ts'] } },
      { test: { name: 'conformance', include: ['test/conformance/**/*.test.ts'] } },
    ],
  },
});
