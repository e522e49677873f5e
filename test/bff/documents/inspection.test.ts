import { describe, expect, it } from 'vitest';
import {
  documentExtensions,
  inspectDocument,
  sampleBytes,
} from '../../../bff/documents/inspection.ts';
import { createBankStatement } from '../../support/pdf.ts';

const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<< >>\nendobj\n%%EOF\n');
const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffd9', 'hex');
const png = Buffer.from(
  '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d4944415478da63fcffff3f030005fe02fea72d0f7a0000000049454e44ae426082',
  'hex',
);
const gif = Buffer.from('GIF89a\x01\x00\x01\x00\x00\x00\x00;', 'latin1');
const zip = Buffer.from('504b0304140000000000', 'hex');

const accepted = (extension: string) => ({ kind: 'accepted', extension });
const refused = (code: string) => ({ kind: 'refused', code });

describe('inspectDocument', () => {
  it.each<[string, string, Uint8Array, unknown]>([
    ['a PDF', 'pdf', pdf, accepted('pdf')],
    ['a JPEG', 'jpg', jpeg, accepted('jpg')],
    ['a JPEG called jpeg', 'jpeg', jpeg, accepted('jpg')],
    ['an extension in capitals', 'PDF', pdf, accepted('pdf')],
    ['a PNG', 'png', png, accepted('png')],
    ['nothing', 'pdf', Buffer.alloc(0), refused('document-empty')],
    ['an extension not allowed', 'exe', pdf, refused('document-type-refused')],
    ['no extension', '', pdf, refused('document-type-refused')],
    ['a GIF called png', 'png', gif, refused('document-type-refused')],
    ['a ZIP called pdf', 'pdf', zip, refused('document-type-refused')],
    ['a JPEG called png', 'png', jpeg, refused('document-type-mismatch')],
    ['a PDF called jpg', 'jpg', pdf, refused('document-type-mismatch')],
    [
      'a page called pdf',
      'pdf',
      Buffer.from('<!doctype html><p>'),
      refused('document-type-mismatch'),
    ],
    ['words called pdf', 'pdf', Buffer.from('hello'), refused('document-type-mismatch')],
    ['one byte', 'pdf', Buffer.from('%'), refused('document-type-mismatch')],
    [
      'a PDF with something before its header',
      'pdf',
      Buffer.concat([Buffer.from('\r\nMZ'), pdf]),
      refused('document-type-mismatch'),
    ],
    ['%PDF without a version', 'pdf', Buffer.from('%PDF hello'), refused('document-type-mismatch')],
  ])('tells %s', async (_name, extension, beginning, expected) => {
    expect(await inspectDocument({ extension, beginning }, documentExtensions)).toEqual(expected);
  });

  it('looks at the beginning of a large file only', async () => {
    const beginning = Buffer.concat([pdf, Buffer.alloc(sampleBytes * 4, 0x20)]);
    expect((await inspectDocument({ extension: 'pdf', beginning }, documentExtensions)).kind).toBe(
      'accepted',
    );
  });

  it("goes by the partner's list", async () => {
    const document = { extension: 'jpg', beginning: jpeg };
    expect(await inspectDocument(document, ['pdf'])).toEqual(refused('document-type-refused'));
    expect((await inspectDocument(document, ['JPEG'])).kind).toBe('accepted');
    const renamed = { extension: 'pdf', beginning: jpeg };
    expect(await inspectDocument(renamed, ['pdf'])).toEqual(refused('document-type-refused'));
    expect(await inspectDocument({ extension: 'gif', beginning: gif }, ['gif'])).toEqual(
      accepted('gif'),
    );
  });

  it('accepts a PDF as a bank makes it', async () => {
    const beginning = await createBankStatement();
    expect((await inspectDocument({ extension: 'pdf', beginning }, documentExtensions)).kind).toBe(
      'accepted',
    );
  });
});
