// Caches the files of the corpus in a folder, named by their hash, and downloads missing files.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CorpusFile } from './manifest.ts';

const downloadTimeoutMs = 60_000;

export function createCorpusCache(folder: string) {
  async function read(source: string, sha256: string): Promise<Buffer> {
    const path = join(folder, sha256);
    if (existsSync(path)) return await readFile(path);
    const bytes = await download(source);
    await store(bytes, sha256, source);
    return bytes;
  }

  async function download(source: string): Promise<Buffer> {
    const npm = /^npm:((?:@[^/]+\/)?[^/]+)\/(.+)$/.exec(source);
    if (npm?.[1] && npm[2]) return await readFromNpm(npm[1], npm[2]);
    const response = await fetch(source, { signal: AbortSignal.timeout(downloadTimeoutMs) });
    if (!response.ok) throw new Error(`${source} answered ${response.status}.`);
    return Buffer.from(await response.arrayBuffer());
  }

  async function store(bytes: Buffer, sha256: string, source: string): Promise<void> {
    if (hash(bytes) !== sha256)
      throw new Error(`The content of ${source} does not match the hash in the manifest.`);
    await mkdir(folder, { recursive: true });
    const path = join(folder, sha256);
    // An interrupted run must not leave a partial file under the final name.
    await writeFile(`${path}.part`, bytes);
    await rename(`${path}.part`, path);
  }

  return {
    /** Returns the path of the file. Throws if the download fails, or if the content does not match the hash. */
    async obtain({ sha256, bytes, source, cutFrom }: CorpusFile): Promise<string> {
      const path = join(folder, sha256);
      if (existsSync(path)) return path;
      if (cutFrom === undefined) await read(source, sha256);
      else {
        const whole = await read(source, cutFrom);
        await store(whole.subarray(0, bytes), sha256, source);
      }
      return path;
    },
  };
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** `npm pack` runs no scripts of the package, and uses the configured registry. */
async function readFromNpm(specifier: string, path: string): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'corpus-'));
  try {
    run('npm', ['pack', specifier, '--silent', '--pack-destination', folder], folder);
    const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
    if (tarball === undefined) throw new Error(`npm pack ${specifier} created no tarball.`);
    run('tar', ['-xzf', tarball, path], folder);
    return await readFile(join(folder, path));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function run(command: string, args: readonly string[], cwd: string): void {
  const { status, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr}`);
}
