// The campaigns against hostile clients have a runner of their own: they send tens of thousands of requests.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    environment: 'node',
    include: ['**/*.test.ts'],
    maxWorkers: 2,
    testTimeout: 600_000,
    hookTimeout: 60_000,
    allowOnly: false,
    passWithNoTests: false,
  },
});
