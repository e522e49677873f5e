// Tests that run in a browser: Chromium. test/release/web-test-runner.config.js has the other engines.
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defaultReporter } from '@web/test-runner';
import { chromeLauncher } from '@web/test-runner-chrome';
import { chromiumFlags, readTestTools } from './scripts/test-tools.mjs';
import { browserBundles } from './test/support/browser-bundles.ts';
import { findFreePort } from './test/support/free-port.ts';
import { testLimitMs } from './test/support/time-limit.ts';

const files = 'test/{examples,widget}/**/*.browser.test.ts';
// Two runs that begin at the same time would take the same default.
const port = await findFreePort();

export default createConfig('browser', [
  inTwoBrowsers(() => chromiumLauncher(readTestTools().chromium)),
]);

/** @param name of the report for `npm test`. */
export function createConfig(name, browsers) {
  return {
    rootDir: import.meta.dirname,
    port,
    files,
    plugins: [browserBundles(files)],
    browsers,
    // Several files at once in one browser are slower: it draws one tab only.
    concurrency: 1,
    concurrentBrowsers: 1,
    browserStartTimeout: testLimitMs,
    testsStartTimeout: testLimitMs,
    testsFinishTimeout: testLimitMs,
    testFramework: { config: { timeout: String(testLimitMs) } },
    reporters: [
      defaultReporter({ reportTestProgress: process.stdout.isTTY }),
      countTests(`test-output/reports/${name}.json`),
    ],
    // The tests use Lit's development mode. It warns about itself, and about the Lit of the built widget.
    filterBrowserLogs: ({ args }) =>
      !args.some((text) => /Lit is in dev mode|Multiple versions of Lit/.test(String(text))),
  };
}

function chromiumLauncher(chromium) {
  if (!chromium) throw new Error('Chromium is missing. Run node scripts/setup.mjs --tests.');
  const { executable, isHeadlessShell } = chromium;
  return inNewTabs(
    chromeLauncher({
      launchOptions: {
        executablePath: executable,
        timeout: testLimitMs,
        headless: isHeadlessShell ? 'shell' : true,
        args: chromiumFlags,
      },
    }),
  );
}

/** Runs two files at a time, each in a browser of its own, where there are two processors. */
function inTwoBrowsers(createLauncher) {
  const launchers = Array.from({ length: Math.min(2, availableParallelism()) }, createLauncher);
  /** The launcher of each session that runs. */
  const running = new Map();
  const runs = (id) => running.get(id);
  return {
    name: launchers[0].name,
    type: launchers[0].type,
    concurrency: launchers.length,
    initialize: (...options) =>
      Promise.all(launchers.map((launcher) => launcher.initialize(...options))),
    stop: () => Promise.all(launchers.map((launcher) => launcher.stop())),
    startSession(id, url) {
      const isFree = (launcher) => ![...running.values()].includes(launcher);
      const launcher = launchers.find(isFree) ?? launchers[0];
      running.set(id, launcher);
      return launcher.startSession(id, url);
    },
    isActive: (id) => runs(id)?.isActive(id) ?? false,
    getBrowserUrl: (id) => runs(id)?.getBrowserUrl(id),
    // For the commands of @web/test-runner-commands.
    getPage: (id) => runs(id).getPage(id),
    async stopSession(id) {
      const result = await runs(id).stopSession(id);
      running.delete(id);
      return result;
    },
    startDebugSession: (id, url) => launchers[0].startDebugSession(id, url),
  };
}

/**
 * Runs each file in a new tab. The history of a tab is full after 50 entries. Firefox then drops the oldest ones, and Chromium
 * those that were added without a click, so that Back in a test would leave the page.
 */
export function inNewTabs(launcher) {
  const createPage = launcher.createPageFn;
  launcher.createPageFn = async (options) => {
    const page = await createPage(options);
    // The default of 30 seconds is not enough for the page on a busy machine.
    page.setDefaultNavigationTimeout(testLimitMs);
    return page;
  };
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

/** A reporter that writes the counts. A file without a test result is one failure. */
function countTests(path) {
  const file = fileURLToPath(new URL(path, import.meta.url));
  return {
    onTestRunFinished({ sessions }) {
      const results = sessions.flatMap(({ testResults, passed }) => {
        const tests = listTests(testResults).filter(({ skipped }) => !skipped);
        const isExplained = tests.length > 0 && (passed || tests.some((test) => !test.passed));
        return isExplained ? tests : [...tests, { passed: false }];
      });
      const passed = results.filter((test) => test.passed).length;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify({ passed, failed: results.length - passed }));
    },
  };
}

function listTests(suite) {
  return suite ? [...suite.tests, ...suite.suites.flatMap(listTests)] : [];
}
