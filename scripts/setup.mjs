// Prepares a clone: installs the packages that a command needs, and Node 24 where the machine's Node is older.
//   node scripts/setup.mjs                     what `npm start` needs
//   node scripts/setup.mjs --dev               also the packages for development
//   node scripts/setup.mjs --tests             also Chromium and PostgreSQL, for the quick tests
//   node scripts/setup.mjs --release           also the programs for the tests of a release
//   node scripts/setup.mjs --dev docs bench    also the packages of these folders, each with a lockfile of its own
// Runs on Node 20, before anything is installed.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { cacheFolder, canRun, findCommand, readJson, root, toJson } from './project.mjs';
import { quickTools, setUpTestTools, toolNames } from './test-tools.mjs';

const requiredNodeMajor = 24;
const installNodeFix = 'Install it from https://nodejs.org and run the command again.';
/** Contains the package of Node for Linux. Not in the root, where it would be downloaded to machines that have Node. */
const nodeFolder = 'scripts/node';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    dev: { type: 'boolean' },
    tests: { type: 'boolean' },
    release: { type: 'boolean' },
  },
});
const isForTests = values.tests || values.release;

await Promise.all([
  installRoot(Boolean(values.dev || isForTests)),
  ...[...positionals, ...(needsNode() ? [nodeFolder] : [])].map(installFolder),
]);
linkNode();
if (isForTests) setUpTestTools(values.release ? toolNames : quickTools);

/** The packages for development include those of `npm start`, so that a change between commands installs nothing. */
async function installRoot(isForDevelopment) {
  const stampFile = join(cacheFolder, 'packages.json');
  const lock = hashLock(root);
  const stamp = readJson(stampFile);
  if (stamp?.lock === lock && (stamp.dev || !isForDevelopment)) return;
  await installPackages(root, isForDevelopment ? ['--include=dev'] : ['--omit=dev']);
  mkdirSync(cacheFolder, { recursive: true });
  writeFileSync(stampFile, toJson({ lock, dev: isForDevelopment }));
}

async function installFolder(folder) {
  const path = join(root, folder);
  const stampFile = join(path, 'node_modules', '.package-lock.sha256');
  const lock = hashLock(path);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === lock) return;
  await installPackages(path, ['--include=dev']);
  writeFileSync(stampFile, lock);
}

function hashLock(folder) {
  return createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
}

async function installPackages(folder, options) {
  const args = [
    'ci',
    // Regardless of NODE_ENV and the npmrc of the user.
    ...options,
    '--include=optional',
    // No package needs its install script. Older npm versions would run those that download browsers.
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  console.log(`Installing packages (npm ci${describeFolder(folder)}) …`);
  const npm = process.env.npm_execpath;
  const [command, ...first] = npm ? [process.execPath, npm] : ['npm'];
  const child = spawn(command, [...first, ...args], {
    cwd: folder,
    stdio: 'inherit',
    shell: !npm && process.platform === 'win32',
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) stop('npm ci failed. See its message above.');
}

function describeFolder(folder) {
  const path = relative(root, folder);
  return path === '' ? '' : ` in ${path}`;
}

/** True if the machine's Node is too old. The package of Node is for Linux only. */
function needsNode() {
  const machineNode = findCommand('node');
  const version = machineNode
    ? spawnSync(machineNode, ['--version'], { encoding: 'utf8' }).stdout.trim()
    : 'none';
  if (Number.parseInt(version.replace('v', ''), 10) >= requiredNodeMajor) return false;
  if (process.platform === 'linux') return true;
  return stop(
    `This project needs Node ${requiredNodeMajor} or newer, and this machine has ${version}. ${installNodeFix}`,
  );
}

/** npm scripts use node_modules/.bin/node if it exists. */
function linkNode() {
  const packageName = `node-linux-${process.arch}`;
  const packaged = join(root, nodeFolder, 'node_modules', packageName, 'bin', 'node');
  const link = join(root, 'node_modules', '.bin', 'node');
  if (!existsSync(packaged) || existsSync(link)) return;
  // For example on a system that uses musl.
  if (!canRun(packaged))
    stop(
      `Node ${requiredNodeMajor} of ${packageName} does not start on this system. ${installNodeFix}`,
    );
  symlinkSync(relative(dirname(link), packaged), link);
}

function stop(message) {
  console.error(message);
  process.exit(1);
}
