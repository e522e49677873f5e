// Real browsers at a whole BFF; each engine is a file of its own, and those that are not on this machine are left out, which `npm test` says.

import { defineConfig } from 'vitest/config';
import { missingEngines, readBrowsers } from '../../scripts/browsers.mjs';
import { engines } from './cells.ts';

const missing = missingEngines(readBrowsers());

export default defineConfig({
  test: {
    root: import.meta.dirname,
    environment: 'node',
    include: engines
      .filter((engine) => !missing.includes(engine))
      .map((engine) => `${engine}.cells.ts`),
    // Two cores: a third browser only makes the others slower.
    maxWorkers: 2,
    hookTimeout: 120_000,
    allowOnly: false,
    passWithNoTests: false,
  },
});
