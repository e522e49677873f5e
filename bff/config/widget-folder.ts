// Finds the built widget and its earlier versions, in its folder and in the archive, and verifies every file once.

import { existsSync, readdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import project from '../../package.json' with { type: 'json' };
import type { EnvironmentReader } from './environment-reader.ts';
import { readWidgetArchive } from './widget-archive.ts';
import { checkVersion, type CheckedVersion, manifestName, readManifest } from './widget-version.ts';

export interface WidgetFile {
  /** The folder of the widget, or the archive. */
  readonly directory: string;
  /** Relative to `directory`. Compressed forms are next to the file, as `.br` and `.gz`. */
  readonly path: string;
  /** Subresource Integrity of the uncompressed content. */
  readonly integrity: string;
  /** If true, the content of this URL can never change. */
  readonly isImmutable: boolean;
}

export interface WidgetFolder {
  readonly directory: string;
  readonly archive?: WidgetArchive | undefined;
  /** The folder of the current version, such as `1.0.0-1f3870be`. Its part before the hash is the version of the BFF. */
  readonly name: string;
  /** The served files by their path below `/widget/`. The archive adds to them. */
  readonly files: ReadonlyMap<string, WidgetFile>;
  /** One sentence for each earlier version with missing or damaged files. */
  readonly warnings: readonly string[];
}

/** The folder of WIDGET_ARCHIVE. */
export interface WidgetArchive {
  /** An absolute path. */
  readonly directory: string;
  /** Serves the versions too that other processes have added since. Rejects if the folder cannot be read. */
  readonly findNewVersions: () => Promise<void>;
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
  if (folder === 'none') {
    readWidgetArchive(reader);
    return undefined;
  }
  const directory = resolve(folder ?? defaultFolder);
  const report = (problem: string): undefined => {
    reader.problem('WIDGET_FOLDER', problem);
  };
  const manifest = readManifest(directory);
  if (manifest === undefined) {
    const problem = folder
      ? 'names a folder without a built widget'
      : 'is not set, and the default folder has no built widget';
    return report(
      `${problem}. Run npm run build, or copy dist/widget next to dist/bff. Set it to none if another server serves the widget.`,
    );
  }
  if (manifest.version !== project.version) {
    const fix = 'Copy dist/widget and dist/bff of the same build.';
    return report(`contains the widget of another release. ${fix}`);
  }
  const { faults, ...widget } = indexWidget(directory, manifest.name, readWidgetArchive(reader));
  if (faults[0] === undefined) return widget;
  return report(
    `contains a damaged widget: ${faults[0]}. Copy dist/widget again, with all its folders.`,
  );
}

/**
 * Lists the served files of the current version, and of the earlier versions in the folder and in the archive.
 *
 * @returns also `faults`: missing and damaged files of the current version.
 */
export function indexWidget(
  directory: string,
  currentName: string,
  archive?: string,
): WidgetFolder & { readonly faults: readonly string[] } {
  const files = new Map<string, WidgetFile>();
  /** Looked at already. Each is read once, because anybody can request unknown names. */
  const archived = new Set<string>([currentName]);

  function add(folder: string, { name, intact }: CheckedVersion): void {
    for (const { file, integrity } of intact) {
      const path = `${name}/${file}`;
      const served = { directory: folder, path, integrity };
      // Pages without a version in their script tag get the current files. Pages that were opened before this release still
      // load chunks of theirs. The name of a chunk contains a hash of its content.
      const isChunk = file.startsWith('chunks/');
      const isCurrent = folder === directory && name === currentName;
      if (!files.has(path)) files.set(path, { ...served, isImmutable: file !== manifestName });
      if ((isCurrent || isChunk) && !files.has(file)) {
        files.set(file, { ...served, isImmutable: isChunk });
      }
    }
  }

  function addArchived(folder: string, names: readonly string[]): readonly CheckedVersion[] {
    const added = names
      .filter((name) => isVersionName(name) && !archived.has(name))
      .map((name) => checkVersion(folder, name));
    for (const checked of added) {
      archived.add(checked.name);
      add(folder, checked);
    }
    return added;
  }

  const current = checkVersion(directory, currentName);
  add(directory, current);
  const earlier = readdirSync(directory)
    .filter((name) => name !== currentName && isVersionName(name))
    .map((name) => checkVersion(directory, name));
  for (const checked of earlier) add(directory, checked);
  const kept =
    archive !== undefined && existsSync(archive) ? addArchived(archive, readdirSync(archive)) : [];

  const warnings = [...earlier, ...kept]
    .filter(({ faults }) => faults.length > 0)
    .map(
      ({ name, faults }) => `Version ${name} of the widget is incomplete: ${faults.join('; ')}.`,
    );
  return {
    directory,
    name: currentName,
    files,
    archive:
      archive === undefined
        ? undefined
        : {
            directory: archive,
            async findNewVersions() {
              addArchived(archive, await readdir(archive));
            },
          },
    warnings,
    faults: current.faults,
  };
}

function isVersionName(name: string): boolean {
  return /^\d+\.\d+\.\d+/.test(name);
}
