// End-to-end tests in Chromium, the only engine that Playwright can drive without its own download.
import { defineConfig, type PlaywrightTestConfig } from '@playwright/test';
import { chromiumFlags, readTestTools } from './scripts/test-tools.mjs';
import { testLimitMs, waitLimitMs } from './test/support/time-limit.ts';

const chromium = readTestTools().chromium;
if (!chromium) throw new Error('Chromium is missing. Run node scripts/setup.mjs --tests.');

export const endToEndOptions: PlaywrightTestConfig = {
  testMatch: '**/*.e2e.ts',
  forbidOnly: true,
  retries: 0,
  // One test drives a browser, a page, a BFF, and a sandbox: more than two processors can run.
  workers: 1,
  timeout: testLimitMs,
  expect: { timeout: waitLimitMs },
  use: {
    browserName: 'chromium',
    trace: 'off',
    launchOptions: {
      executablePath: chromium.executable,
      chromiumSandbox: false,
      args: chromiumFlags,
    },
  },
};

export default defineConfig({
  ...endToEndOptions,
  testDir: 'test/e2e',
  outputDir: 'test-output/e2e',
  // `npm test` reads the counts.
  reporter: [['list'], ['json', { outputFile: 'test-output/reports/e2e.json' }]],
});
