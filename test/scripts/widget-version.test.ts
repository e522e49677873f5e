// Tests the version folder of the widget.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeVersion, writeVersion } from '../../scripts/widget-version.mjs';

describe('a version of the widget', () => {
  let folder: string;
  const files = ['entry.js', 'chunks/later-1.js', 'notices.txt', 'types.d.ts'].map((file) => {
    const content = Buffer.from(`content of ${file}`);
    const compressed = { br: brotliCompressSync(content), gz: gzipSync(content) };
    return { file, bytes: 1, gzip: 2, integrity: `sha384-${file}`, content, compressed };
  });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'widget-version-'));
    writeVersion(folder, { version: '1.2.3-abc', entry: 'entry.js', files });
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('contains every file', () => {
    for (const { file, content } of files) expect(read('1.2.3-abc', file)).toEqual(content);
  });

  it.each(['entry.js', 'chunks/later-1.js', 'notices.txt'])('holds %s compressed', (file) => {
    const content = read('1.2.3-abc', file);
    expect(brotliDecompressSync(read('1.2.3-abc', `${file}.br`))).toEqual(content);
    expect(gunzipSync(read('1.2.3-abc', `${file}.gz`))).toEqual(content);
  });

  it('stores types uncompressed', () => {
    expect(readdirSync(join(folder, '1.2.3-abc')).filter((name) => name.startsWith('t'))).toEqual([
      'types.d.ts',
    ]);
  });

  it('is named by the current manifest', () => {
    const manifest = JSON.parse(read('manifest.json').toString());
    expect(manifest).toMatchObject({ version: '1.2.3-abc', entry: 'entry.js' });
    expect(manifest.files[0]).toEqual({
      file: 'entry.js',
      bytes: 1,
      gzip: 2,
      integrity: 'sha384-entry.js',
    });
    expect(JSON.parse(read('1.2.3-abc', 'manifest.json').toString())).toEqual(manifest);
  });

  it('stays when another version is written', () => {
    writeVersion(folder, { version: '1.2.4-def', entry: 'entry.js', files });
    expect(read('1.2.3-abc', 'entry.js').toString()).toBe('content of entry.js');
    expect(JSON.parse(read('manifest.json').toString()).version).toBe('1.2.4-def');
  });

  it('can be removed', () => {
    removeVersion(folder, '1.2.3-abc');
    expect(readdirSync(folder)).toEqual(['manifest.json']);
  });

  function read(...path: readonly string[]): Buffer {
    return readFileSync(join(folder, ...path));
  }
});
