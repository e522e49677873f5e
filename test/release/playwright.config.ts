// End-to-end tests of a release: every screen, the playground, the sandbox's console, and the documentation.
import { defineConfig } from '@playwright/test';
import { endToEndOptions } from '../../playwright.config.ts';

export default defineConfig({
  ...endToEndOptions,
  // Most of these tests are one browser and static pages. With a BFF and a sandbox, as in test/e2e, one worker is enough.
  workers: 2,
  testDir: 'e2e',
  outputDir: '../../test-output/release-e2e',
  reporter: [['list'], ['json', { outputFile: '../../test-output/reports/release-e2e.json' }]],
});
