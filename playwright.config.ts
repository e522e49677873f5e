// End-to-end tests in Chromium, the only engine that Playwright can drive without its own download.
import { defineConfig } from '@playwright/test';
import { chromiumFlags, readBrowsers } from './scripts/browsers.mjs';

const chromium = readBrowsers()?.chromium;
if (!chromium) throw new Error('Chromium is missing. Run node scripts/setup.mjs --tests.');

export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: 'test-output/e2e',
  forbidOnly: true,
  retries: 0,
  // Tests mostly wait for timers of the sandbox and the BFF.
  workers: 3,
  fullyParallel: false,
  timeout: 60_000,
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
