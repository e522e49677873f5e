import { describe, expect, it } from 'vitest';
import {
  LockedPdfError,
  readByScan,
  readByTable,
  type PdfView,
} from '../../../bff/documents/inspect-pdf.ts';
import { readFixture } from '../../support/good-files/fixture-files.ts';
import { plainBodies, toObjectStream, writePdf } from '../../support/files/pdf.ts';

describe.each([
  ['readByTable', (bytes: Buffer) => readByTable(bytes, 'strict')],
  ['readByScan', readByScan],
])('%s', (_name, read) => {
  it('reads names, arrays, and dictionaries', async () => {
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

  it('lists objects without a reference', async () => {
    const view = await read(writePdf([...plainBodies, '<</Unreferenced true>>']));
    const objects = [...view.objects()].map((object) => toPlain(view, object, 1));
    expect(objects).toContainEqual({ Unreferenced: null });
  });

  it('distinguishes streams from dictionaries', async () => {
    const view = await read(writePdf([...plainBodies, toObjectStream([[20, '<<>>']])]));
    const streams = [...view.objects()].filter((object) => {
      const node = view.read(object);
      return node.kind === 'dictionary' && node.isStream;
    });
    expect(streams).toHaveLength(2);
  });

  it('stops at circular references', async () => {
    const [, ...others] = plainBodies;
    const catalog = '<</Type/Catalog/Pages 2 0 R/A 6 0 R>>';
    const view = await read(writePdf([catalog, ...others, '7 0 R', '6 0 R']));
    expect(toPlain(view, view.catalog, 2)).toMatchObject({ A: null });
  });

  it('decrypts a PDF that has only an owner password', async () => {
    const view = await read(readFixture('qpdf-aes-256.pdf'));
    expect(toPlain(view, view.catalog, 1)).toMatchObject({ Type: '/Catalog' });
  });
});

describe('readByScan', () => {
  it('throws a LockedPdfError for a PDF with a user password', async () => {
    const locked = readFixture('qpdf-locked-aes-256.pdf');
    await expect(readByScan(locked)).rejects.toThrow(LockedPdfError);
  });
});

/** Converts names to `/Name`, and numbers, strings, and missing objects to null. */
function toPlain(view: PdfView, value: unknown, depth: number): unknown {
  const node = view.read(value);
  if (node.kind === 'name') return `/${node.name}`;
  if (node.kind === 'other' || depth === 0) return null;
  if (node.kind === 'array') return [...node.items].map((item) => toPlain(view, item, depth - 1));
  return Object.fromEntries(
    [...node.entries()].map(([key, item]) => [key, toPlain(view, item, depth - 1)]),
  );
}
