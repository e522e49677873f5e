import { describe, expect, it } from 'vitest';
import { inspectDocument } from '../../../bff/documents/inspect-document.ts';
import { readFixture } from '../../support/good-files/fixture-files.ts';

const jpeg = readFixture('baseline.jpg');
const pdf = readFixture('reportlab.pdf');
const docx = readFixture('libreoffice.docx');

describe('inspectDocument', () => {
  it('ignores the spelling of an extension', async () => {
    const accepted = { kind: 'accepted', extension: 'jpg' };
    expect(await inspectDocument(jpeg, 'jpg', { allowedExtensions: ['JPEG'] })).toEqual(accepted);
    expect(await inspectDocument(jpeg, 'Jpeg', { allowedExtensions: ['jpg'] })).toEqual(accepted);
  });

  it.each([
    ['an extension that is not allowed', jpeg, 'jpg', ['pdf'], 'extension-not-allowed'],
    ['no extension', jpeg, '', ['jpg'], 'extension-not-allowed'],
    [
      'a type that is not allowed, with an allowed extension',
      docx,
      'pdf',
      ['pdf'],
      'content-not-allowed',
    ],
    [
      'an allowed type with the extension of another one',
      jpeg,
      'pdf',
      ['pdf', 'jpg'],
      'content-differs',
    ],
  ])('refuses %s', async (_name, bytes, extension, allowedExtensions, detail) => {
    expect(await inspectDocument(bytes, extension, { allowedExtensions })).toMatchObject({
      kind: 'refused',
      detail,
    });
  });

  it('inspects bytes that are part of a larger buffer', async () => {
    const larger = Buffer.concat([Buffer.from('%PDF-0'), pdf, Buffer.from('more')]);
    const bytes = new Uint8Array(larger.buffer, larger.byteOffset + 6, pdf.length);
    const { kind } = await inspectDocument(bytes, 'pdf', { allowedExtensions: ['pdf'] });
    expect(kind).toBe('accepted');
  });
});
