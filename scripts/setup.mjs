// Prepares a clone: installs the packages and checks for Node 24. With --tests, also installs what the tests need.
// Runs on Node 20, before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, canRun, childEnvironment, findCommand, root } from './project.mjs';
import { setUpTestTools } from './test-tools.mjs';

const requiredNodeMajor = 24;
const stampFile = join(cacheFolder, 'package-lock.sha256');

installPackages();
checkNode();
if (process.argv.includes('--tests')) setUpTestTools();

function installPackages() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === lock) return;

  console.log('Installing packages (npm ci) …');
  // Tests and builds need the development packages, regardless of NODE_ENV and the npmrc of the user.
  const args = [
    'ci',
    '--include=dev',
    '--include=optional',
    // No package needs its install script. Older npm versions would run those that download browsers.
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const npm = process.env.npm_execpath;
  const result = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (result.status !== 0) stop('npm ci failed. See its message above.');

  mkdirSync(cacheFolder, { recursive: true });
  writeFileSync(stampFile, lock);
}

// npm scripts use node_modules/.bin/node if it exists. The package that contains it is for Linux only.
function checkNode() {
  const packaged = findCommand(join(root, 'node_modules', '.bin', 'node'));
  if (packaged) {
    if (canRun(packaged)) return;
    stop(
      `The installed Node ${requiredNodeMajor} does not start on this system, for example because it uses musl. ` +
        `Install Node ${requiredNodeMajor} or newer and remove node_modules/.bin/node.`,
    );
  }
  const own =
    spawnSync('node', ['--version'], { encoding: 'utf8', env: childEnvironment() }).stdout ?? '';
  if (Number.parseInt(own.replace('v', ''), 10) >= requiredNodeMajor) return;
  stop(
    `This project needs Node ${requiredNodeMajor} or newer, and this machine has ${own.trim() || 'none'}. ` +
      'Install it from https://nodejs.org and run the command again.',
  );
}

function stop(message) {
  console.error(message);
  process.exit(1);
}
