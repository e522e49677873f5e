// PDFs with unusual features of banks, scanners, and signing services, which the inspection accepts.

import { PDFDocument } from '@cantoo/pdf-lib';
import { createBankStatement } from '../files/realistic-files.ts';
import { createNoise } from '../random.ts';
import { readFixture } from './fixture-files.ts';
import { toBytes } from '../files/bytes.ts';
import type { GoodFile } from './good-file.ts';
import {
  plainBodies,
  toFlateStream,
  toObjectStream,
  toStream,
  updatePdf,
  withCatalog,
  writePdf,
} from '../files/pdf.ts';

const plain = writePdf(plainBodies);

export const goodPdfs: readonly GoodFile[] = [
  toFile('a statement of three pages from pdf-lib', createBankStatement),
  toFile('from pdf-lib, without object streams', () =>
    createWithPdfLib({ useObjectStreams: false }),
  ),
  toFile('a form from pdf-lib', createForm),
  toFile('a scanned page', createScan),
  ...['1.2', '1.4', '1.7', '2.0'].map((version) =>
    toFile(`version ${version}`, () => writePdf(plainBodies, { version })),
  ),
  toFile('with lines that end with CR', () => writePdf(plainBodies, { lineEnd: '\r' })),
  toFile('with lines that end with CR LF', () => writePdf(plainBodies, { lineEnd: '\r\n' })),
  toFile('with two incremental updates', () => updateTwice(plain)),
  toFile('signed', () => sign(plain)),
  toFile('padded with zeros', () => Buffer.concat([plain, Buffer.alloc(4096)])),
  toFile('padded with spaces', () => Buffer.concat([plain, Buffer.alloc(900, ' ')])),
  toFile('with the CP/M end mark', () => Buffer.concat([plain, Buffer.from([26])])),
  toFile('without a line break at its end', () => toBytes(plain.toString('latin1').trimEnd())),
  ...[
    ['a line break', '\n'],
    ['a byte order mark', '\xef\xbb\xbf'],
    ['the headers of an HTTP message', 'Content-Type: application/pdf\r\n\r\n'],
    ['the lines of a printer job', '\x1b%-12345X@PJL JOB\r\n@PJL ENTER LANGUAGE=PDF\r\n'],
  ].map(([what = '', prefix = '']) =>
    toFile(`with ${what} before it`, () => Buffer.concat([toBytes(prefix), plain])),
  ),
  ...[
    ['a comment', '% printed by a bank\n'],
    ['a web page', '<!-- cached --><html><script>1</script></html>'],
    ['the end of a printer job', '\x1b%-12345X@PJL EOJ\r\n\x1b%-12345X'],
    ['two thousand bytes', '\xff\xd8'.repeat(1000)],
  ].map(([what = '', rest = '']) =>
    toFile(`with ${what} after its end`, () => Buffer.concat([plain, toBytes(rest)])),
  ),
  toFile('with white space before the cross-reference table', () =>
    toBytes(plain.toString('latin1').replace(/\nxref\n/, '\n    \nxref\n')),
  ),
  toFile('with a line break before an earlier cross-reference table', () => {
    const moved = plain.toString('latin1').replace(/\nxref\n/, '\n\nxref\n');
    return updatePdf(toBytes(moved), ['<</Title(April)>>'], 6);
  }),
  toFile('without an end-of-file marker', () =>
    toBytes(plain.toString('latin1').replace('%%EOF\n', '')),
  ),
  toStrictlyRefusedFile('with a wrong offset of the cross-reference table', () =>
    toBytes(plain.toString('latin1').replace(/\nxref\n/, '\n% moved\nxref\n')),
  ),
  toFile('that opens at a destination', () => withCatalog('/OpenAction[3 0 R/Fit]')),
  toFile('that opens at a named destination', () => withCatalog('/OpenAction(start)')),
  toFile('that opens with a direct action', () =>
    withCatalog('/OpenAction<</S/GoTo/D[3 0 R/XYZ 0 0 1]>>'),
  ),
  toFile('that asks to print when it is opened', () =>
    withCatalog('/OpenAction<</S/Named/N/Print>>'),
  ),
  toFile('that opens with a referenced action, and has referenced links', () =>
    withCatalog('/OpenAction 6 0 R', [
      '<</Type/Action/S/GoTo/D[3 0 R/Fit]>>',
      '<</Type/Action/S/URI/URI(https://bank.example)>>',
      '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A 7 0 R/BS<</S/S/W 1>>>>',
    ]),
  ),
  toFile('that opens with an action in an object stream', () =>
    withCatalog('/OpenAction 20 0 R', [
      toObjectStream([
        [20, '<</S/GoTo/D[3 0 R/Fit]>>'],
        [21, '<</S/URI/URI(https://bank.example)>>'],
        [22, '7'],
      ]),
    ]),
  ),
  toFile('with outlines', () =>
    withCatalog('/Outlines 6 0 R', [
      '<</Type/Outlines/First 7 0 R/Last 8 0 R/Count 2>>',
      '<</Title(March)/Parent 6 0 R/Next 8 0 R/A<</S/GoTo/D[3 0 R/Fit]>>>>',
      '<</Title(April)/Parent 6 0 R/Prev 7 0 R/Dest[3 0 R/Fit]>>',
    ]),
  ),
  toFile('with page labels and a structure tree', () =>
    withCatalog('/PageLabels<</Nums[0<</S/D/St 1>>]>>/StructTreeRoot 6 0 R', [
      '<</Type/StructTreeRoot/RoleMap<</Standard/P>>/K 7 0 R>>',
      '<</Type/StructElem/S/P/P 6 0 R/A<</O/Layout/TextAlign/End>>/K 0>>',
    ]),
  ),
  toFile('with a color profile', () =>
    withCatalog('', [
      toFlateStream('/N 3/Alternate/DeviceRGB', '\0\0\x020lcms\x02\x10\0\0mntrRGB XYZ '),
      toFlateStream('/N 1', `\0\0\x02H${'\0'.repeat(40)}`),
    ]),
  ),
  toFile('with XMP metadata', () =>
    withCatalog('/Metadata 6 0 R', [
      toStream(
        '/Type/Metadata/Subtype/XML',
        '<?xpacket begin="" id="x"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF/></x:xmpmeta><?xpacket end="w"?>',
      ),
    ]),
  ),
  toFile('with glyphs named AA and JS', () =>
    withCatalog('', ['<</Type/Encoding/Differences[1/A/AA/AE/JS/EF]>>']),
  ),
  toFile('with text about JavaScript', () =>
    withCatalog('', [
      '<</Title(About /JavaScript, /Launch and 1 0 obj \\(see /AA\\))>>',
      '<</Title<2f4a617661536372697074>>>',
      toStream('', '(/JavaScript <</AA 1>> /Launch) Tj'),
    ]),
  ),
  toFile('with comments', () => withCatalog('%>> /JavaScript\n')),
  toFile('with a stream that contains PDF keywords', () =>
    withCatalog('', [toStream('', `\x80obj\x00obj(((<<[[ endobj trailer ${createText(20_000)}`)]),
  ),
  toFile('with a language and viewer preferences', () =>
    withCatalog(
      '/Lang(en-US)/ViewerPreferences<</DisplayDocTitle true>>/PageMode/UseOutlines/PageLayout/OneColumn',
    ),
  ),
  toFile('with an unusual escape in a name', () =>
    withCatalog('', ['<</Type/Font/BaseFont/ABCDEF+Caf#C3#A9#20Bold>>']),
  ),
];

