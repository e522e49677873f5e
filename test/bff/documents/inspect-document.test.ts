import { describe, expect, it } from 'vitest';
import { inspectDocument } from '../../../bff/documents/inspect-document.ts';
import { readFixture } from '../../support/good-files/fixture-files.ts';

const jpeg = readFixture('baseline.jpg');
const pdf = readFixture('reportlab.pdf');
const docx = readFixture('libreoffice.docx');

describe('inspectDocument', () => {
  it("goes by the partner's list, in any spelling", async () => {
    const accepted = { kind: 'accepted', extension: 'jpg', needsPassword: false };
    expect(await inspectDocument({ bytes: jpeg, extension: 'jpg' }, ['JPEG'])).toEqual(accepted);
    expect(await inspectDocument({ bytes: jpeg, extension: 'Jpeg' }, ['jpg'])).toEqual(accepted);
  });

  it.each([
    ['an extension that is not on it', jpeg, 'jpg', ['pdf'], 'extension-not-allowed'],
    ['no extension', jpeg, '', ['jpg'], 'extension-not-allowed'],
    [
      'a type that is not on it, under the name of one that is',
      docx,
      'pdf',
      ['pdf'],
      'content-not-allowed',
    ],
    [
      'a type that is on it, under the name of another',
      jpeg,
      'pdf',
      ['pdf', 'jpg'],
      'content-differs',
    ],
  ])('refuses %s', async (_name, bytes, extension, allowed, detail) => {
    expect(await inspectDocument({ bytes, extension }, allowed)).toMatchObject({
      kind: 'refused',
      detail,
    });
  });

  it.each([
    ['marks what asks for a password', 'qpdf-locked-aes-256.pdf', true],
    ['marks what opens without one to its owner only', 'qpdf-owner-empty-aes-256.pdf', true],
    ['does not mark what is only protected from changes', 'qpdf-aes-256.pdf', false],
  ])('%s', async (_name, file, needsPassword) => {
    expect(
      await inspectDocument({ bytes: readFixture(file), extension: 'pdf' }, ['pdf']),
    ).toMatchObject({ kind: 'accepted', needsPassword });
  });

  it('reads bytes that are part of a larger memory', async () => {
    const larger = Buffer.concat([Buffer.from('%PDF-0'), pdf, Buffer.from('more')]);
    const bytes = new Uint8Array(larger.buffer, larger.byteOffset + 6, pdf.length);
    expect((await inspectDocument({ bytes, extension: 'pdf' }, ['pdf'])).kind).toBe('accepted');
  });
});
