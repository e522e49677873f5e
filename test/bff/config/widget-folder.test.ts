// The widget's folder and the archive of earlier versions: where they are, which files are served, and which faults prevent a start.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { EnvironmentReader } from '../../../bff/config/environment-reader.ts';
import { archiveVersion, readWidgetArchive } from '../../../bff/config/widget-archive.ts';
import {
  findBuiltWidget,
  indexWidget,
  readWidgetFolder,
} from '../../../bff/config/widget-folder.ts';
import project from '../../../package.json' with { type: 'json' };
import {
  createWidgetFolder,
  entryName,
  toIntegrity,
  type TestWidgetFolder,
} from '../../support/widget-folder.ts';
import { createFolder } from '../../support/temporary-folder.ts';

const version = `${project.version}-1f3870be`;
const files = { [entryName]: 'entry', 'chunks/later-1.js': 'later', 'notices.txt': 'notices' };
const old = '0.0.1-aaaaaaaa';
const notBuilt =
  'WIDGET_FOLDER is not set, and the default folder has no built widget. Run npm run build, or copy dist/widget next to dist/bff. Set it to none if another server serves the widget.';

let folder: TestWidgetFolder;

beforeEach(() => {
  folder = createWidgetFolder(version, files);
  onTestFinished(() => folder.remove());
});

function write(file: string, content: string | Uint8Array): void {
  folder.write(`${version}/${file}`, content);
}

function remove(file: string): void {
  rmSync(join(folder.directory, version, file), { recursive: true });
}

function read(WIDGET_FOLDER: string | undefined = folder.directory, usual = '/nonexistent') {
  const reader = new EnvironmentReader({ variables: { WIDGET_FOLDER }, readFile: () => '' });
  const widget = readWidgetFolder(reader, usual);
  return { widget, problems: reader.problems() };
}

const readDefault = (usual = folder.directory) => {
  const reader = new EnvironmentReader({ variables: {}, readFile: () => '' });
  return { widget: readWidgetFolder(reader, usual), problems: reader.problems() };
};

it('findBuiltWidget returns the output of the build in a clone', () => {
  expect(findBuiltWidget()).toBe(join(import.meta.dirname, '../../../dist/widget'));
});

