// Tests of the whole stack in Chromium, the one engine Playwright can drive without a download of its own.
import { defineConfig } from '@playwright/test';
import { chromiumFlags, readBrowsers } from './scripts/browsers.mjs';

const chromium = readBrowsers()?.chromium;
if (!chromium) throw new Error('No Chromium was found: run node scripts/setup.mjs --tests');

export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '**/*.e2e.ts',
  outputDir: 'test-output/e2e',
  forbidOnly: true,
  retries: 0,
  // Most of a journey is waiting, for clocks of the service and pauses of our own.
  workers: 3,
  fullyParallel: true,
  timeout: 60_000,
  use: {
    browserName: 'chromium',
    trace: 'retain-on-failure',
    launchOptions: {
      executablePath: chromium.executable,
      chromiumSandbox: false,
      args: chromiumFlags,
    },
  },
});
