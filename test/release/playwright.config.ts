// End-to-end tests of a release: every screen, the playground, the sandbox's console, and the documentation.
import { defineConfig } from '@playwright/test';
import { endToEndOptions } from '../../playwright.config.ts';

export default defineConfig({
  ...endToEndOptions,
  testDir: 'e2e',
  outputDir: '../../test-output/release-e2e',
  reporter: [['list'], ['json', { outputFile: '../../test-output/reports/release-e2e.json' }]],
});
