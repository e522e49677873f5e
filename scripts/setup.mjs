// Makes a fresh clone ready: packages, Node 24, and with --tests the browsers and the PostgreSQL of the tests.
// Node built-ins only, and nothing newer than Node 20: it runs before anything is installed.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setUpBrowsers } from './browsers.mjs';
import { setUpPostgres } from './postgres.mjs';
import { cacheFolder, canRun, childEnvironment, findCommand, root } from './project.mjs';

const requiredNodeMajor = 24;
const stampFile = join(cacheFolder, 'package-lock.sha256');

installPackages();
checkNode();
if (process.argv.includes('--tests')) {
  setUpBrowsers();
  setUpPostgres();
}

function installPackages() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (readStamp() === lock) return;

  console.log('Installing packages (npm ci) …');
  // Tests and builds need the development packages, regardless of NODE_ENV and the npmrc of the user.
  const args = [
    'ci',
    '--include=dev',
    '--include=optional',
    // No package needs its install script here; older npm would run those that download browsers.
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const npm = process.env.npm_execpath;
  const result = npm
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: 'inherit' })
    : spawnSync('npm', args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (result.status !== 0) stop('npm ci failed; its message is above. Nothing else was tried.');

  mkdirSync(cacheFolder, { recursive: true });
  writeFileSync(stampFile, lock);
}

function readStamp() {
  try {
    return readFileSync(stampFile, 'utf8');
  } catch (error) {
    if (error?.code === 'ENOENT') return undefined;
    throw error;
  }
}

// npm scripts find node_modules/.bin/node first; the package behind it exists for Linux only.
function checkNode() {
  const packaged = findCommand(join(root, 'node_modules', '.bin', 'node'));
  if (packaged) {
    if (canRun(packaged)) return;
    stop(
      `The Node ${requiredNodeMajor} that npm installed does not start on this system (is it a musl system?). ` +
        `Install Node ${requiredNodeMajor} or newer and remove node_modules/.bin/node.`,
    );
  }
  const own =
    spawnSync('node', ['--version'], { encoding: 'utf8', env: childEnvironment() }).stdout ?? '';
  if (Number.parseInt(own.replace('v', ''), 10) >= requiredNodeMajor) return;
  stop(
    `This project needs Node ${requiredNodeMajor} or newer, and this machine runs ${own.trim() || 'none'}. ` +
      `No packaged Node exists for ${process.platform}-${process.arch}: install it from https://nodejs.org and run the command again.`,
  );
}

function stop(message) {
  console.error(message);
  process.exit(1);
}
