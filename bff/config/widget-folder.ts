// Finds the built widget and the versions kept beside it. Checks every file once, at the start: nothing is hashed per request.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import * as z from 'zod/mini';
import project from '../../package.json' with { type: 'json' };
import type { Reader } from './environment-reader.ts';
import { tryParseJson } from '../runtime/json.ts';

/** The build writes it into the folder of each version, and beside these folders for the current one. */
const manifestName = 'manifest.json';

/** At most one folder deep; nothing that leads out of the version's folder can be written so. */
const filePattern = /^(?:[\w-]+\/)?[\w-]+(?:\.[\w-]+)*$/;

export const widgetManifestSchema = z.object({
  /** The release, followed by a hash of all files from 0.1.0 on, as in `0.1.0-1f3870be`. */
  version: z.string().check(z.regex(/^[\w.+-]{1,40}$/)),
  /** Name of the file that pages load. */
  entry: z.string(),
  /** Every file except the manifest itself. */
  files: z.array(z.object({ file: z.string().check(z.regex(filePattern)), integrity: z.string() })),
});

export type WidgetManifest = z.infer<typeof widgetManifestSchema>;

export interface WidgetFile {
  /** Below the folder of the widget. Compressed forms lie beside the file, as `.br` and `.gz`. */
  readonly path: string;
  /** Of the uncompressed content, as in the manifest. */
  readonly integrity: string;
  /** True where this address can never have another content. */
  readonly isImmutable: boolean;
}

export interface WidgetFolder {
  /** Holds a folder for each version, and the manifest that names the current one. */
  readonly directory: string;
  /** The current version. */
  readonly version: string;
  /** What is served, by its address below `/widget/`. */
  readonly files: ReadonlyMap<string, WidgetFile>;
  /** A sentence for each kept version with files that are not served. */
  readonly warnings: readonly string[];
}

/** Where the widget lies unless WIDGET_FOLDER says otherwise: beside the bundle in a release, the build's output in a clone. */
export function findBuiltWidget(): string {
  const place = import.meta.url.endsWith('.ts') ? '../../dist/widget' : '../widget';
  return fileURLToPath(new URL(place, import.meta.url));
}

/**
 * `undefined` where WIDGET_FOLDER is `none`, because something else serves the widget. Also `undefined`, with a problem,
 * where the widget of this release is not there as it was built.
 *
 * @param usual the folder when WIDGET_FOLDER is not set.
 */
export function readWidgetFolder(reader: Reader, usual: string): WidgetFolder | undefined {
  const named = reader.optional('WIDGET_FOLDER');
  if (named === 'none') return undefined;
  const directory = resolve(named ?? usual);
  const manifest = readManifest(directory);
  if (!manifest) {
    const what =
      named === undefined
        ? 'is not set, and the widget is not built'
        : 'names a folder that holds no built widget';
    reader.problem('WIDGET_FOLDER', what, buildIt);
    return undefined;
  }
  const { version } = manifest;
  if (version !== project.version && !version.startsWith(`${project.version}-`)) {
    reader.problem('WIDGET_FOLDER', 'holds the widget of another release', copyBoth);
    return undefined;
  }
  const widget = indexWidget(directory, version);
  const [fault] = widget.faults;
  if (fault !== undefined) {
    reader.problem('WIDGET_FOLDER', `holds a damaged widget: ${fault}`, copyAgain);
    return undefined;
  }
  return widget;
}

const buildIt =
  'Run npm run build; a release needs dist/widget beside dist/bff. Set it to none where something else serves the widget.';
const copyBoth = 'Copy dist/widget and dist/bff from one build.';
const copyAgain = 'Copy dist/widget again, with all its folders.';

/**
 * Lists what can be served of the current version and of those kept beside it.
 *
 * @returns `faults`: what is missing or damaged in the current version.
 */
