// The smallest honest PDF: one page with one line of text that stands in the file as it is.

const encoder = new TextEncoder();

/**
 * A valid file, of exactly `bytes` bytes if that is given: blanks fill its page up.
 *
 * @param text printable ASCII
 */
export function createTextPdf(text: string, bytes?: number): Uint8Array<ArrayBuffer> {
  let file = write(text, 0);
  if (bytes === undefined) return encoder.encode(file);
  // Twice, since the lengths that stand within the file grow with it.
  for (let blanks = 0, tries = 0; tries < 3; tries += 1) {
    blanks += bytes - file.length;
    file = write(text, Math.max(0, blanks));
    if (file.length === bytes) return encoder.encode(file);
  }
  throw new RangeError(`No PDF of ${bytes} bytes can be made of this text`);
}

function write(text: string, blanks: number): string {
  const line = text.replaceAll(/[\\()]/g, String.raw`\$&`);
  const page = `BT /F1 12 Tf 54 720 Td (${line}) Tj ET${' '.repeat(blanks)}\n`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${page.length} >>\nstream\n${page}endstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let file = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  const count = objects.length + 1;
  return `${file}xref
0 ${count}
0000000000 65535 f 
${entries.join('')}trailer
<< /Size ${count} /Root 1 0 R >>
startxref
${file.length}
%%EOF
`;
}
