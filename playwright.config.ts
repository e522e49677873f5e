// End-to-end tests in Chromium, the only engine that Playwright can drive without its own download.
import { defineConfig } from '@playwright/test';
import { chromiumFlags, readTestTools } from './scripts/test-tools.mjs';

const chromium = readTestTools().chromium;
if (!chromium) throw new Error('Chromium is missing. Run node scripts/setup.mjs --tests.');

export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: 'test-output/e2e',
  // `npm test` reads the counts.
  reporter: [['list'], ['json', { outputFile: 'test-output/reports/e2e.json' }]],
  forbidOnly: true,
  retries: 0,
  // Tests mostly wait for timers of the sandbox and the BFF.
  workers: 3,
  fullyParallel: false,
  timeout: 60_000,
  // The tests in Node run at the same time. A busy machine must not fail a test.
  expect: { timeout: 30_000 },
  use: {
    browserName: 'chromium',
    trace: 'off',
    launchOptions: {
      executablePath: chromium.executable,
      chromiumSandbox: false,
      args: chromiumFlags,
    },
  },
});
