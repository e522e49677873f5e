// The archive of earlier versions of the element.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EnvironmentReader } from '../../../bff/config/environment-reader.ts';
import { archiveVersion, readWidgetArchive } from '../../../bff/config/widget-archive.ts';
import { indexWidget } from '../../../bff/config/widget-folder.ts';
import {
  createWidgetFolder,
  entryName,
  toIntegrity,
  type TestWidgetFolder,
} from '../../support/widget-folder.ts';

const version = '1.2.3-aaaaaaaa';
const next = '1.2.4-bbbbbbbb';

let disk: string;
let archive: string;
let folder: TestWidgetFolder;
let newer: TestWidgetFolder;

beforeEach(() => {
  disk = mkdtempSync(join(tmpdir(), 'widget-archive-'));
  archive = join(disk, 'widgets');
  folder = createWidgetFolder(version, { [entryName]: 'old', 'chunks/review-1.js': 'old chunk' });
  newer = createWidgetFolder(next, { [entryName]: 'new', 'chunks/review-2.js': 'new chunk' });
});

afterEach(() => {
  for (const { remove } of [folder, newer]) remove();
  rmSync(disk, { recursive: true });
});

describe('readWidgetArchive', () => {
  const read = (path: string) => {
    const reader = new EnvironmentReader({
      variables: { WIDGET_ARCHIVE: path },
      readFile: () => '',
    });
    return { path: readWidgetArchive(reader), problems: reader.problems() };
  };

  it('accepts a folder that does not exist yet', () => {
    expect(read(archive)).toEqual({ path: archive, problems: [] });
  });

  it('reports a disk that is not mounted', () => {
    expect(read(join(archive, 'widgets')).problems).toEqual([
      'WIDGET_ARCHIVE names a folder in a folder that does not exist. Create it, or unset the variable.',
    ]);
  });

  it('reports a file', () => {
    writeFileSync(archive, '');
    chmodSync(archive, 0o755);
    expect(read(archive).problems).toEqual([
      'WIDGET_ARCHIVE names a file. Set it to the path of a folder.',
    ]);
  });

  it.skipIf(process.platform !== 'linux')('reports a folder without the right to write', () => {
    // Nobody can write there, not even root.
    expect(read('/proc/self/widgets').problems).toEqual([
      'WIDGET_ARCHIVE names a folder that this user may not write to. Change its owner, or unset the variable.',
    ]);
  });
});

describe('archiveVersion', () => {
  it('copies every file of the version, with its compressed forms', () => {
    expect(archiveVersion(folder.directory, version, archive)).toBeUndefined();
    const list = (directory: string) =>
      readdirSync(join(directory, version), { recursive: true }).toSorted();
    expect(list(archive)).toEqual(list(folder.directory));
    expect(list(archive)).toContain('chunks/review-1.js.br');
  });

  it('leaves nothing else in the archive', () => {
    archiveVersion(folder.directory, version, archive);
    archiveVersion(folder.directory, version, archive);
    expect(readdirSync(archive)).toEqual([version]);
  });

  it('copies no file that the manifest does not name', () => {
    folder.write(`${version}/secret.txt`, 'secret');
    archiveVersion(folder.directory, version, archive);
    expect(existsSync(join(archive, version, 'secret.txt'))).toBe(false);
  });

  it('replaces a damaged copy', () => {
    archiveVersion(folder.directory, version, archive);
    writeFileSync(join(archive, version, entryName), 'torn');
    expect(archiveVersion(folder.directory, version, archive)).toBeUndefined();
    const { files } = indexWidget(newer.directory, next, archive);
    expect(files.get(`${version}/${entryName}`)?.integrity).toBe(toIntegrity('old'));
  });

  it('removes what a killed process left an hour ago', () => {
    for (const name of ['.incoming-old', '.incoming-now'])
      mkdirSync(join(archive, name), { recursive: true });
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    utimesSync(join(archive, '.incoming-old'), longAgo, longAgo);
    archiveVersion(folder.directory, version, archive);
    expect(readdirSync(archive).toSorted()).toEqual(['.incoming-now', version]);
  });

  it('says what to do if it cannot write', () => {
    writeFileSync(archive, 'a file');
    expect(archiveVersion(folder.directory, version, archive)).toBe(
      `WIDGET_ARCHIVE cannot take version ${version} of the element (EEXIST), so pages that use it break after the next upgrade. Check the space and the owner of the folder, and restart.`,
    );
  });
});

describe('indexWidget with an archive', () => {
  it('serves an archived version beside the current one', () => {
    archiveVersion(folder.directory, version, archive);
    const { files } = indexWidget(newer.directory, next, archive);
    const kept = { directory: archive, isImmutable: true };
    expect(files.get(`${version}/${entryName}`)).toMatchObject(kept);
    expect(files.get('chunks/review-1.js')).toMatchObject(kept);
    expect(files.get(entryName)).toMatchObject({ directory: newer.directory });
  });

  it('prefers the files of its own folder', () => {
    archiveVersion(newer.directory, next, archive);
    const { files } = indexWidget(newer.directory, next, archive);
    expect(new Set([...files.values()].map(({ directory }) => directory))).toEqual(
      new Set([newer.directory]),
    );
  });

  it('serves no file that differs from its manifest', () => {
    archiveVersion(folder.directory, version, archive);
    writeFileSync(join(archive, version, 'chunks/review-1.js'), 'changed');
    const { files, warnings } = indexWidget(newer.directory, next, archive);
    expect(files.has('chunks/review-1.js')).toBe(false);
    expect(warnings).toEqual([
      `Version ${version} of the widget is incomplete: chunks/review-1.js is damaged.`,
    ]);
  });

  it('finds a version that another process has added', async () => {
    archiveVersion(folder.directory, version, archive);
    const widget = indexWidget(folder.directory, version, archive);
    archiveVersion(newer.directory, next, archive);
    await widget.archive?.findNewVersions();
    expect(widget.files.get(`${next}/${entryName}`)?.integrity).toBe(toIntegrity('new'));
    // Its own page still gets the version of this process.
    expect(widget.files.get(entryName)?.integrity).toBe(toIntegrity('old'));
  });
});
