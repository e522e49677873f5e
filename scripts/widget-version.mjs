// Writes one version of the widget for the BFF: a folder named after the version, with files that never change.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { toJson } from './project.mjs';

/** Scripts and long texts, which are also stored compressed. */
const compressible = /\.(?:js|txt)$/;

/**
 * Writes `<version>/` with every file, its Brotli and gzip forms, and its manifest, then the manifest that names this version
 * as current. The last write switches the version, so that an interrupted build leaves the previous version in use.
 *
 * @param {string} folder
 * @param {{
 *   version: string,
 *   entry: string,
 *   files: readonly {
 *     file: string, bytes: number, gzip: number, integrity: string,
 *     content: Uint8Array, compressed: Readonly<Record<'br' | 'gz', Uint8Array>>,
 *   }[],
 * }} built
 */
export function writeVersion(folder, { version, entry, files }) {
  const listed = files.map(({ file, bytes, gzip, integrity }) => ({
    file,
    bytes,
    gzip,
    integrity,
  }));
  const manifest = toJson({ version, entry, files: listed });
  for (const { file, content, compressed } of files) {
    write(join(folder, version, file), content);
    if (!compressible.test(file)) continue;
    for (const [extension, bytes] of Object.entries(compressed))
      write(join(folder, version, `${file}.${extension}`), bytes);
  }
  write(join(folder, version, 'manifest.json'), manifest);
  write(join(folder, 'manifest.json'), manifest);
}

export function removeVersion(folder, version) {
  rmSync(join(folder, version), { recursive: true, force: true });
}

function write(path, content) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
