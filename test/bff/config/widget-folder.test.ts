// Which folder the widget is served from, what of it is served, and what keeps the BFF from starting.

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createReader } from '../../../bff/config/environment-reader.ts';
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
  'WIDGET_FOLDER is not set, and the widget is not built. Run npm run build; a release needs dist/widget beside dist/bff. Set it to none where something else serves the widget.';

let folder: TestWidgetFolder;

beforeEach(() => {
  folder = createWidgetFolder(version, files);
});
afterEach(() => folder.remove());

describe('the folder of the widget', () => {
  it('is the usual one when WIDGET_FOLDER is not set', () => {
    const { widget, problems } = read(undefined, folder.directory);
    expect(problems).toEqual([]);
    expect(widget).toMatchObject({ directory: folder.directory, version, warnings: [] });
  });

  it('is the output of the build in a clone', () => {
    expect(findBuiltWidget()).toBe(join(import.meta.dirname, '../../../dist/widget'));
  });

  it('is the one that WIDGET_FOLDER names', () => {
    expect(read(folder.directory).widget).toMatchObject({ directory: folder.directory, version });
  });

  it('is none where something else serves the widget', () => {
    expect(read('none')).toEqual({ widget: undefined, problems: [] });
  });

  it('may be of the release without a hash', () => {
    folder.addVersion(project.version, files);
    expect(read(folder.directory).widget?.version).toBe(project.version);
  });

  it.each(['0.0.1', `${project.version}1`])('is refused with the widget of %s', (other) => {
    folder.addVersion(other, files);
    expect(read(folder.directory)).toEqual({
      widget: undefined,
      problems: [
        'WIDGET_FOLDER holds the widget of another release. Copy dist/widget and dist/bff from one build.',
      ],
    });
  });

  it.each(['{', '{}', JSON.stringify({ version: '../1', entry: entryName, files: [] })])(
    'is refused with the manifest %s',
    (manifest) => {
      folder.write('manifest.json', manifest);
      expect(read(undefined, folder.directory)).toEqual({
        widget: undefined,
        problems: [notBuilt],
      });
    },
  );

  it('is refused when it does not exist', () => {
    expect(read(undefined, '/nonexistent').problems).toEqual([notBuilt]);
  });

  it('is refused without repeating the name that was given', () => {
    const [problem] = read('/nonexistent').problems;
    expect(problem).toContain('WIDGET_FOLDER names a folder that holds no built widget. Run');
    expect(problem).not.toContain('nonexistent');
  });
});

