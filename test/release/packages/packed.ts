// Reads the packed packages, as an adopter's npm receives them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createPackageFromTarballData } from './types-check.ts';
import { packagesFolder } from '../../../scripts/project.mjs';

/** The packages of the project by their folders in dist/packages. */
export const packageNames = {
  element: 'funding-application',
  bff: 'funding-application-bff',
} as const;

type Manifest = Record<string, unknown> & { readonly name: string; readonly version: string };

export type PackedPackage = ReturnType<typeof readPackedPackage>;

export function readPackedPackage(folderName: keyof typeof packageNames) {
  const name = packageNames[folderName];
  const tarball = join(packagesFolder, `${name}.tgz`);
  const data = new Uint8Array(readFileSync(tarball));
  const files = createPackageFromTarballData(data);
  const start = `/node_modules/${name}/`;
  const read = (file: string) => files.readFile(start + file);
  return {
    /** The built folder that the tarball contains. */
    folder: join(packagesFolder, folderName),
    tarball,
    data,
    /** The paths of all files in the package, sorted. */
    files: files
      .listFiles()
      .filter((path) => path.startsWith(start))
      .map((path) => path.slice(start.length))
      .toSorted(),
    manifest: JSON.parse(read('package.json')) as Manifest,
    read,
  };
}
