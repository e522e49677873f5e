// Tests that run in a browser. TEST_ENGINES is the engine: `chromium` (default), `firefox`, `webkit`, or `all`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultReporter } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';
import { puppeteerLauncher } from '@web/test-runner-puppeteer';
import { chromiumFlags, readTestTools } from './scripts/test-tools.mjs';
import { browserBundles } from './test/support/browser-bundles.ts';
import { webkitLauncher } from './test/support/webkit.ts';

/** The counts for `npm test`. */
const reportFile = fileURLToPath(new URL('test-output/reports/browser.json', import.meta.url));
const files = 'test/**/*.browser.test.ts';
/** On a busy machine, the bundle of the tests and the start of a browser take more than the default of 30 seconds. */
const startTimeoutMs = 120_000;
const wantedEngine = process.env.TEST_ENGINES ?? 'chromium';

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
  files,
  plugins: [browserBundles(files)],
  browsers: createLaunchers(readTestTools()),
  // Measured on two cores: several files at once in one browser are slower, and time out.
  concurrency: 1,
  concurrentBrowsers: 2,
  browserStartTimeout: startTimeoutMs,
  testsStartTimeout: startTimeoutMs,
  testFramework: { config: { timeout: '10000' } },
  reporters: [defaultReporter({ reportTestProgress: process.stdout.isTTY }), countTests],
  // The tests use Lit's development mode. It warns about itself, and about the Lit of the built widget.
  filterBrowserLogs: ({ args }) =>
    !args.some((text) => /Lit is in dev mode|Multiple versions of Lit/.test(String(text))),
};

function createLaunchers({ chromium, firefox, webkit }) {
  const launchers = {
    chromium: chromium && (() => chromiumLauncher(chromium)),
    firefox: firefox && (() => firefoxLauncher(firefox)),
    webkit: webkit && (() => webkitLauncher(webkit)),
  };
  const found = Object.entries(launchers)
    .filter(([engine]) => wantedEngine === 'all' || wantedEngine === engine)
    .flatMap(([, create]) => (create ? [create()] : []));
  if (found.length > 0) return found;
  throw new Error(
    `TEST_ENGINES=${wantedEngine} found no browser. Run node scripts/setup.mjs --tests.`,
  );
}

function chromiumLauncher({ executable, isHeadlessShell }) {
  return inNewTabs(
    chromeLauncher({
      launchOptions: {
        executablePath: executable,
        timeout: startTimeoutMs,
        headless: isHeadlessShell ? 'shell' : true,
        args: chromiumFlags,
      },
    }),
  );
}

function firefoxLauncher({ executable }) {
  return inNewTabs(
    puppeteerLauncher({
      launchOptions: {
        browser: 'firefox',
        executablePath: executable,
        timeout: startTimeoutMs,
        headless: true,
      },
    }),
  );
}

/**
 * Runs each file in a new tab. The history of a tab is full after 50 entries. Firefox then drops the oldest ones, and Chromium
 * those that were added without a click, so that Back in a test would leave the page.
 */
function inNewTabs(launcher) {
  const stopSession = launcher.stopSession.bind(launcher);
  launcher.stopSession = async (id) => {
    const page = launcher.getPage(id);
    const result = await stopSession(id);
    // Otherwise the next file would run in this tab.
    launcher.inactivePages.length = 0;
    await page.close();
    return result;
  };
  return launcher;
}

function listTests(suite) {
  return suite ? [...suite.tests, ...suite.suites.flatMap(listTests)] : [];
}
