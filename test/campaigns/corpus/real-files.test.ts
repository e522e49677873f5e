// Inspects the files of the corpus that an npm package contains, so that `npm test` has real files. The campaign inspects all files.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { inspectDocument } from '../../../bff/documents/inspect-document.ts';
import { inspectionOptions, judgeVerdict } from './judge-verdict.ts';
import { modes, readManifest } from './manifest.ts';

const installed = 'npm:pdf-merger-js@5.1.2/package/';
const packageFolder = new URL('../../release/node_modules/pdf-merger-js/', import.meta.url);
const files = readManifest()
  .filter(({ source }) => source.startsWith(installed))
  .map((file) => ({ file, path: file.source.slice(installed.length) }));

function read(path: string): Promise<Buffer> {
  return readFile(new URL(path, packageFolder));
}

describe('files of pdf-merger-js', () => {
  it('match the hashes of the manifest', async () => {
    expect(files).toHaveLength(10);
    for (const { file, path } of files) {
      const hash = createHash('sha256').update(await read(path));
      expect(hash.digest('hex')).toBe(file.sha256);
    }
  });

  describe.each(modes)('in the %s mode', (mode) => {
    it.each(files)('get the expected verdict: $path', async ({ file, path }) => {
      const verdict = await inspectDocument(
        await read(path),
        file.extension,
        inspectionOptions[mode],
      );
      expect(judgeVerdict(file, mode, verdict)).toBeUndefined();
    });
  });
});