describe('a damaged widget', () => {
  it.each<[string, string, () => void]>([
    [
      'a missing folder of its version',
      `${version}/manifest.json is missing or damaged`,
      () => remove(''),
    ],
    [
      'a missing manifest',
      `${version}/manifest.json is missing or damaged`,
      () => remove('manifest.json'),
    ],
    ['a missing chunk', 'chunks/later-1.js is missing', () => remove('chunks/later-1.js')],
    ['a file cut off', `${entryName} is damaged`, () => write(entryName, 'ent')],
    [
      'a folder in place of a file',
      'notices.txt is damaged',
      () => {
        remove('notices.txt');
        mkdirSync(join(folder.directory, version, 'notices.txt'));
      },
    ],
    [
      'a Brotli form cut off',
      `${entryName} is damaged`,
      () => write(`${entryName}.br`, brotliCompressSync('entry').subarray(0, -1)),
    ],
    [
      'a gzip form of another file',
      `${entryName} is damaged`,
      () => write(`${entryName}.gz`, gzipSync('other')),
    ],
    [
      'a Zstandard form of another file',
      `${entryName} is damaged`,
      () => write(`${entryName}.zst`, zstdCompressSync('other')),
    ],
    [
      'a Brotli form of longer content',
      `${entryName} is damaged`,
      () => write(`${entryName}.br`, brotliCompressSync('entry and more')),
    ],
  ])('keeps the BFF from starting: %s', (_name, fault, damage) => {
    damage();
    expect(read(folder.directory)).toEqual({
      widget: undefined,
      problems: [
        `WIDGET_FOLDER holds a damaged widget: ${fault}. Copy dist/widget again, with all its folders.`,
      ],
    });
  });

  it('is one whose version folder holds another version', () => {
    const manifest = { version: `${project.version}-other`, entry: entryName, files: [] };
    write('manifest.json', JSON.stringify(manifest));
    expect(read(folder.directory).problems[0]).toContain(
      `its manifest says ${project.version}-other`,
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
  ])('is one whose manifest lists %s', (file) => {
    const listed = [{ file, integrity: toIntegrity('secret') }];
    folder.write('secret.js', 'secret');
    write('manifest.json', JSON.stringify({ version, entry: entryName, files: listed }));
    expect(read(folder.directory).problems[0]).toContain('manifest.json is missing or damaged');
  });

  it('is not one without compressed forms', () => {
    removeCompressed();
    expect(read(folder.directory).problems).toEqual([]);
  });

  it('is one with another file, also without compressed forms', () => {
    removeCompressed();
    write(entryName, 'other');
    expect(read(folder.directory).problems[0]).toContain(`${entryName} is damaged`);
  });

  function removeCompressed(): void {
    remove(`${entryName}.br`);
    remove(`${entryName}.gz`);
  }
});

describe('what is served', () => {
  const old = '0.0.1-aaaaaaaa';

  it('is each file of the current version at two addresses', () => {
    const { files: served } = indexWidget(folder.directory, version);
    expect(served.get(entryName)).toEqual({
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

  it('is each file of a kept version below its name', () => {
    const kept = { [entryName]: 'old entry', 'chunks/old-1.js': 'old' };
    const { files: served, warnings } = indexKept(kept);
    expect(warnings).toEqual([]);
    expect(served.get(`${old}/${entryName}`)).toEqual({
      path: `${old}/${entryName}`,
      integrity: toIntegrity('old entry'),
      isImmutable: true,
    });
    expect(served.get(entryName)?.path).toBe(`${version}/${entryName}`);
  });

  it('is a chunk of a kept version without its name as well', () => {
    const { files: served } = indexKept({ [entryName]: 'old entry', 'chunks/old-1.js': 'old' });
    expect(served.get('chunks/old-1.js')).toMatchObject({
      path: `${old}/chunks/old-1.js`,
      isImmutable: true,
    });
  });

  it('is the current version where a kept one has a chunk of the same name', () => {
    const { files: served } = indexKept({ 'chunks/later-1.js': 'later' });
    expect(served.get('chunks/later-1.js')?.path).toBe(`${version}/chunks/later-1.js`);
  });

  it('is nothing that no manifest lists', () => {
    write('extra.js', 'extra');
    folder.write('notes.txt', 'notes');
    folder.write('notes/manifest.json', '{}');
    folder.write(`backup-${old}/manifest.json`, '{}');
    const { files: served, warnings } = indexWidget(folder.directory, version);
    expect([...served.keys()].filter((name) => /extra|notes\//.test(name))).toEqual([]);
    expect(served.get('notes.txt')).toBeUndefined();
    expect(warnings).toEqual([]);
  });

  it('leaves out a damaged file of a kept version, with a warning', () => {
    folder.addVersion(old, { [entryName]: 'old entry', 'chunks/old-1.js': 'old' });
    folder.addVersion(version, files);
    folder.write(`${old}/chunks/old-1.js`, 'ol');
    const widget = read(folder.directory).widget;
    expect(widget?.warnings).toEqual([
      `The widget's version ${old} is not served whole: chunks/old-1.js is damaged.`,
    ]);
    expect(widget?.files.has(`${old}/${entryName}`)).toBe(true);
    expect(widget?.files.has(`${old}/chunks/old-1.js`)).toBe(false);
    expect(widget?.files.has('chunks/old-1.js')).toBe(false);
  });

  it('is nothing of a kept version without its manifest, with a warning', () => {
    folder.write(`${old}/${entryName}`, 'old entry');
    const widget = read(folder.directory).widget;
    expect(widget?.warnings).toEqual([
      `The widget's version ${old} is not served whole: ${old}/manifest.json is missing or damaged.`,
    ]);
    expect(widget?.files.has(`${old}/${entryName}`)).toBe(false);
  });

  /** A version before the current one, in its folder. */
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
  const reader = createReader({ variables: { WIDGET_FOLDER }, readFile: () => '' }, {});
  const widget = readWidgetFolder(reader, usual);
  return { widget, problems: reader.problems() };
}
