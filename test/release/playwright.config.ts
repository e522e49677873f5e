// End-to-end tests of a release: every screen, the playground, the sandbox's console, and the documentation.
import { defineConfig } from '@playwright/test';
import { endToEndOptions } from '../../playwright.config.ts';

export default defineConfig({
  ...endToEndOptions,
  // Most of these tests are one browser with static pages, which leaves a processor idle.
  workers: 2,
  testDir: 'e2e',
  outputDir: '../../test-output/release-e2e',
  reporter: [['list'], ['json', { outputFile: '../../test-output/reports/release-e2e.json' }]],
});
