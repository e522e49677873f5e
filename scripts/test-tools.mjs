// The programs that the tests need besides Node: browsers, PostgreSQL, and those of the deployment. Finds them, installs missing
// ones, and records where they are.
// Runs on Node 20, before anything is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import {
  cacheFolder,
  canRun,
  childEnvironment,
  findCommand,
  readJson,
  root,
  toJson,
} from './project.mjs';

/**
 * @typedef {{ executable: string, isHeadlessShell?: boolean }} Browser
 * @typedef {{ driver: string, display: string, browser: string }} WebKit
 * @typedef {{ chromium?: Browser, firefox?: Browser, webkit?: WebKit, postgres?: string } & Partial<Record<Program, string>>} Tools
 * `postgres` is the folder of the server's programs.
 * @typedef {'podman' | 'caddy' | 'nginx' | 'clamd' | 'promtool' | 'sqlite3' | 'systemd-analyze' | 'php' | 'psql' | 'python3'} Program
 */

/** Without network requests of its own, and able to run as root in a container. */
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

/** How each tool is found: by default, as a program of that name. With the Debian packages that contain it. */
const definitions = {
  chromium: {
    find: () =>
      findBrowser(
        'chromium',
        'google-chrome-stable',
        'google-chrome',
        'chromium-browser',
        '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      ),
    packages: ['chromium'],
  },
  firefox: {
    find: () =>
      findBrowser('firefox-esr', 'firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'),
    packages: ['firefox-esr'],
  },
  webkit: { find: findWebKit, packages: ['webkit2gtk-driver', 'xvfb'] },
  postgres: { find: () => findPostgres(listPostgresFolders()), packages: ['postgresql'] },
  // crun, the default of podman, does not start where cgroups of both versions are mounted.
  podman: { packages: ['podman', 'runc'] },
  caddy: { packages: ['caddy'] },
  nginx: { packages: ['nginx'] },
  clamd: { packages: ['clamav-daemon'] },
  promtool: { packages: ['prometheus'] },
  sqlite3: { packages: ['sqlite3'] },
  'systemd-analyze': { packages: ['systemd'] },
  php: { packages: ['php-cli'] },
  psql: { packages: ['postgresql-client'] },
  python3: { packages: ['python3'] },
};
/** Other programs print their version with `--version`. */
const versionArguments = { caddy: ['version'], nginx: ['-v'] };
/** Not always in the PATH of a user who is not root. */
const systemFolders = ['/usr/sbin', '/usr/local/sbin', '/opt/homebrew/sbin'];
export const toolNames = Object.keys(definitions);
/** Those of `npm test`. The others are for the tests of a release. */
export const quickTools = ['chromium', 'postgres'];
const recordFile = join(cacheFolder, 'test-tools.json');
/** An installation that failed, for example offline, is tried again after this time. */
const installAgainAfterMs = 60 * 60 * 1000;
/** Debian and Homebrew install each PostgreSQL version in a folder of its own, which is not in PATH. */
const versionFolders = ['/usr/lib/postgresql', '/opt/homebrew/opt', '/usr/local/opt'];
const postgresPrograms = ['initdb', 'postgres'];

/** Finds and installs the tools, and writes the record. A tool that cannot be installed is not an error. */
export function setUpTestTools(names) {
  const record = readJson(recordFile) ?? {};
  let tools = findTools(record);
  let { installedAtMs } = record;
  const missing = listMissing(names, tools);
  if (shouldInstall(missing, installedAtMs) && isRootOnDebian()) {
    installDebianPackages(missing);
    tools = findTools(record);
    installedAtMs = {
      ...installedAtMs,
      ...Object.fromEntries(missing.map((name) => [name, Date.now()])),
    };
  }
  // Not kept in the record, so that a browser of the system replaces it as soon as there is one.
  tools.chromium ??= unpackChromium();

  mkdirSync(cacheFolder, { recursive: true });
  writeFileSync(recordFile, toJson({ ...tools, installedAtMs }));
  for (const name of listMissing(names, tools))
    console.log(`Not installed: ${name}. Its tests do not run.`);
}

/**
 * The tools that the last set-up found. Before the first set-up, the tools that this machine has.
 * @returns {Tools}
 */
export function readTestTools() {
  return readJson(recordFile) ?? findTools({});
}

/** Those of the tools that are missing. A server in TEST_POSTGRES_URL replaces the installed one. */
export function listMissing(names, tools = readTestTools(), environment = process.env) {
  return names.filter(
    (name) => !tools[name] && !(name === 'postgres' && environment.TEST_POSTGRES_URL),
  );
}

/** True if a tool is missing whose last installation is more than an hour old. */
export function shouldInstall(missing, installedAtMs = {}, nowMs = Date.now()) {
  return missing.some((name) => nowMs - (installedAtMs[name] ?? 0) >= installAgainAfterMs);
}

// Starting each tool takes a second. Tools in the record have started before.
function findTools(record) {
  // The headless shell is a package, so its record is not kept: `isHeadlessShell` is not the name of a file.
  const isKnown = (name) => {
    if (name === 'postgres') return hasServer(record.postgres);
    const files =
      typeof record[name] === 'string' ? [record[name]] : Object.values(record[name] ?? {});
    return files.length > 0 && files.every((file) => typeof file === 'string' && existsSync(file));
  };
  return Object.fromEntries(
    Object.entries(definitions).map(([name, { find = () => findProgram(name) }]) => [
      name,
      isKnown(name) ? record[name] : find(),
    ]),
  );
}

/** The first file of that name that starts, in the folders of PATH and then in those of the system's administrator. */
export function findProgram(name, folders = systemFolders) {
  const file = findCommand(name, ...folders.map((folder) => join(folder, name)));
  if (name === 'podman' && !canTestImages()) return undefined;
  return file && canRun(file, versionArguments[name]) ? file : undefined;
}

/** The base image consists of this machine's Debian packages. Many containers do not allow containers inside. */
function canTestImages() {
  return isRootOnDebian() && canRun('unshare', ['--mount', '--pid', '--fork', 'true']);
}

/** @returns {Browser | undefined} */
function findBrowser(...commands) {
  const executable = findCommand(...commands);
  return executable && canRun(executable) ? { executable } : undefined;
}

function findWebKit() {
  const driver = findCommand('WebKitWebDriver');
  const display = findCommand('Xvfb');
  // Debian: /usr/lib/<architecture>/webkit2gtk-<version>. Other systems: /usr/libexec/webkit2gtk-<version>.
  const browser = ['/usr/libexec', ...listEntries('/usr/lib')]
    .flatMap(listEntries)
    .filter((folder) => /webkit2?gtk-/.test(folder))
    .map((folder) => join(folder, 'MiniBrowser'))
    .find((file) => existsSync(file));
  return driver && display && browser ? { driver, display, browser } : undefined;
}

// @sparticuz/chromium needs a newer Node than the one that may run this file.
function unpackChromium() {
  if (process.platform !== 'linux') return undefined;
  const folder = join(root, 'test', 'chromium');
  const { status: exitCode } = spawnSync(
    'node',
    [join(root, 'scripts/setup.mjs'), '--dev', 'test/chromium'],
    { stdio: 'inherit' },
  );
  if (exitCode !== 0) return undefined;
  const script =
    "import('@sparticuz/chromium').then(async (m) => console.log(await m.default.executablePath()))";
  const options = { cwd: folder, encoding: 'utf8', env: childEnvironment() };
  const { status, stdout } = spawnSync('node', ['-e', script], options);
  const executable = stdout?.trim();
  // A file of another user or for another processor does not start.
  if (status !== 0 || !executable || !canRun(executable)) return undefined;
  return { executable, isHeadlessShell: true };
}

/** The folders of PATH, then each version of PostgreSQL, newest first. */
export function listPostgresFolders(path = process.env.PATH ?? '', parents = versionFolders) {
  // Debian names the folder of a version `15`, Homebrew `postgresql@15`.
  const toVersion = (folder) => Number(/\/(?:postgresql@)?(\d+(?:\.\d+)?)$/.exec(folder)?.[1]);
  const versions = parents.flatMap((parent) =>
    listEntries(parent)
      .filter((folder) => toVersion(folder) > 0)
      .sort((one, other) => toVersion(other) - toVersion(one))
      .map((folder) => join(folder, 'bin')),
  );
  return [...path.split(delimiter).filter((folder) => folder !== ''), ...versions];
}

/** The first of the folders that contains a server whose programs start. */
export function findPostgres(folders) {
  return folders.find(
    (folder) =>
      hasServer(folder) && postgresPrograms.every((program) => canRun(join(folder, program))),
  );
}

function hasServer(folder) {
  return folder && postgresPrograms.every((program) => existsSync(join(folder, program)));
}

function listEntries(folder) {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch (error) {
    if (error?.code === 'ENOENT' || error?.code === 'ENOTDIR') return [];
    throw error;
  }
}

function isRootOnDebian() {
  if (process.getuid?.() !== 0 || !findCommand('apt-get') || !existsSync('/etc/os-release'))
    return false;
  return /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
}

function installDebianPackages(names) {
  const packages = names.flatMap((name) => definitions[name].packages);
  console.log(
    `The tests need ${names.join(', ')}. Installing with apt-get as root: ${packages.join(' ')}.`,
  );
  const enabledBefore = listEnabledUnits();
  // Ctrl+C ends apt-get at once, and this process after it has deleted its files.
  process.once('SIGINT', () => process.exit(130));
  // Without the first file, PostgreSQL also creates a database. With the second, no package starts a service.
  const remove = [
    writeNewFile(
      '/etc/postgresql-common/createcluster.d/funding-application-tests.conf',
      'create_main_cluster = false\n',
    ),
    writeNewFile('/usr/sbin/policy-rc.d', '#!/bin/sh\nexit 101\n', 0o755),
  ];
  // Old package lists are often good enough, so a failed update is not the end.
  apt(['update']);
  const install = (list) => apt(['install', '-y', '--no-install-recommends', ...list]);
  // If one package is unavailable, the others can still be installed.
  if (!install(packages)) for (const name of names) install(definitions[name].packages);
  for (const removeFile of remove) removeFile();
  // The packages enable their services for the next boot. One that was there before stays as it was.
  const enabled = listEnabledUnits().filter((name) => !enabledBefore.includes(name));
  if (enabled.length > 0) spawnSync('systemctl', ['--root=/', 'disable', '--quiet', ...enabled]);
}

/** From the files of systemd, which does not run in a container. Empty on a system without it. */
function listEnabledUnits() {
  const args = ['--root=/', 'list-unit-files', '--state=enabled', '--plain', '--no-legend'];
  const { stdout } = spawnSync('systemctl', args, { encoding: 'utf8' });
  return [...(stdout ?? '').matchAll(/^\S+/gm)].map(([name]) => name);
}

/**
 * Writes a file unless it exists. Returns a function that deletes the file if this call wrote it: a machine may have a
 * policy-rc.d of its own.
 */
export function writeNewFile(file, content, mode = 0o644) {
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(file, content, { mode, flag: 'wx' });
  } catch (error) {
    if (error?.code !== 'EEXIST') throw error;
    return () => {};
  }
  return () => rmSync(file);
}

function apt(args) {
  const result = spawnSync(
    'apt-get',
    ['-qq', '-o', 'DPkg::Lock::Timeout=120', '-o', 'Acquire::http::Timeout=20', ...args],
    {
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      timeout: 600_000,
    },
  );
  if (result.status === 0) return true;
  const lastLines = (result.stderr ?? '').trim().split('\n').slice(-3).join('\n');
  console.warn(`apt-get ${args[0]} failed: ${lastLines || result.error?.message}`);
  return false;
}
