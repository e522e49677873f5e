// Verifies one version of the built element: each file has the hash of the version's manifest.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import * as z from 'zod/mini';

/** The build writes one manifest into the folder of each version, and one for the current version next to these folders. */
export const manifestName = 'manifest.json';

const manifestSchema = z.object({
  version: z.string().check(z.regex(/^\d+\.\d+\.\d+[\w.-]{0,30}$/)),
  /** Depends on every byte of the files. */
  hash: z.string().check(z.regex(/^\w{1,64}$/)),
  /** All files except the manifest, at most one folder deep. The pattern excludes paths that leave the folder. */
  files: z.array(
    z.object({
      file: z.string().check(z.regex(/^(?:[\w-]+\/)?[\w-]+(?:\.[\w-]+)*$/)),
      integrity: z.string(),
    }),
  ),
});

/** The files of a version that can be served, and what is wrong with the others. */
export interface CheckedVersion {
  /** The name of its folder, and its part of the URLs. */
  readonly name: string;
  readonly intact: readonly { readonly file: string; readonly integrity: string }[];
  readonly faults: readonly string[];
}

/**
 * Compares each file with the manifest of its folder: a copy can be incomplete or mix two builds.
 *
 * @returns the intact files, including the manifest, and a text for each missing or damaged file.
 */
export function checkVersion(directory: string, name: string): CheckedVersion {
  const folder = join(directory, name);
  const manifest = readManifest(folder);
  if (manifest?.name !== name) {
    const fault = manifest
      ? `its manifest is for version ${manifest.name}`
      : `${name}/${manifestName} is missing or damaged`;
    return { name, intact: [], faults: [fault] };
  }
  const faults: string[] = [];
  const intact = manifest.files.filter(({ file, integrity }) => {
    const fault = findFault(join(folder, file), integrity);
    if (fault) faults.push(`${file} is ${fault}`);
    return !fault;
  });
  const integrity = toIntegrity(readFileSync(join(folder, manifestName)));
  return { name, intact: [...intact, { file: manifestName, integrity }], faults };
}

const decompress = {
  '.br': brotliDecompressSync,
  '.gz': gunzipSync,
  // The build writes no Zstandard, but `serveStatic` would send a file that someone has added.
  '.zst': zstdDecompressSync,
} as const;

export const compressedExtensions = Object.keys(decompress);

/** A compressed form is optional. If it exists, it must have the same content. */
function findFault(path: string, integrity: string): 'missing' | 'damaged' | undefined {
  if (!existsSync(path)) return 'missing';
  try {
    const content = readFileSync(path);
    const limit = { maxOutputLength: Math.max(1, content.length) };
    const isIntact = Object.entries(decompress).every(
      ([extension, toContent]) =>
        !existsSync(path + extension) ||
        toContent(readFileSync(path + extension), limit).equals(content),
    );
    return isIntact && toIntegrity(content) === integrity ? undefined : 'damaged';
  } catch {
    // The file cannot be read or decompressed.
    return 'damaged';
  }
}

/**
 * Also returns the name of the version's folder, such as `1.0.0-1f3870be`. It contains the hash, because clients cache the files of a
 * folder forever: two builds of one version need two names.
 */
export function readManifest(
  folder: string,
): (z.infer<typeof manifestSchema> & { readonly name: string }) | undefined {
  try {
    const text = readFileSync(join(folder, manifestName), 'utf8');
    const manifest = manifestSchema.parse(JSON.parse(text));
    return { ...manifest, name: `${manifest.version}-${manifest.hash}` };
  } catch {
    // The manifest is missing, cannot be read, or is not valid.
    return undefined;
  }
}

function toIntegrity(content: Uint8Array): string {
  return `sha384-${createHash('sha384').update(content).digest('base64')}`;
}