describe('readWidgetFolder', () => {
  it('uses WIDGET_FOLDER, or the default folder', () => {
    const widget = { directory: folder.directory, name: version, warnings: [] };
    expect(read()).toMatchObject({ widget, problems: [] });
    expect(readDefault()).toMatchObject({ widget, problems: [] });
    expect(read('none')).toEqual({ widget: undefined, problems: [] });
  });

  it.each(['0.0.1', `${project.version}1`])('refuses the widget of release %s', (other) => {
    folder.addVersion(`${other}-1f3870be`, files);
    expect(read()).toEqual({
      widget: undefined,
      problems: [
        'WIDGET_FOLDER contains the widget of another release. Copy dist/widget and dist/bff of the same build.',
      ],
    });
  });

  const empty = { version: project.version, entry: entryName, files: [] };
  it.each([
    '{',
    '{}',
    JSON.stringify({ ...empty, version: '../1', hash: 'a' }),
    JSON.stringify({ ...empty, hash: '../a' }),
    JSON.stringify(empty),
  ])('refuses the manifest %s', (manifest) => {
    folder.write('manifest.json', manifest);
    expect(readDefault()).toEqual({ widget: undefined, problems: [notBuilt] });
  });

  it('refuses a folder that does not exist, without its path', () => {
    expect(readDefault('/nonexistent').problems).toEqual([notBuilt]);
    const [problem] = read('/nonexistent').problems;
    expect(problem).toContain('WIDGET_FOLDER names a folder without a built widget. Run');
    expect(problem).not.toContain('nonexistent');
  });

  const otherVersion = `${project.version}-other`;
  const listing = (file: string) =>
    JSON.stringify({
      ...empty,
      hash: '1f3870be',
      files: [{ file, integrity: toIntegrity('x') }],
    });
  const damagedManifest = `${version}/manifest.json is missing or damaged`;
  it.each<[string, string, () => void]>([
    ['a version folder is missing', damagedManifest, () => remove('')],
    ['a manifest is missing', damagedManifest, () => remove('manifest.json')],
    ...[
      '../secret.js',
      'a/b/c.js',
      '/etc/passwd',
      '.hidden.js',
      'a.js/',
      'a//b.js',
      'a/../b.js',
    ].map((file): [string, string, () => void] => [
      `a manifest has the path ${file}`,
      damagedManifest,
      () => write('manifest.json', listing(file)),
    ]),
    [
      'a manifest is for another version',
      `its manifest is for version ${otherVersion}`,
      () => write('manifest.json', listing(entryName).replace('1f3870be', 'other')),
    ],
    ['a chunk is missing', 'chunks/later-1.js is missing', () => remove('chunks/later-1.js')],
    ['a file is truncated', `${entryName} is damaged`, () => write(entryName, 'ent')],
    [
      'a file has other content without compressed forms',
      `${entryName} is damaged`,
      () => {
        for (const form of ['br', 'gz']) remove(`${entryName}.${form}`);
        write(entryName, 'other');
      },
    ],
    [
      'a folder replaces a file',
      'notices.txt is damaged',
      () => {
        remove('notices.txt');
        mkdirSync(join(folder.directory, version, 'notices.txt'));
      },
    ],
    ...Object.entries({
      br: brotliCompressSync('entry').subarray(0, -1),
      gz: gzipSync('other'),
      zst: zstdCompressSync('other'),
    }).map(([form, content]): [string, string, () => void] => [
      `a compressed form differs: ${form}`,
      `${entryName} is damaged`,
      () => write(`${entryName}.${form}`, content),
    ]),
    [
      'a compressed form is longer',
      `${entryName} is damaged`,
      () => write(`${entryName}.br`, brotliCompressSync('entry and more')),
    ],
  ])('refuses the widget if %s', (_name, fault, damage) => {
    damage();
    const { widget, problems } = read();
    expect(widget).toBeUndefined();
    expect(problems).toEqual([expect.stringContaining(`a damaged widget: ${fault}`)]);
    expect(problems[0]).toMatch(
      /^WIDGET_FOLDER .*Copy dist\/widget again, with all its folders\.$/,
    );
  });

  it('accepts files without compressed forms', () => {
    for (const form of ['br', 'gz']) remove(`${entryName}.${form}`);
    expect(read().problems).toEqual([]);
  });
});

describe('indexWidget', () => {
  it('serves only files of a manifest', () => {
    write('extra.js', 'extra');
    folder.write('notes.txt', 'notes');
    folder.write('notes/manifest.json', '{}');
    folder.write(`backup-${old}/manifest.json`, '{}');
    const { files: served, warnings } = indexWidget(folder.directory, version);
    expect([...served.keys()].filter((name) => /extra|notes\/|notes\.txt/.test(name))).toEqual([]);
    expect(warnings).toEqual([]);
  });

  it('warns about a damaged file of an earlier version', () => {
    folder.addVersion(old, { [entryName]: 'old entry', 'chunks/old-1.js': 'old' });
    folder.addVersion(version, files);
    folder.write(`${old}/chunks/old-1.js`, 'ol');
    const { widget } = read();
    expect(widget?.warnings).toEqual([
      `Version ${old} of the widget is incomplete: chunks/old-1.js is damaged.`,
    ]);
    expect(widget?.files.has(`${old}/${entryName}`)).toBe(true);
    expect(widget?.files.has(`${old}/chunks/old-1.js`)).toBe(false);
    expect(widget?.files.has('chunks/old-1.js')).toBe(false);
  });

  it('warns about an earlier version without a manifest', () => {
    folder.write(`${old}/${entryName}`, 'old entry');
    const { widget } = read();
    expect(widget?.warnings).toEqual([
      `Version ${old} of the widget is incomplete: ${old}/manifest.json is missing or damaged.`,
    ]);
    expect(widget?.files.has(`${old}/${entryName}`)).toBe(false);
  });
});

