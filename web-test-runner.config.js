// Tests that run in real browsers: every engine that the set-up found, in one run.
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { defaultReporter } from '@web/test-runner';
import { fileURLToPath } from 'node:url';
import { readBrowsers } from './scripts/browsers.mjs';
import { createLaunchers } from './scripts/launchers.mjs';
import { jsonReporter } from './scripts/wtr-reporter.mjs';

const reportFile = process.env.BROWSER_TEST_REPORT;

export default {
  files: 'test/**/*.browser.test.ts',
  nodeResolve: true,
  plugins: [
    esbuildPlugin({
      ts: true,
      target: 'es2022',
      tsconfig: fileURLToPath(new URL('./tsconfig.json', import.meta.url)),
    }),
    { name: 'wait-for-late-errors', transform: waitForLateErrors },
  ],
  browsers: createLaunchers(readBrowsers()),
  // Measured on two cores: several files at once in one browser is slower, and runs into time-outs.
  concurrency: 1,
  concurrentBrowsers: 2,
  testFramework: { config: { timeout: '10000' } },
  reporters: reportFile
    ? [defaultReporter({ reportTestProgress: false }), jsonReporter(reportFile)]
    : [defaultReporter()],
  // Lit's development build stays, for the mistakes it reports; its greeting does not.
  filterBrowserLogs: ({ args }) => !args.some((text) => /Lit is in dev mode/.test(String(text))),
};

// A promise rejected by the last test of a file is reported in a later task, when the file's page
// would be gone already and the error with it.
function waitForLateErrors({ path, body }) {
  if (!path.endsWith('.browser.test.ts')) return undefined;
  return `${body}\nafter(() => new Promise((resolve) => setTimeout(resolve, 20)));`;
}
