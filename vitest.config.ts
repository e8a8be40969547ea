import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{src,suites,test}/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    setupFiles: ['test/seed.ts'],
  },
});
