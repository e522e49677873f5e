// The tests of the element in another engine: TEST_ENGINE=firefox or TEST_ENGINE=webkit.
import { puppeteerLauncher } from '@web/test-runner-puppeteer';
import { readTestTools } from '../../scripts/test-tools.mjs';
import { createConfig, inNewTabs } from '../../web-test-runner.config.js';
import { testLimitMs } from '../support/time-limit.ts';
import { webkitLauncher } from './support/webkit.ts';

const engine = process.env.TEST_ENGINE;
const { firefox, webkit } = readTestTools();
const launchers = {
  firefox: firefox && (() => firefoxLauncher(firefox)),
  webkit: webkit && (() => webkitLauncher(webkit)),
};
const launcher = launchers[engine];
if (!launcher)
  throw new Error(`TEST_ENGINE=${engine} is not an installed browser. Use firefox or webkit.`);

export default createConfig(engine, [launcher()]);

function firefoxLauncher({ executable }) {
  return inNewTabs(
    puppeteerLauncher({
      launchOptions: {
        browser: 'firefox',
        executablePath: executable,
        timeout: testLimitMs,
        headless: true,
      },
    }),
  );
}