describe('the archive', () => {
  let archive: string;
  const next = '1.2.4-bbbbbbbb';
  let newer: TestWidgetFolder;

  beforeEach(() => {
    archive = join(createFolder(), 'widgets');
    newer = createWidgetFolder(next, { [entryName]: 'new', 'chunks/review-2.js': 'new chunk' });
    onTestFinished(() => newer.remove());
  });

  function readArchive(path: string) {
    const variables = { WIDGET_ARCHIVE: path };
    const reader = new EnvironmentReader({ variables, readFile: () => '' });
    return { path: readWidgetArchive(reader), problems: reader.problems() };
  }

  const list = (directory: string) => readdirSync(directory, { recursive: true }).toSorted();
  const store = () => archiveVersion(folder.directory, version, archive);

  it.each<[string, (path: string) => string, string | undefined]>([
    ['a folder that does not exist yet', (path) => path, undefined],
    [
      'a disk that is not mounted',
      (path) => join(path, 'widgets'),
      'WIDGET_ARCHIVE names a folder in a folder that does not exist. Create it, or unset the variable.',
    ],
    [
      'a file',
      (path) => {
        writeFileSync(path, '');
        chmodSync(path, 0o755);
        return path;
      },
      'WIDGET_ARCHIVE names a file. Set it to the path of a folder.',
    ],
  ])('can be %s, or the problem says why not', (_what, prepare, problem) => {
    const path = prepare(archive);
    expect(readArchive(path)).toEqual({
      path: problem === undefined ? path : undefined,
      problems: problem === undefined ? [] : [problem],
    });
  });

  it.skipIf(process.platform !== 'linux')('cannot be a folder without the right to write', () => {
    // Nobody can write there, not even root.
    expect(readArchive('/proc/self/widgets').problems).toEqual([
      'WIDGET_ARCHIVE names a folder that this user may not write to. Change its owner, or unset the variable.',
    ]);
  });

  it('gets every file of the version and nothing else', () => {
    const own = list(join(folder.directory, version));
    write('secret.txt', 'secret');
    expect([store(), store()]).toEqual([undefined, undefined]);
    expect(readdirSync(archive)).toEqual([version]);
    expect(list(join(archive, version))).toEqual(own);
    expect(own).toContain('chunks/later-1.js.br');
    expect(existsSync(join(archive, version, 'secret.txt'))).toBe(false);
  });

  it('replaces a damaged copy', () => {
    store();
    writeFileSync(join(archive, version, entryName), 'torn');
    expect(store()).toBeUndefined();
    const { files: served } = indexWidget(newer.directory, next, archive);
    expect(served.get(`${version}/${entryName}`)?.integrity).toBe(toIntegrity('entry'));
  });

  it('loses what a killed process left an hour ago', () => {
    for (const name of ['.incoming-old', '.incoming-now']) {
      mkdirSync(join(archive, name), { recursive: true });
    }
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    utimesSync(join(archive, '.incoming-old'), longAgo, longAgo);
    store();
    expect(readdirSync(archive).toSorted()).toEqual(['.incoming-now', version].toSorted());
  });

  it('says what to do if it cannot be written', () => {
    writeFileSync(archive, 'a file');
    expect(store()).toBe(
      `WIDGET_ARCHIVE cannot take version ${version} of the element (EEXIST), so pages that use it break after the next upgrade. Check the space and the owner of the folder, and restart.`,
    );
  });

  it('serves its versions beside the files of the own folder', () => {
    store();
    archiveVersion(newer.directory, next, archive);
    const { files: served } = indexWidget(newer.directory, next, archive);
    const kept = { directory: archive, isImmutable: true };
    expect(served.get(`${version}/${entryName}`)).toMatchObject(kept);
    expect(served.get('chunks/later-1.js')).toMatchObject(kept);
    for (const name of [entryName, `${next}/${entryName}`, 'chunks/review-2.js']) {
      expect(served.get(name)).toMatchObject({ directory: newer.directory });
    }
  });
});
