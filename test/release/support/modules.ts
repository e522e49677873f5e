// The packages of adopters: those of the lockfile of this folder, then those of the project.

import { existsSync, readFileSync, symlinkSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../../../scripts/project.mjs';

const releaseFolder = join(root, 'test/release');
const folders = [releaseFolder, root];
/** Programs in this folder find the packages of adopters. */
export const releaseOutput = join(releaseFolder, 'test-output');

export function findModule(name: string): string {
  const candidates = folders.map((folder) => join(folder, 'node_modules', name));
  const path = candidates.find((candidate) => existsSync(candidate));
  if (path === undefined) throw new Error(`${name} is in no lockfile. Add it to test/release.`);
  return path;
}

/** The versions of the lockfiles, so that a test is the same tomorrow. */
export function findLockedVersion(name: string): string {
  for (const folder of folders) {
    const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
    const version = packages[`node_modules/${name}`]?.version;
    if (version !== undefined) return version;
  }
  throw new Error(`${name} is in no lockfile. Add it to test/release.`);
}

/** Links packages, each by its name, into the folder `node_modules` of an adopter. */
export function linkModules(into: string, names: readonly string[]): void {
  for (const name of names) {
    const link = join(into, 'node_modules', name);
    if (existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(findModule(name), link);
  }
}
