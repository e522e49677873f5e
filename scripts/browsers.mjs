// Finds the browsers of the tests, gets those that are missing, and records what there is.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installDebianPackages, isRootOnDebian, shouldInstall } from './debian.mjs';
import {
  browsersFile,
  cacheFolder,
  canRun,
  childEnvironment,
  findCommand,
  readJson,
  root,
} from './project.mjs';

export const engines = ['chromium', 'firefox', 'webkit'];
/** Keeps Chromium from reaching out on its own, and lets it run as root in a container. */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

const debianPackages = {
  chromium: ['chromium'],
  firefox: ['firefox-esr'],
  webkit: ['webkit2gtk-driver', 'xvfb'],
};

/** Brings the record up to date; never throws for a browser that cannot be had. */
export function setUpBrowsers() {
  const record = readBrowsers();
  let found = findBrowsers(record);
  let triedAt = record?.triedAt;
  if (shouldInstall(missingEngines(found), triedAt) && isRootOnDebian()) {
    installDebianPackages(missingEngines(found).map((engine) => debianPackages[engine]));
    found = findBrowsers(record);
    triedAt = Date.now();
  }
  found.chromium ??= unpackChromium();

  mkdirSync(cacheFolder, { recursive: true });
  writeFileSync(browsersFile, `${JSON.stringify({ ...found, triedAt }, null, 2)}\n`);
  for (const engine of missingEngines(found))
    console.log(`No ${engine} on this machine: its tests will not run.`);
}

/** The result of the last set-up; undefined if it never ran. */
export function readBrowsers() {
  return readJson(browsersFile);
}

export function missingEngines(browsers) {
  return engines.filter((engine) => !browsers?.[engine]);
}

// Starting each browser once to see that it starts costs a second; what is on record was seen to start.
function findBrowsers(record) {
  const isKnown = (browser) =>
    browser && !browser.isHeadlessShell && Object.values(browser).every((file) => existsSync(file));
  return {
    chromium: isKnown(record?.chromium) ? record.chromium : findChromium(),
    firefox: isKnown(record?.firefox) ? record.firefox : findFirefox(),
    webkit: isKnown(record?.webkit) ? record.webkit : findWebKit(),
  };
}

function findChromium() {
  const executable = findCommand(
    'chromium',
    'google-chrome-stable',
    'google-chrome',
    'chromium-browser',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  );
  return executable && canRun(executable) ? { executable } : undefined;
}

function findFirefox() {
  const executable = findCommand(
    'firefox-esr',
    'firefox',
    '/Applications/Firefox.app/Contents/MacOS/firefox',
  );
  return executable && canRun(executable) ? { executable } : undefined;
}

function findWebKit() {
  const driver = findCommand('WebKitWebDriver');
  const display = findCommand('Xvfb');
  const browser = findMiniBrowser();
  return driver && display && browser ? { driver, display, browser } : undefined;
}

// Debian puts it under /usr/lib/<architecture>/webkit2gtk-<version>, others under /usr/libexec.
function findMiniBrowser() {
  for (const parent of ['/usr/libexec', ...subfolders('/usr/lib')]) {
    for (const folder of subfolders(parent)) {
      const executable = join(folder, 'MiniBrowser');
      if (/webkit2?gtk-/.test(folder) && existsSync(executable)) return executable;
    }
  }
  return undefined;
}

function subfolders(folder) {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(folder, entry.name));
}

// The fallback. It is never "known" above, so that a system's own browser is used once there is one.
// Its module needs a newer Node than the one that may be running this file.
function unpackChromium() {
  if (
    process.platform !== 'linux' ||
    !existsSync(join(root, 'node_modules', '@sparticuz', 'chromium'))
  )
    return undefined;
  const script =
    "import('@sparticuz/chromium').then(async (m) => console.log(await m.default.executablePath()))";
  const result = spawnSync('node', ['-e', script], {
    cwd: root,
    encoding: 'utf8',
    env: childEnvironment(),
    timeout: 120_000,
  });
  const executable = result.stdout?.trim();
  // Unpacked by another user, or for another processor, it is there and does not run.
  if (result.status !== 0 || !executable || !canRun(executable)) return undefined;
  return { executable, isHeadlessShell: true };
}