function toFile(name: string, make: GoodFile['make']): GoodFile {
  return { name, extension: 'pdf', make };
}

/** Refused in the strict mode. */
function toStrictlyRefusedFile(name: string, make: GoodFile['make']): GoodFile {
  return { ...toFile(name, make), isRefusedInStrictMode: true };
}

function updateTwice(pdf: Buffer): Buffer {
  const once = updatePdf(pdf, ['<</Title(April)>>'], 6);
  return updatePdf(once, [toStream('', 'BT (Corrected) Tj ET')], 4);
}

/** Adds a signature in two updates, as signing services do: its field, then a new catalog. */
function sign(pdf: Buffer): Buffer {
  const contents = '00'.repeat(1024);
  const withSignature = updatePdf(
    pdf,
    [
      '<</FT/Sig/T(Signature)/Type/Annot/Subtype/Widget/Rect[0 0 0 0]/F 132/V 7 0 R/P 3 0 R>>',
      `<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/adbe.pkcs7.detached/ByteRange[0 840 2890 300]/Contents<${contents}>/M(D:20260401060000Z)>>`,
    ],
    6,
  );
  const form = '/AcroForm<</SigFlags 3/Fields[6 0 R]>>/Perms<</DocMDP 7 0 R>>';
  return updatePdf(withSignature, [`<</Type/Catalog/Pages 2 0 R${form}>>`], 1);
}

async function createWithPdfLib(options: { useObjectStreams: boolean }): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  document.addPage([200, 200]).drawText('Statement');
  return document.save(options);
}

async function createForm(): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const page = document.addPage([200, 200]);
  const form = document.getForm();
  form.createTextField('name').addToPage(page);
  form.createCheckBox('agreed').addToPage(page);
  form.createDropdown('state').addToPage(page);
  return document.save();
}

async function createScan(): Promise<Uint8Array> {
  const document = await PDFDocument.create({ updateMetadata: false });
  const image = await document.embedJpg(new Uint8Array(readFixture('baseline.jpg')));
  document.addPage([200, 200]).drawImage(image);
  return document.save();
}

function createText(length: number): string {
  return Buffer.from(createNoise(length, 11)).toString('latin1');
}
