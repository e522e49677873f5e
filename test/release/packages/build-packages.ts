// Global setup of the tests of the npm packages: builds and packs them, as `npm run build` does.
// `npm test` has built them already, and says so with TEST_PACKAGES=built.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../../scripts/project.mjs';

/** In this order: the package of the BFF contains the built element. */
const builds = [
  ['--mode', 'release'],
  ['--config', 'vite.config.element.ts'],
  ['--config', 'vite.config.bff-package.ts'],
];

export async function setup(): Promise<void> {
  if (process.env['TEST_PACKAGES'] !== 'built') await buildPackages(root);
}

/** In processes of their own, because a build with the environment of the test runner is not one for production. */
export async function buildPackages(folder: string): Promise<void> {
  const { NODE_ENV: _, VITEST: __, ...env } = process.env;
  const vite = join(folder, 'node_modules/vite/bin/vite.js');
  for (const options of builds) {
    const args = [vite, 'build', ...options, '--logLevel=warn'];
    await promisify(execFile)(process.execPath, args, { cwd: folder, env });
  }
}
