// Starts an example of a mounted BFF as its README says, with the built package instead of an installed one.

import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/project.mjs';
import { startProcess } from '../../support/bff-process.ts';
import { readPackedPackage } from './packed.ts';
import { releaseOutput } from '../support/modules.ts';

export type Example = ReturnType<typeof copyExample>;

export function copyExample(name: string) {
  const parent = join(releaseOutput, 'examples');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, `${name}-`));
  cpSync(join(root, 'examples', name), folder, { recursive: true });
  const packed = readPackedPackage('bff');
  cpSync(packed.folder, join(folder, 'node_modules', packed.manifest.name), { recursive: true });

  return {
    /** A copy of the example. Inside of this folder, so that the frameworks of its lockfile are found. */
    folder,
    /** Runs a program of the project in the folder. */
    run: (program: string, variables: NodeJS.ProcessEnv, ...args: readonly string[]) =>
      startProcess({ program, arguments: args, variables, directory: folder }),
    /** Writes a settings file, and returns its path. */
    writeSettings(settings: object) {
      const path = join(folder, 'settings.json');
      writeFileSync(path, JSON.stringify(settings));
      return path;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
