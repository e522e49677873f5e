// Tests that run in a browser. TEST_ENGINES names the engines: `chromium` (default), `firefox`, `webkit`, or `all`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { esbuildPlugin } from '@web/dev-server-esbuild';
import { defaultReporter } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';
import { puppeteerLauncher } from '@web/test-runner-puppeteer';
import { chromiumFlags, readTestTools } from './scripts/test-tools.mjs';
import { webkitLauncher } from './test/support/webkit.ts';

/** The counts for `npm test`. */
const reportFile = fileURLToPath(new URL('test-output/reports/browser.json', import.meta.url));
const wantedEngines = process.env.TEST_ENGINES ?? 'chromium';

/** A file without a test result is one failure. */
const countTests = {
  onTestRunFinished({ sessions }) {
    const results = sessions.flatMap(({ testResults, passed }) => {
      const tests = listTests(testResults).filter(({ skipped }) => !skipped);
      const isExplained = tests.length > 0 && (passed || tests.some((test) => !test.passed));
      return isExplained ? tests : [...tests, { passed: false }];
    });
    const passed = results.filter((test) => test.passed).length;
    mkdirSync(dirname(reportFile), { recursive: true });
    writeFileSync(reportFile, JSON.stringify({ passed, failed: results.length - passed }));
  },
};

export default {
  files: 'test/**/*.browser.test.ts',
  nodeResolve: true,
  plugins: [
    esbuildPlugin({
      ts: true,
      target: 'es2022',
      tsconfig: fileURLToPath(new URL('./tsconfig.json', import.meta.url)),
    }),
    { name: 'fail-on-unhandled-rejection', transform: failOnUnhandledRejection },
  ],
  browsers: createLaunchers(readTestTools()),
  // Measured on two cores: several files at once in one browser are slower, and time out.
  concurrency: 1,
  concurrentBrowsers: 2,
  testFramework: { config: { timeout: '10000' } },
  reporters: [defaultReporter({ reportTestProgress: process.stdout.isTTY }), countTests],
  // Lit's development build reports mistakes; its greeting is no mistake.
  filterBrowserLogs: ({ args }) => !args.some((text) => /Lit is in dev mode/.test(String(text))),
};

function createLaunchers({ chromium, firefox, webkit }) {
  const launchers = {
    chromium: chromium && (() => chromiumLauncher(chromium)),
    firefox: firefox && (() => firefoxLauncher(firefox)),
    webkit: webkit && (() => webkitLauncher(webkit)),
  };
  const found = Object.entries(launchers)
    .filter(([engine]) => wantedEngines === 'all' || wantedEngines.split(',').includes(engine))
    .flatMap(([, create]) => (create ? [create()] : []));
  if (found.length > 0) return found;
  throw new Error(
    `TEST_ENGINES=${wantedEngines} found no browser. Run node scripts/setup.mjs --tests.`,
  );
}

function chromiumLauncher({ executable, isHeadlessShell }) {
  return chromeLauncher({
    launchOptions: {
      executablePath: executable,
      headless: isHeadlessShell ? 'shell' : true,
      args: chromiumFlags,
    },
  });
}

function firefoxLauncher({ executable }) {
  return puppeteerLauncher({
    launchOptions: { browser: 'firefox', executablePath: executable, headless: true },
  });
}

// web-test-runner only logs an unhandled rejection. The delay is for one of the last test, which is reported in a later task.
function failOnUnhandledRejection({ path, body }) {
  if (!path.endsWith('.browser.test.ts')) return undefined;
  return `${body}
const rejections = [];
addEventListener('unhandledrejection', ({ reason }) => rejections.push(reason));
after(() => new Promise((resolve, reject) => setTimeout(() => (rejections.length > 0 ? reject(rejections[0]) : resolve()), 20)));`;
}

function listTests(suite) {
  return suite ? [...suite.tests, ...suite.suites.flatMap(listTests)] : [];
}
