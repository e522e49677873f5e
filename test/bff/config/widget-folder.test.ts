// The widget's folder: where it is, which files are served, and which faults prevent a start.

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EnvironmentReader } from '../../../bff/config/environment-reader.ts';
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

const version = `${project.version}-1f3870be`;
const files = { [entryName]: 'entry', 'chunks/later-1.js': 'later', 'notices.txt': 'notices' };
const notBuilt =
  'WIDGET_FOLDER is not set, and the default folder has no built widget. Run npm run build, or copy dist/widget next to dist/bff. Set it to none if another server serves the widget.';

let folder: TestWidgetFolder;

beforeEach(() => {
  folder = createWidgetFolder(version, files);
});
afterEach(() => folder.remove());

describe('findBuiltWidget', () => {
  it('returns the output of the build in a clone', () => {
    expect(findBuiltWidget()).toBe(join(import.meta.dirname, '../../../dist/widget'));
  });
});

describe('readWidgetFolder', () => {
  it('uses the default folder if WIDGET_FOLDER is not set', () => {
    const { widget, problems } = read(undefined, folder.directory);
    expect(problems).toEqual([]);
    expect(widget).toMatchObject({ directory: folder.directory, name: version, warnings: [] });
  });

  it('uses the folder in WIDGET_FOLDER', () => {
    expect(read(folder.directory).widget).toMatchObject({
      directory: folder.directory,
      name: version,
    });
  });

  it('returns nothing if WIDGET_FOLDER is none', () => {
    expect(read('none')).toEqual({ widget: undefined, problems: [] });
  });

  it.each(['0.0.1', `${project.version}1`])('refuses the widget of release %s', (other) => {
    folder.addVersion(`${other}-1f3870be`, files);
    expect(read(folder.directory)).toEqual({
      widget: undefined,
      problems: [
        'WIDGET_FOLDER contains the widget of another release. Copy dist/widget and dist/bff of the same build.',
      ],
    });
  });

  it.each([
    '{',
    '{}',
    JSON.stringify({ version: '../1', hash: 'a', entry: entryName, files: [] }),
    JSON.stringify({ version: project.version, hash: '../a', entry: entryName, files: [] }),
    JSON.stringify({ version: project.version, entry: entryName, files: [] }),
  ])('refuses the manifest %s', (manifest) => {
    folder.write('manifest.json', manifest);
    expect(read(undefined, folder.directory)).toEqual({
      widget: undefined,
      problems: [notBuilt],
    });
  });

  it('refuses a folder that does not exist', () => {
    expect(read(undefined, '/nonexistent').problems).toEqual([notBuilt]);
  });

  it('does not repeat the path in a problem', () => {
    const [problem] = read('/nonexistent').problems;
    expect(problem).toContain('WIDGET_FOLDER names a folder without a built widget. Run');
    expect(problem).not.toContain('nonexistent');
  });
});

describe('readWidgetFolder with a damaged widget', () => {
  it.each<[string, string, () => void]>([
    [
      'a version folder is missing',
      `${version}/manifest.json is missing or damaged`,
      () => remove(''),
    ],
    [
      'a manifest is missing',
      `${version}/manifest.json is missing or damaged`,
      () => remove('manifest.json'),
    ],
    ['a chunk is missing', 'chunks/later-1.js is missing', () => remove('chunks/later-1.js')],
    ['a file is truncated', `${entryName} is damaged`, () => write(entryName, 'ent')],
    [
      'a folder replaces a file',
      'notices.txt is damaged',
      () => {
        remove('notices.txt');
        mkdirSync(join(folder.directory, version, 'notices.txt'));
      },
    ],
    [
      'a Brotli form is truncated',
      `${entryName} is damaged`,
      () => write(`${entryName}.br`, brotliCompressSync('entry').subarray(0, -1)),
    ],
    [
      'a gzip form has other content',
      `${entryName} is damaged`,
      () => write(`${entryName}.gz`, gzipSync('other')),
    ],
    [
      'a Zstandard form has other content',
      `${entryName} is damaged`,
      () => write(`${entryName}.zst`, zstdCompressSync('other')),
    ],
    [
      'a Brotli form has longer content',
      `${entryName} is damaged`,
      () => write(`${entryName}.br`, brotliCompressSync('entry and more')),
    ],
  ])('refuses the widget if %s', (_name, fault, damage) => {
    damage();
    expect(read(folder.directory)).toEqual({
      widget: undefined,
      problems: [
        `WIDGET_FOLDER contains a damaged widget: ${fault}. Copy dist/widget again, with all its folders.`,
      ],
    });
  });

  it('refuses a version folder with another version', () => {
    const manifest = { version: project.version, hash: 'other', entry: entryName, files: [] };
    write('manifest.json', JSON.stringify(manifest));
    expect(read(folder.directory).problems[0]).toContain(
      `its manifest is for version ${project.version}-other`,
    );
  });

  it.each([
    '../secret.js',
    'a/b/c.js',
    '/etc/passwd',
    '.hidden.js',
    'a.js/',
    'a//b.js',
    'a/../../b.js',
  ])('refuses a manifest with the path %s', (file) => {
    const listed = [{ file, integrity: toIntegrity('secret') }];
    folder.write('secret.js', 'secret');
    write(
      'manifest.json',
      JSON.stringify({
        version: project.version,
        hash: '1f3870be',
        entry: entryName,
        files: listed,
      }),
    );
    expect(read(folder.directory).problems[0]).toContain('manifest.json is missing or damaged');
  });

  it('accepts files without compressed forms', () => {
    removeCompressed();
    expect(read(folder.directory).problems).toEqual([]);
  });

  it('refuses other content without compressed forms', () => {
    removeCompressed();
    write(entryName, 'other');
    expect(read(folder.directory).problems[0]).toContain(`${entryName} is damaged`);
  });

  function removeCompressed(): void {
    remove(`${entryName}.br`);
    remove(`${entryName}.gz`);
  }
});

