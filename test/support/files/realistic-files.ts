// Realistic files: a bank statement, a photo, a scan, and a PDF of any size. Each is created once and cached in the system's
// temporary folder.

import { randomUUID } from 'node:crypto';
import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from '@cantoo/pdf-lib';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';
import { createNoise, createRandom } from '../random.ts';
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

const letter: [number, number] = [612, 792];
const margin = 54;
const rowHeight = 17;
const rowsOnPage = 36;
const pages = 3;
const madeAt = new Date('2026-04-01T06:00:00Z');
const ink = rgb(0.13, 0.13, 0.15);
const rule = rgb(0.75, 0.75, 0.78);

const payees = [
  'CARD SETTLEMENT',
  'FLOUR AND GRAIN',
  'PAYROLL',
  'DAIRY SUPPLIER',
  'CASH DEPOSIT',
  'UTILITY PAYMENT',
];

/** Three letter-size pages with a heading, a table of transactions, and a running balance. */
export async function createBankStatement(): Promise<Uint8Array> {
  const document = await createDocument('Statement of account, March 2026');
  const fonts = {
    regular: await document.embedFont(StandardFonts.Helvetica),
    bold: await document.embedFont(StandardFonts.HelveticaBold),
  };
  const random = createRandom(4821);
  let cents = 1_842_215;
  for (let number = 1; number <= pages; number += 1) {
    const page = document.addPage(letter);
    drawHeading(page, fonts, number);
    for (let row = 0; row < rowsOnPage; row += 1) {
      const index = (number - 1) * rowsOnPage + row;
      const payee = payees[index % payees.length] ?? '';
      const isDeposit = payee.startsWith('CA');
      const amount = Math.round((isDeposit ? 1 : -1) * (40_000 + 120_000 * random()));
      cents += amount;
      const day = String(1 + Math.floor((index * 31) / (pages * rowsOnPage))).padStart(2, '0');
      drawRow(page, fonts.regular, 640 - row * rowHeight, [
        `03/${day}/2026`,
        payee,
        toDollars(amount),
        toDollars(cents),
      ]);
    }
  }
  return document.save();
}

/** One page, and an object of noise that gives the file its size. */
export async function createPdfOfSize(bytes: number): Promise<Uint8Array> {
  const overhead = (await createPdfWithNoise(bytes)).length - bytes;
  const document = await createPdfWithNoise(bytes - overhead);
  if (document.length !== bytes) throw new RangeError(`No PDF of ${bytes} bytes can be made`);
  return document;
}

async function createPdfWithNoise(noiseBytes: number): Promise<Uint8Array> {
  const document = await createDocument('Statement of account, scanned');
  const font = await document.embedFont(StandardFonts.Helvetica);
  document.addPage(letter).drawText('Scanned statement', { x: margin, y: 720, size: 20, font });
  document.context.register(document.context.stream(createNoise(noiseBytes, 25)));
  // Without object streams, because compressed lengths would change the size of the file.
  return document.save({ useObjectStreams: false });
}

/** Sets all dates and names, because the library would write the current time. */
async function createDocument(title: string): Promise<PDFDocument> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle(title);
  document.setProducer('funding-application tests');
  document.setCreationDate(madeAt);
  document.setModificationDate(madeAt);
  return document;
}

function drawHeading(
  page: PDFPage,
  fonts: { readonly regular: PDFFont; readonly bold: PDFFont },
  number: number,
): void {
  page.drawText('Example National Bank', {
    x: margin,
    y: 728,
    size: 18,
    font: fonts.bold,
    color: ink,
  });
  page.drawText('Everyday Business Checking, account ending in 4821', {
    x: margin,
    y: 708,
    size: 10,
    font: fonts.regular,
  });
  page.drawText(`March 1 to March 31, 2026 · page ${number} of ${pages}`, {
    x: margin,
    y: 692,
    size: 10,
    font: fonts.regular,
  });
  drawRow(page, fonts.bold, 662, ['Date', 'Description', 'Amount', 'Balance']);
}

function drawRow(
  page: PDFPage,
  font: PDFFont,
  y: number,
  cells: readonly [string, string, string, string],
): void {
  const size = 9;
  const [date, description, amount, balance] = cells;
  const right = letter[0] - margin;
  page.drawText(date, { x: margin, y, size, font, color: ink });
  page.drawText(description, { x: margin + 80, y, size, font, color: ink });
  page.drawText(amount, {
    x: right - 90 - font.widthOfTextAtSize(amount, size),
    y,
    size,
    font,
    color: ink,
  });
  page.drawText(balance, {
    x: right - font.widthOfTextAtSize(balance, size),
    y,
    size,
    font,
    color: ink,
  });
  page.drawLine({
    start: { x: margin, y: y - 5 },
    end: { x: right, y: y - 5 },
    thickness: 0.5,
    color: rule,
  });
}

