// Realistic files for tests. Each is created once and cached in the system's temporary folder.

import { randomUUID } from 'node:crypto';
import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { createPhoto, createScan } from './images.ts';
import { createBankStatement, createPdfOfSize } from './pdf.ts';

export interface TestFile {
  readonly path: string;
  /** With the extension. */
  readonly name: string;
  readonly nameWithoutExtension: string;
  /** Without the dot. */
  readonly extension: string;
  readonly bytes: number;
}

/** Increase this when the content of a file changes, so that no test uses an old one from the cache. */
const version = 2;
const folder = join(tmpdir(), `funding-application-test-files-${version}`);

/** A bank statement: three pages with text and tables, a few kilobytes. */
export function getStatementPdf(): Promise<TestFile> {
  return getFile('statement-march-2026.pdf', createBankStatement);
}

/** A photo of several megabytes, 3000 by 2250 pixels, which EXIF rotates. */
export function getPhotoJpeg(): Promise<TestFile> {
  return getFile('drivers-license-photo.jpg', createPhoto);
}

/** A scanned voided check, about a megabyte. */
export function getScanPng(): Promise<TestFile> {
  return getFile('voided check.png', createScan);
}

/** A PDF of this size that does not compress. */
export function getLargePdf(bytes: number): Promise<TestFile> {
  return getFile(`statement-${bytes}.pdf`, () => createPdfOfSize(bytes));
}

async function getFile(
  name: string,
  create: () => Uint8Array | Promise<Uint8Array>,
): Promise<TestFile> {
  const path = join(folder, name);
  const bytes = (await getSize(path)) ?? (await write(path, await create()));
  const extension = extname(name);
  return {
    path,
    name,
    nameWithoutExtension: basename(name, extension),
    extension: extension.slice(1),
    bytes,
  };
}

async function getSize(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Renames the complete file, because several test processes may create it at the same time. */
async function write(path: string, content: Uint8Array): Promise<number> {
  await mkdir(folder, { recursive: true });
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, content);
  await rename(temporary, path);
  return content.length;
}
