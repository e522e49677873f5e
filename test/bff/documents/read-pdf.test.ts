import { PDFParser, PDFRawStream } from '@cantoo/pdf-lib';
import { describe, expect, it } from 'vitest';
import {
  FastPdfParser,
  LockedPdfError,
  readByScan,
  readByTable,
  type PdfView,
} from '../../../bff/documents/inspect-pdf.ts';
import { readFixture } from '../../support/good-files/fixture-files.ts';
import { plainBodies, toObjectStream, writePdf } from '../../support/good-files/pdf-writer.ts';

describe('FastPdfParser', () => {
  it.each([
    ['text', 'BT (a) Tj ET'],
    ['nothing', ''],
    ['a line end at its end', 'a\r\n'],
    ['blanks at its end', 'a  '],
    ['the word stream', 'a stream b endstream c'],
    ['the word endstream', 'a endstream b stream c'],
    ['half of a word', 'endstrea m endst xstream'],
    ['an object', 'x\n7 0 obj\n<<>>\nendobj\n'],
  ])('reads a stream of unknown length with %s as the library does', async (_what, data) => {
    const bytes = writePdf([...plainBodies, toStreamOfUnknownLength(data), '7']);
    const expected = await listObjects(PDFParser.forBytesWithOptions(bytes));
    expect(await listObjects(new FastPdfParser(bytes))).toEqual(expected);
  });

  it('reads a stream without an end as the library does', async () => {
    const endless = toStreamOfUnknownLength('a').replace('endstream', '');
    const bytes = writePdf([...plainBodies, endless]);
    const expected = await listObjects(PDFParser.forBytesWithOptions(bytes));
    expect(await listObjects(new FastPdfParser(bytes))).toEqual(expected);
  });

  function toStreamOfUnknownLength(data: string): string {
    return `<</Length 99 0 R>>\nstream\n${data}\nendstream`;
  }

  async function listObjects(parser: PDFParser): Promise<string[]> {
    const context = await parser.parseDocument();
    return context
      .enumerateIndirectObjects()
      .map(([reference, object]) =>
        object instanceof PDFRawStream
          ? `${reference.toString()} ${object.getContentsString()}`
          : `${reference.toString()} ${object.toString()}`,
      );
  }
});

describe.each([
  ['readByTable', (bytes: Buffer) => readByTable(bytes, 'strict')],
  ['readByScan', readByScan],
])('%s', (_name, read) => {
  it('shows the names, arrays, and dictionaries of the catalog', async () => {
    const [, ...others] = plainBodies;
    const catalog = '<</Type/Cata#6cog/Pages 2 0 R/A[/B 6 0 R]/C(text)/D 1>>';
    const view = await read(writePdf([catalog, ...others, '<</E/F>>']));
    expect(toPlain(view, view.catalog, 3)).toMatchObject({
      Type: '/Catalog',
      A: ['/B', { E: '/F' }],
      C: null,
      D: null,
    });
  });

  it('lists objects that nothing refers to', async () => {
    const view = await read(writePdf([...plainBodies, '<</Unreferenced true>>']));
    const objects = [...view.objects()].map((object) => toPlain(view, object, 1));
    expect(objects).toContainEqual({ Unreferenced: null });
  });

  it('tells a stream from a dictionary', async () => {
    const view = await read(writePdf([...plainBodies, toObjectStream({ 20: '<<>>' })]));
    const streams = [...view.objects()].filter((object) => {
      const node = view.read(object);
      return node.kind === 'dictionary' && node.isStream;
    });
    expect(streams).toHaveLength(2);
  });

  it('ends at references that refer to each other', async () => {
    const [, ...others] = plainBodies;
    const catalog = '<</Type/Catalog/Pages 2 0 R/A 6 0 R>>';
    const view = await read(writePdf([catalog, ...others, '7 0 R', '6 0 R']));
    expect(toPlain(view, view.catalog, 2)).toMatchObject({ A: null });
  });

  it('reads a PDF that opens without its password', async () => {
    const view = await read(readFixture('qpdf-aes-256.pdf'));
    expect(toPlain(view, view.catalog, 1)).toMatchObject({ Type: '/Catalog' });
  });
});

describe('readByScan', () => {
  it('throws an error of its own for a PDF that needs a password', async () => {
    const locked = readFixture('qpdf-locked-aes-256.pdf');
    await expect(readByScan(locked)).rejects.toThrow(LockedPdfError);
  });
});

/** Names as `/Name`, and everything that is not a name, an array or a dictionary as null. */
function toPlain(view: PdfView, value: unknown, depth: number): unknown {
  const node = view.read(value);
  if (node.kind === 'name') return `/${node.name}`;
  if (node.kind === 'other' || depth === 0) return null;
  if (node.kind === 'array') return [...node.items].map((item) => toPlain(view, item, depth - 1));
  return Object.fromEntries(
    [...node.entries()].map(([key, item]) => [key, toPlain(view, item, depth - 1)]),
  );
}