describe('indexWidget', () => {
  const old = '0.0.1-aaaaaaaa';

  it('serves files of the current version with and without version', () => {
    const { files: served } = indexWidget(folder.directory, version);
    expect(served.get(entryName)).toEqual({
      directory: folder.directory,
      path: `${version}/${entryName}`,
      integrity: toIntegrity('entry'),
      isImmutable: false,
    });
    expect(served.get(`${version}/${entryName}`)?.isImmutable).toBe(true);
    expect(served.get('chunks/later-1.js')?.isImmutable).toBe(true);
    expect(served.get('manifest.json')?.isImmutable).toBe(false);
    expect(served.get(`${version}/manifest.json`)?.isImmutable).toBe(false);
    expect(served.size).toBe(8);
  });

  it('serves files of an earlier version with their version', () => {
    const kept = { [entryName]: 'old entry', 'chunks/old-1.js': 'old' };
    const { files: served, warnings } = indexKept(kept);
    expect(warnings).toEqual([]);
    expect(served.get(`${old}/${entryName}`)).toEqual({
      directory: folder.directory,
      path: `${old}/${entryName}`,
      integrity: toIntegrity('old entry'),
      isImmutable: true,
    });
    expect(served.get(entryName)?.path).toBe(`${version}/${entryName}`);
  });

  it('serves a chunk of an earlier version without a version', () => {
    const { files: served } = indexKept({ [entryName]: 'old entry', 'chunks/old-1.js': 'old' });
    expect(served.get('chunks/old-1.js')).toMatchObject({
      path: `${old}/chunks/old-1.js`,
      isImmutable: true,
    });
  });

  it('prefers a chunk of the current version', () => {
    const { files: served } = indexKept({ 'chunks/later-1.js': 'later' });
    expect(served.get('chunks/later-1.js')?.path).toBe(`${version}/chunks/later-1.js`);
  });

  it('serves only files of a manifest', () => {
    write('extra.js', 'extra');
    folder.write('notes.txt', 'notes');
    folder.write('notes/manifest.json', '{}');
    folder.write(`backup-${old}/manifest.json`, '{}');
    const { files: served, warnings } = indexWidget(folder.directory, version);
    expect([...served.keys()].filter((name) => /extra|notes\//.test(name))).toEqual([]);
    expect(served.get('notes.txt')).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it('warns about a damaged file of an earlier version', () => {
    folder.addVersion(old, { [entryName]: 'old entry', 'chunks/old-1.js': 'old' });
    folder.addVersion(version, files);
    folder.write(`${old}/chunks/old-1.js`, 'ol');
    const widget = read(folder.directory).widget;
    expect(widget?.warnings).toEqual([
      `Version ${old} of the widget is incomplete: chunks/old-1.js is damaged.`,
    ]);
    expect(widget?.files.has(`${old}/${entryName}`)).toBe(true);
    expect(widget?.files.has(`${old}/chunks/old-1.js`)).toBe(false);
    expect(widget?.files.has('chunks/old-1.js')).toBe(false);
  });

  it('warns about an earlier version without a manifest', () => {
    folder.write(`${old}/${entryName}`, 'old entry');
    const widget = read(folder.directory).widget;
    expect(widget?.warnings).toEqual([
      `Version ${old} of the widget is incomplete: ${old}/manifest.json is missing or damaged.`,
    ]);
    expect(widget?.files.has(`${old}/${entryName}`)).toBe(false);
  });

  /** Adds an earlier version. */
  function indexKept(contents: Readonly<Record<string, string>>) {
    folder.addVersion(old, contents);
    return indexWidget(folder.directory, version);
  }
});

function write(file: string, content: string | Uint8Array): void {
  folder.write(`${version}/${file}`, content);
}

function remove(file: string): void {
  rmSync(join(folder.directory, version, file), { recursive: true });
}

function read(WIDGET_FOLDER: string | undefined, usual = '/nonexistent') {
  const reader = new EnvironmentReader({ variables: { WIDGET_FOLDER }, readFile: () => '' });
  const widget = readWidgetFolder(reader, usual);
  return { widget, problems: reader.problems() };
}