function toDollars(cents: number): string {
  return (cents / 100).toLocaleString('en-US', {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
}

/** As stored, in landscape. EXIF orientation 6 rotates it to portrait. */
const photoWidth = 3000;
const photoHeight = 2250;

const scanWidth = 1240;
const scanHeight = 560;

/** A card on a table in uneven light. The grain of a small sensor makes real photos large. */
export function createPhoto(): Uint8Array {
  const random = createRandom(20_260_318);
  const data = new Uint8Array(photoWidth * photoHeight * 4);
  for (let y = 0; y < photoHeight; y += 1) {
    for (let x = 0; x < photoWidth; x += 1) {
      const light = 0.72 + 0.28 * Math.cos(x / 1900 - 0.6) * Math.cos(y / 1500 - 0.4);
      const grain = 46 * (random() + random() - 1);
      // The painted scene is upright, so its coordinates are rotated as orientation 6 says.
      const [red, green, blue] = paintTableWithCard(photoHeight - 1 - y, x);
      setPixel(
        data,
        (y * photoWidth + x) * 4,
        red * light + grain,
        green * light + grain,
        blue * light + grain,
      );
    }
  }
  const { data: encoded } = jpeg.encode({ data, width: photoWidth, height: photoHeight }, 91);
  return withExif(encoded);
}

/** A check that is crossed out by hand, in gray on off-white paper. */
export function createScan(): Uint8Array {
  const random = createRandom(7706);
  const png = new PNG({ width: scanWidth, height: scanHeight });
  for (let y = 0; y < scanHeight; y += 1) {
    for (let x = 0; x < scanWidth; x += 1) {
      const paper = 242 - 10 * random();
      const gray = isInk(x, y) ? 60 + 30 * random() : paper;
      setPixel(png.data, (y * scanWidth + x) * 4, gray, gray, gray - 6);
    }
  }
  return PNG.sync.write(png, { deflateLevel: 6 });
}

function paintTableWithCard(x: number, y: number): [number, number, number] {
  const isOnCard = x > 190 && x < 2060 && y > 880 && y < 2060;
  return isOnCard ? paintCard(x - 190, y - 880) : paintTable(x, y);
}

function paintCard(x: number, y: number): [number, number, number] {
  if (y < 180) return [70, 104, 150];
  const isPortrait = x > 110 && x < 610 && y > 300 && y < 960;
  if (isPortrait) return [150 + 40 * Math.sin(y / 90), 120 + 30 * Math.sin(y / 90), 105];
  const isLine = x > 730 && x < 1700 && y > 300 && y % 130 < 34 && (x * 7 + y) % 61 < 44;
  return isLine ? [48, 52, 66] : [222, 228, 226];
}

function paintTable(x: number, y: number): [number, number, number] {
  const vein = 16 * Math.sin(y / 23 + 3 * Math.sin(x / 410));
  return [146 + vein, 104 + vein, 70 + vein];
}

function isInk(x: number, y: number): boolean {
  const isFrame = x < 12 || y < 12 || x > scanWidth - 13 || y > scanHeight - 13;
  const isRule = x > 90 && x < 1150 && (y === 210 || y === 211 || y === 300 || y === 301);
  const isNumber = x > 90 && x < 760 && y > 470 && y < 500 && x % 26 < 15;
  const isCrossing = x > 260 && x < 980 && Math.abs(y - 280 - 70 * Math.sin(x / 57)) < 7;
  return isFrame || isRule || isNumber || isCrossing;
}

function setPixel(
  data: Uint8Array,
  offset: number,
  red: number,
  green: number,
  blue: number,
): void {
  data[offset] = toByte(red);
  data[offset + 1] = toByte(green);
  data[offset + 2] = toByte(blue);
  data[offset + 3] = 255;
}

function toByte(value: number): number {
  return Math.max(0, Math.min(255, Math.round(value)));
}

/** Replaces the JFIF segment of jpeg-js, because cameras write EXIF as the first segment (CIPA DC-008, 4.5.4). */
function withExif(encoded: Uint8Array): Uint8Array {
  const startOfImage = 2;
  const jfifLength = 2 + ((encoded[4] ?? 0) << 8) + (encoded[5] ?? 0);
  return Buffer.concat([
    encoded.subarray(0, startOfImage),
    createExif(),
    encoded.subarray(startOfImage + jfifLength),
  ]);
}