export function indexWidget(
  directory: string,
  version: string,
): WidgetFolder & { readonly faults: readonly string[] } {
  const files = new Map<string, WidgetFile>();
  const current = checkVersion(directory, version);
  for (const { file, integrity } of current.files) {
    const path = `${version}/${file}`;
    files.set(path, { path, integrity, isImmutable: file !== manifestName });
    // Pages that name no version. A chunk's name holds a hash of its content, the other names do not.
    files.set(file, { path, integrity, isImmutable: isChunk(file) });
  }

  const warnings: string[] = [];
  for (const kept of listVersions(directory)) {
    if (kept === version) continue;
    const { files: found, faults } = checkVersion(directory, kept);
    if (faults.length > 0) {
      warnings.push(`The widget's version ${kept} is not served whole: ${faults.join('; ')}.`);
    }
    for (const { file, integrity } of found) {
      const path = `${kept}/${file}`;
      files.set(path, { path, integrity, isImmutable: file !== manifestName });
      // Asked for by a page that was opened before this release, or by one that the next release has served.
      if (isChunk(file) && !files.has(file))
        files.set(file, { path, integrity, isImmutable: true });
    }
  }
  return { directory, version, files, warnings, faults: current.faults };
}

function isChunk(file: string): boolean {
  return file.startsWith('chunks/');
}

/** Folders named by a release; others hold no version. */
function listVersions(directory: string): readonly string[] {
  return readdirSync(directory).filter((name) => /^\d+\.\d+\.\d+/.test(name));
}

interface CheckedVersion {
  /** Those that are as they were built; among them the manifest. */
  readonly files: readonly { readonly file: string; readonly integrity: string }[];
  /** What is missing or damaged, without a full stop. */
  readonly faults: readonly string[];
}

/** Compares each file with the manifest of its folder: a copy may have broken off, or mixed two builds. */
function checkVersion(directory: string, version: string): CheckedVersion {
  const folder = join(directory, version);
  const manifest = readManifest(folder);
  if (!manifest) return { files: [], faults: [`${version}/${manifestName} is missing or damaged`] };
  if (manifest.version !== version) {
    return { files: [], faults: [`its manifest says ${manifest.version}`] };
  }
  const files: { file: string; integrity: string }[] = [];
  const faults: string[] = [];
  for (const { file, integrity } of manifest.files) {
    const state = checkFile(join(folder, file), integrity);
    if (state === 'whole') files.push({ file, integrity });
    else faults.push(`${file} is ${state}`);
  }
  const integrity = toIntegrity(readFileSync(join(folder, manifestName)));
  return { files: [...files, { file: manifestName, integrity }], faults };
}

type Decompress = (content: Buffer, limit: { readonly maxOutputLength: number }) => Buffer;

const decompress: Readonly<Record<string, Decompress>> = {
  '.br': brotliDecompressSync,
  '.gz': gunzipSync,
  // The build writes none; serveStatic would send one that somebody has added.
  '.zst': zstdDecompressSync,
};

/** Compressed forms are optional: without them the file is sent as it is. One that is there has to hold the same content. */
function checkFile(path: string, integrity: string): 'whole' | 'missing' | 'damaged' {
  if (!existsSync(path)) return 'missing';
  try {
    const content = readFileSync(path);
    if (toIntegrity(content) !== integrity) return 'damaged';
    for (const [extension, toContent] of Object.entries(decompress)) {
      if (!existsSync(path + extension)) continue;
      const compressed = readFileSync(path + extension);
      const limit = { maxOutputLength: Math.max(1, content.length) };
      if (!toContent(compressed, limit).equals(content)) return 'damaged';
    }
    return 'whole';
  } catch {
    // A file that cannot be read, or not be decompressed, cannot be served either.
    return 'damaged';
  }
}

function readManifest(folder: string): WidgetManifest | undefined {
  try {
    const text = readFileSync(join(folder, manifestName), 'utf8');
    return widgetManifestSchema.safeParse(tryParseJson(text)).data;
  } catch {
    // Missing or unreadable: either way there is no widget to serve.
    return undefined;
  }
}

function toIntegrity(content: Uint8Array): string {
  return `sha384-${createHash('sha384').update(content).digest('base64')}`;
}
