// The launchers of web-test-runner for the engines of this machine.
import { chromeLauncher } from '@web/test-runner-chrome';
import { puppeteerLauncher } from '@web/test-runner-puppeteer';
import { chromiumFlags } from './browsers.mjs';
import { webkitLauncher } from './webkit-launcher.mjs';

export function createLaunchers(browsers) {
  const launchers = [];
  if (browsers?.chromium) launchers.push(chromiumLauncher(browsers.chromium));
  if (browsers?.firefox) launchers.push(firefoxLauncher(browsers.firefox));
  if (browsers?.webkit) launchers.push(webkitLauncher(browsers.webkit));
  if (launchers.length > 0) return launchers;
  throw new Error('No browser was found: run node scripts/setup.mjs --tests');
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
