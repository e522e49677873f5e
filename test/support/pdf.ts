// Creates PDFs like those of banks: a statement of three pages, and one of any size.

import { PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from '@cantoo/pdf-lib';
import { createNoise, createRandom } from './random.ts';

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
