// Writes a PDF of one page whose text is not compressed, so that a test can find the text in the file.

import { plainBodies, toStream, writePdf } from './file-writers/pdf-writer.ts';

/**
 * @param text printable ASCII.
 * @param bytes the size of the file. Default: as small as possible.
 */
export function createTextPdf(text: string, bytes?: number): Uint8Array<ArrayBuffer> {
  const smallest = write(text, 0);
  if (bytes === undefined) return new Uint8Array(smallest);
  let padding = bytes - smallest.length;
  // The lengths inside the file grow with the padding, so that it may take several attempts.
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const file = write(text, Math.max(0, padding));
    if (file.length === bytes) return new Uint8Array(file);
    padding += bytes - file.length;
  }
  throw new RangeError(`A PDF with this text cannot have ${bytes} bytes`);
}

function write(text: string, padding: number): Buffer {
  const line = text.replaceAll(/[\\()]/g, String.raw`\$&`);
  const content = `BT /F1 12 Tf 54 720 Td (${line}) Tj ET${' '.repeat(padding)}`;
  return writePdf(plainBodies.with(3, toStream('', content)));
}
