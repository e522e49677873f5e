// Global setup of the tests of the npm packages: builds and packs them, as `npm run build` does.

import { build } from 'vite';
import { root } from '../../scripts/project.mjs';

export async function setup(): Promise<void> {
  await build({ root, configFile: 'vite.config.element.ts', logLevel: 'warn' });
}
