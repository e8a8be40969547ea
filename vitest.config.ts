import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{src,suites,test}/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    setupFiles: ['test/seed.ts'],
  },
});
