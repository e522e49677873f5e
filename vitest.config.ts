// Tests that run in Node. The browser's and the whole stack's have their own runners.
import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    exclude: [
      ...configDefaults.exclude,
      'test/**/*.browser.test.ts',
      'test/e2e/**',
      'test/faults/**',
      'test/hostile/**',
    ],
    // A limit for what hangs. A machine that is busy with something else must not fail a test.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    globalSetup: 'test/support/postgres-setup.ts',
    // By itself one less than there are cores; what runs the workers has little to do.
    maxWorkers: '100%',
    allowOnly: false,
    passWithNoTests: false,
  },
});
