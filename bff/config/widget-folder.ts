// Finds the built widget and the earlier versions in its folder, and verifies every file once, at startup.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import * as z from 'zod/mini';
import project from '../../package.json' with { type: 'json' };
import type { EnvironmentReader } from './environment-reader.ts';

/** The build writes one manifest into the folder of each version, and one for the current version next to these folders. */
const manifestName = 'manifest.json';

const manifestSchema = z.object({
  /** The release and a hash of all files, such as `0.1.0-1f3870be`. */
  version: z.string().check(z.regex(/^[\w.+-]{1,40}$/)),
  /** All files except the manifest, at most one folder deep. The pattern excludes paths that leave the folder. */
  files: z.array(
    z.object({
      file: z.string().check(z.regex(/^(?:[\w-]+\/)?[\w-]+(?:\.[\w-]+)*$/)),
      integrity: z.string(),
    }),
  ),
});

export interface WidgetFile {
  /** Relative to the widget's folder. Compressed forms are next to the file, as `.br` and `.gz`. */
  readonly path: string;
  /** Subresource Integrity of the uncompressed content. */
  readonly integrity: string;
  /** If true, the content of this URL can never change. */
  readonly isImmutable: boolean;
}

export interface WidgetFolder {
  readonly directory: string;
  /** The current version. */
  readonly version: string;
  /** The served files by their path below `/widget/`. */
  readonly files: ReadonlyMap<string, WidgetFile>;
  /** One sentence for each earlier version with missing or damaged files. */
  readonly warnings: readonly string[];
}

/** The default folder: `widget` next to the bundle in a release, `dist/widget` in a clone. */
export function findBuiltWidget(): string {
  const path = import.meta.url.endsWith('.ts') ? '../../dist/widget' : '../widget';
  return fileURLToPath(new URL(path, import.meta.url));
}

/**
 * Returns `undefined` if WIDGET_FOLDER is `none`, or, with a problem, if the folder does not have the complete widget of this
 * release.
 *
 * @param defaultFolder the folder if WIDGET_FOLDER is not set.
 */
export function readWidgetFolder(
  reader: EnvironmentReader,
  defaultFolder = findBuiltWidget(),
): WidgetFolder | undefined {
  const folder = reader.optional('WIDGET_FOLDER');
  if (folder === 'none') return undefined;
  const directory = resolve(folder ?? defaultFolder);
  const report = (problem: string): undefined => {
    reader.problem('WIDGET_FOLDER', problem);
  };
  const version = readManifest(directory)?.version;
  if (version === undefined) {
    const problem = folder
      ? 'names a folder without a built widget'
      : 'is not set, and the default folder has no built widget';
    return report(
      `${problem}. Run npm run build, or copy dist/widget next to dist/bff. Set it to none if another server serves the widget.`,
    );
  }
  if (version !== project.version && !version.startsWith(`${project.version}-`)) {
    const fix = 'Copy dist/widget and dist/bff of the same build.';
    return report(`contains the widget of another release. ${fix}`);
  }
  const { faults, ...widget } = indexWidget(directory, version);
  if (faults[0] === undefined) return widget;
  return report(
    `contains a damaged widget: ${faults[0]}. Copy dist/widget again, with all its folders.`,
  );
}

/**
 * Lists the served files of the current version and of the earlier versions in the folder.
 *
 * @returns also `faults`: missing and damaged files of the current version.
 */
export function indexWidget(
  directory: string,
  version: string,
): WidgetFolder & { readonly faults: readonly string[] } {
  const current = checkVersion(directory, version);
  const earlier = readdirSync(directory)
    .filter((name) => name !== version && /^\d+\.\d+\.\d+/.test(name))
    .map((name) => checkVersion(directory, name));
  const files = new Map<string, WidgetFile>();
  for (const { name, intact } of [current, ...earlier]) {
    for (const { file, integrity } of intact) {
      const path = `${name}/${file}`;
      files.set(path, { path, integrity, isImmutable: file !== manifestName });
      // Pages without a version in their script tag get the current files. Pages that were opened before this release still
      // load chunks of theirs. The name of a chunk contains a hash of its content.
      const isChunk = file.startsWith('chunks/');
      if (name === version || (isChunk && !files.has(file))) {
        files.set(file, { path, integrity, isImmutable: isChunk });
      }
    }
  }
  const warnings = earlier
    .filter(({ faults }) => faults.length > 0)
    .map(
      ({ name, faults }) => `Version ${name} of the widget is incomplete: ${faults.join('; ')}.`,
    );
  return { directory, version, files, warnings, faults: current.faults };
}

/**
 * Compares each file with the manifest of its folder: a copy can be incomplete or mix two builds.
 *
 * @returns the intact files, including the manifest, and a text for each missing or damaged file.
 */
function checkVersion(directory: string, name: string) {
  const folder = join(directory, name);
  const manifest = readManifest(folder);
  if (manifest?.version !== name) {
    const fault = manifest
      ? `its manifest is for version ${manifest.version}`
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

function readManifest(folder: string): z.infer<typeof manifestSchema> | undefined {
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(join(folder, manifestName), 'utf8')));
  } catch {
    // The manifest is missing, cannot be read, or is not valid.
    return undefined;
  }
}

function toIntegrity(content: Uint8Array): string {
  return `sha384-${createHash('sha384').update(content).digest('base64')}`;
}
