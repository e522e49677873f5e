import { createHash } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createCorpusCache } from './corpus-cache.ts';
import type { CorpusFile } from './manifest.ts';

const whole = Buffer.from('%PDF-1.7 a whole file');
const toHash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

// The cache reads only these fields.
const file = {
  sha256: toHash(whole),
  bytes: whole.length,
  source: 'https://files.example/invoice.pdf',
} as CorpusFile;
const cut = { ...file, sha256: toHash(whole.subarray(0, 8)), bytes: 8, cutFrom: file.sha256 };

async function createCache(content: Buffer = whole, status = 200) {
  const folder = await mkdtemp(join(tmpdir(), 'corpus-cache-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const requests: string[] = [];
  const cache = createCorpusCache({
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
  return { cache, folder, requests };
}

it('downloads a missing file once', async () => {
  const { cache, requests } = await createCache();
  expect(await readFile(await cache.obtain(file))).toEqual(whole);
  await cache.obtain(file);
  expect(await readFile(await cache.obtain(cut), 'utf8')).toBe('%PDF-1.7');
  expect(requests).toEqual([file.source]);
});

it('reads a file of an npm package', async () => {
  const { cache, requests } = await createCache();
  await cache.obtain({ ...file, source: 'npm:@scope/name@1.2.3/package/a b.pdf' });
  expect(requests).toEqual(['@scope/name@1.2.3 package/a b.pdf']);
});

it('rejects content with another hash', async () => {
  const { cache, folder } = await createCache(Buffer.from('another file'));
  await expect(cache.obtain(file)).rejects.toThrow('does not match the hash in the manifest');
  expect(await readdir(folder)).toEqual([]);
});

it('reports the status of a failed download', async () => {
  const { cache } = await createCache(whole, 404);
  await expect(cache.obtain(file)).rejects.toThrow('answered 404');
});
