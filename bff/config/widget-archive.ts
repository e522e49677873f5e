// Keeps the versions of the element that the BFFs of this installation have served, for pages that still use them.

import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { toErrorCode } from '../runtime/error-code.ts';
import type { EnvironmentReader } from './environment-reader.ts';
import { checkVersion, compressedExtensions } from './widget-version.ts';

/** Of folders that are being copied. No version has such a name. */
const incomingPrefix = '.incoming-';
/** A copy takes seconds. An older one belongs to a process that was killed. */
const maxCopyMs = 3_600_000;

/** The absolute path of WIDGET_ARCHIVE. `undefined`, with a problem, if the BFF cannot write to it. */
export function readWidgetArchive(reader: EnvironmentReader): string | undefined {
  const path = reader.optional('WIDGET_ARCHIVE');
  if (path === undefined) return undefined;
  if (reader.optional('WIDGET_FOLDER') === 'none') {
    const fix = 'Unset it: the server that serves the element keeps earlier versions.';
    reader.problem('WIDGET_ARCHIVE', `is set, but WIDGET_FOLDER is none. ${fix}`);
    return undefined;
  }
  const archive = resolve(path);
  const problem = findProblem(archive);
  if (problem === undefined) return archive;
  reader.problem('WIDGET_ARCHIVE', problem);
  return undefined;
}

/** The BFF creates the folder. A parent that does not exist is probably a disk that is not mounted. */
function findProblem(archive: string): string | undefined {
  const folder = existsSync(archive) ? archive : dirname(archive);
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    if (statSync(folder).isDirectory()) return undefined;
    return 'names a file. Set it to the path of a folder.';
  } catch (error) {
    if (toErrorCode(error) === 'ENOENT') {
      return 'names a folder in a folder that does not exist. Create it, or unset the variable.';
    }
    return 'names a folder that this user may not write to. Change its owner, or unset the variable.';
  }
}

/**
 * Copies a version into the archive, unless it has an intact one. Other processes can do the same meanwhile, and read the archive:
 * a version gets its name when it is complete.
 *
 * @returns one sentence if it fails. The BFF serves its own version without the archive.
 */
export function archiveVersion(
  directory: string,
  version: string,
  archive: string,
): string | undefined {
  try {
    mkdirSync(archive, { recursive: true });
    removeAbandoned(archive);
    if (isIntact(archive, version)) return undefined;
    const incoming = mkdtempSync(join(archive, incomingPrefix));
    try {
      copyVersion(join(directory, version), incoming, checkVersion(directory, version).intact);
      // A damaged version has the same name.
      rmSync(join(archive, version), { recursive: true, force: true });
      renameSync(incoming, join(archive, version));
    } finally {
      rmSync(incoming, { recursive: true, force: true });
    }
    return undefined;
  } catch (error) {
    // Another process was faster.
    if (isIntact(archive, version)) return undefined;
    const reason = toErrorCode(error) ?? 'unknown';
    return `WIDGET_ARCHIVE cannot take version ${version} of the element (${reason}), so pages that use it break after the next upgrade. Check the space and the owner of the folder, and restart.`;
  }
}

function isIntact(archive: string, version: string): boolean {
  return checkVersion(archive, version).faults.length === 0;
}

function copyVersion(from: string, to: string, files: readonly { readonly file: string }[]): void {
  for (const { file } of files) {
    mkdirSync(dirname(join(to, file)), { recursive: true });
    for (const extension of ['', ...compressedExtensions]) {
      const source = join(from, file + extension);
      if (existsSync(source)) copyFileSync(source, join(to, file + extension));
    }
  }
}

function removeAbandoned(archive: string): void {
  for (const name of readdirSync(archive)) {
    const path = join(archive, name);
    if (!name.startsWith(incomingPrefix)) continue;
    // Another process may have renamed or removed it meanwhile.
    const modifiedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - modifiedAt > maxCopyMs) rmSync(path, { recursive: true, force: true });
  }
}
