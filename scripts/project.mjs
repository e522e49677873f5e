// Paths and process helpers of the scripts. Runs on Node 20, before anything is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
/** The npm packages of a release. */
export const packagesFolder = join(root, 'dist', 'packages');
/** In node_modules, so that `npm ci`, which may install other versions, deletes it. */
export const cacheFolder = join(root, 'node_modules', '.cache', 'funding-application');

const binFolder = join(root, 'node_modules', '.bin');

/** The environment of a child process: the project's tools and its Node come first in PATH. */
export function childEnvironment(extra = {}) {
  return {
    ...process.env,
    PATH: `${binFolder}${delimiter}${process.env.PATH ?? ''}`,
    NODE_COMPILE_CACHE: join(cacheFolder, 'compile'),
    ...extra,
  };
}

/** The full path of the first command that exists. Commands without a slash are searched in PATH. */
export function findCommand(...commands) {
  const folders = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== binFolder);
  const candidates = commands.flatMap((command) =>
    command.includes('/') ? [command] : folders.map((folder) => join(folder, command)),
  );
  return candidates.find((candidate) => existsSync(candidate));
}

/** False for a file that does not start, such as a stub or a program for another libc. */
export function canRun(command, args = ['--version']) {
  return spawnSync(command, args, { stdio: 'ignore', timeout: 20_000 }).status === 0;
}

export function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    if (error instanceof SyntaxError || error?.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The text of a JSON file. */
export function toJson(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
