// Paths and process helpers that every script shares. Runs on Node 20, before anything is installed.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
/** Lives inside node_modules so that a new install, which may bring other versions, starts from nothing. */
export const cacheFolder = join(root, 'node_modules', '.cache', 'funding-application');
export const browsersFile = join(cacheFolder, 'browsers.json');

const binFolder = join(root, 'node_modules', '.bin');

/** The environment of a child process. It finds the project's tools and its Node first, and caches compiled modules. */
export function childEnvironment(extra = {}) {
  return {
    ...process.env,
    PATH: `${binFolder}${delimiter}${process.env.PATH ?? ''}`,
    NODE_COMPILE_CACHE: join(cacheFolder, 'compile'),
    ...extra,
  };
}

/** The first of the commands that is on PATH, as a full path; commands given as a path are looked up as they are. */
export function findCommand(...commands) {
  const folders = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== binFolder);
  const candidates = commands.flatMap((command) =>
    command.includes('/') ? [command] : folders.map((folder) => join(folder, command)),
  );
  return candidates.find((candidate) => existsSync(candidate));
}

/** Whether a command starts at all: a file of the right name can be a stub, or of another system's libc. */
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
