import { createHash } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCorpusCache, type CorpusCache } from './corpus-cache.ts';
import type { CorpusFile } from './manifest.ts';

const whole = Buffer.from('%PDF-1.7 a whole file');
const file: CorpusFile = {
  sha256: hash(whole),
  bytes: whole.length,
  class: 'invoice',
  extension: 'pdf',
  source: 'https://files.example/invoice.pdf',
  license: 'MIT',
  default: 'accept',
  strict: 'accept',
  heldOut: false,
};
const cut: CorpusFile = {
  ...file,
  sha256: hash(whole.subarray(0, 8)),
  bytes: 8,
  cutFrom: file.sha256,
};

let folder: string;
let requests: string[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'corpus-cache-'));
  requests = [];
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

function hash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function createCache(content: Buffer = whole, status = 200): CorpusCache {
  return createCorpusCache({
    folder,
    fetch: async (input) => {
      requests.push(String(input));
      return new Response(new Uint8Array(content), { status });
    },
    readPackageFile: async (specifier, path) => {
      requests.push(`${specifier} ${path}`);
      return content;
    },
  });
}

describe('createCorpusCache', () => {
  it('downloads a missing file', async () => {
    const path = await createCache().obtain(file);
    expect(await readFile(path)).toEqual(whole);
    expect(requests).toEqual([file.source]);
  });

  it('does not download a file that the folder has', async () => {
    await writeFile(join(folder, file.sha256), whole);
    await createCache().obtain(file);
    expect(requests).toEqual([]);
  });

  it('rejects content with another hash', async () => {
    const damaged = createCache(Buffer.from('another file'));
    await expect(damaged.obtain(file)).rejects.toThrow('does not match the hash in the manifest');
    expect(await readdir(folder)).toEqual([]);
  });

  it('reports the status of a failed download', async () => {
    await expect(createCache(whole, 404).obtain(file)).rejects.toThrow('answered 404');
  });

  it('truncates a downloaded file', async () => {
    const path = await createCache().obtain(cut);
    expect(await readFile(path, 'utf8')).toBe('%PDF-1.7');
    expect(requests).toEqual([file.source]);
  });

  it('truncates a file that the folder has', async () => {
    const cache = createCache();
    await cache.obtain(file);
    await cache.obtain(cut);
    expect(requests).toHaveLength(1);
  });

  it('reads a file of an npm package', async () => {
    await createCache().obtain({ ...file, source: 'npm:@scope/name@1.2.3/package/a b.pdf' });
    expect(requests).toEqual(['@scope/name@1.2.3 package/a b.pdf']);
  });
});
