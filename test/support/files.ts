// Real files for tests, made once for a version of this file and kept in the machine's temporary folder.

import { randomUUID } from 'node:crypto';
import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { createPhoto, createScan } from './images.ts';
import { createBankStatement, createPdfOfSize } from './pdf.ts';

export interface TestFile {
  readonly path: string;
  /** With its extension. */
  readonly name: string;
  readonly nameWithoutExtension: string;
  /** Without dot. */
  readonly extension: string;
  readonly bytes: number;
}

/** Raised whenever what is made below changes, so that no run meets a file of an older version. */
const version = 2;
const folder = join(tmpdir(), `funding-application-test-files-${version}`);

/** A bank statement of three pages with text and tables, a few kilobytes. */
export function getStatementPdf(): Promise<TestFile> {
  return getFile('statement-march-2026.pdf', createBankStatement);
}

/** A photo of several megabytes, 3000 × 2250, that is turned by its EXIF orientation. */
export function getPhotoJpeg(): Promise<TestFile> {
  return getFile('drivers-license-photo.jpg', createPhoto);
}

/** A scanned voided check, about a megabyte. */
export function getScanPng(): Promise<TestFile> {
  return getFile('voided check.png', createScan);
}

/** Nothing at all under a good name. */
export function getEmptyPdf(): Promise<TestFile> {
  return getFile('empty.pdf', () => new Uint8Array());
}

/** Text that claims to be a PDF. */
export function getTextNamedPdf(): Promise<TestFile> {
  return getFile('not-a-statement.pdf', () =>
    new TextEncoder().encode('This is text, whatever its name says.\n'),
  );
}

/** A PDF of exactly so many bytes that does not compress. */
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

// Under its final name a file is always whole, also while several test processes make it at once.
async function write(path: string, content: Uint8Array): Promise<number> {
  await mkdir(folder, { recursive: true });
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, content);
  await rename(temporary, path);
  return content.length;
}
