// The campaigns have a runner of their own: they start processes and servers, and take minutes instead of milliseconds.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    environment: 'node',
    include: ['**/*.test.ts'],
    globalSetup: ['../support/postgres-setup.ts', './bundle-setup.ts'],
    // Most of them wait more than they work.
    maxWorkers: 2,
    testTimeout: 600_000,
    hookTimeout: 60_000,
    allowOnly: false,
    passWithNoTests: false,
  },
});
