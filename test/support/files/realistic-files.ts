// Realistic files: a bank statement, a photo, a scan, and a PDF of any size. The large ones are created once and cached in the
// system's temporary folder.

import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { createNoise } from '../random.ts';
import { createExif } from './images.ts';

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
const version = 3;
const folder = join(tmpdir(), `funding-application-test-files-${version}`);
const statementPath = join(import.meta.dirname, 'statement-march-2026.pdf');

/** A bank statement that pdf-lib made: three pages with text and tables, in object streams. */
export async function getStatementPdf(): Promise<TestFile> {
  return toTestFile(statementPath, (await readBankStatement()).length);
}

export async function readBankStatement(): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(statementPath));
}

/** A photo of several megabytes, 3000 by 2250 pixels, which EXIF rotates. */
export function getPhotoJpeg(): Promise<TestFile> {
  return getFile('drivers-license-photo.jpg', createPhoto);
}

/** A scanned check, about a megabyte. */
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
  return toTestFile(path, (await getSize(path)) ?? (await write(path, await create())));
}

function toTestFile(path: string, bytes: number): TestFile {
  const name = basename(path);
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

/** One page, and an object of noise that gives the file its size. */
async function createPdfOfSize(bytes: number): Promise<Uint8Array> {
  const overhead = (await createPdfWithNoise(bytes)).length - bytes;
  const document = await createPdfWithNoise(bytes - overhead);
  if (document.length !== bytes) throw new RangeError(`No PDF of ${bytes} bytes can be made`);
  return document;
}

async function createPdfWithNoise(noiseBytes: number): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.addPage().drawText('Scanned statement');
  document.context.register(document.context.stream(createNoise(noiseBytes, 25)));
  // Without object streams, because compressed lengths would change the size of the file.
  return document.save({ useObjectStreams: false });
}

/** Gray with the grain of a small sensor, which makes real photos large. */
function createPhoto(): Uint8Array {
  const [width, height] = [3000, 2250];
  const data = createNoise(width * height * 4, 20_260_318).map((byte) => 96 + (byte >> 2));
  const encoded = jpeg.encode({ data, width, height }, 75).data;
  // Cameras write EXIF as the first segment (CIPA DC-008, 4.5.4), where jpeg-js writes JFIF.
  const afterJfif = 4 + encoded.readUInt16BE(4);
  return Buffer.concat([encoded.subarray(0, 2), createExif(), encoded.subarray(afterJfif)]);
}

/** Off-white paper with grain. */
function createScan(): Uint8Array {
  const png = new PNG({ width: 1240, height: 560 });
  png.data.set(createNoise(png.data.length, 7706).map((byte) => 232 + (byte >> 5)));
  return PNG.sync.write(png, { deflateLevel: 6 });
}
