import { describe, expect, it } from 'vitest';
import { checkSignature, checkExtension } from '../../../bff/documents/check-signature.ts';

describe('checkExtension', () => {
  it.each([
    ['pdf', ['pdf', 'jpg']],
    ['PDF', ['pdf']],
    ['jpeg', ['jpg']],
    ['jpg', ['jpeg']],
  ])('accepts %s if %j are allowed', (extension, allowed) => {
    expect(checkExtension(extension, allowed)).toBeUndefined();
  });

  it.each([
    ['exe', ['pdf']],
    ['', ['pdf']],
    ['jpg', ['pdf']],
    ['tiff', ['jpg', 'png']],
  ])('refuses %j if %j are allowed', (extension, allowed) => {
    expect(checkExtension(extension, allowed)).toEqual({
      kind: 'refused',
      code: 'document-type-refused',
      detail: 'extension-not-allowed',
    });
  });
});

describe('checkSignature', () => {
  const allowed = ['pdf', 'jpg', 'png', 'docx', 'csv'];

  it.each([
    ['pdf', Buffer.from('%PDF-1.7\n')],
    ['PDF', Buffer.from('%PDF-1.7\n')],
    ['pdf', Buffer.from('\n%PDF-1.7\n')],
    ['pdf', Buffer.from('\xef\xbb\xbf%PDF-1.7\n', 'latin1')],
    ['pdf', Buffer.from('\x1b%-12345X@PJL JOB\r\n@PJL ENTER LANGUAGE=PDF\r\n%PDF-1.7\n')],
    // Some file systems store a header of their own with each file.
    ['pdf', Buffer.from(`\0\x0astatement.pdf${'\0'.repeat(50)}PDF CARO${'\0'.repeat(54)}%PDF-1.1`)],
    ['jpg', Buffer.from('\xff\xd8\xff\xe1 made from %PDF-1.7', 'latin1')],
    ['docx', Buffer.from('d0cf11e0a1b11ae1', 'hex')],
    ['jpeg', Buffer.from('ffd8ffe000', 'hex')],
    ['png', Buffer.from('89504e470d0a1a0a00', 'hex')],
    ['docx', Buffer.from('504b030414', 'hex')],
    ['csv', Buffer.from('a')],
  ])('accepts a %s with its signature', (extension, beginning) => {
    expect(checkSignature(beginning, extension, allowed)).toBeUndefined();
  });

  it.each([
    ['pdf', 'an executable', Buffer.from('MZ\x90\x00', 'latin1'), 'content-differs'],
    ['pdf', 'a web page with a PDF header inside', Buffer.from('<p>%PDF-1.7'), 'content-differs'],
    [
      'pdf',
      'a JPEG with a PDF header inside',
      Buffer.from('\xff\xd8\xff\xe0 %PDF-1.7', 'latin1'),
      'content-differs',
    ],
    [
      'pdf',
      'a program with a PDF header inside',
      Buffer.from('\x7fELF\x02 %PDF-1.7', 'latin1'),
      'content-differs',
    ],
    ['pdf', 'shorter than its signature', Buffer.from('%PD'), 'content-differs'],
    ['jpg', 'a PNG', Buffer.from('89504e470d0a1a0a', 'hex'), 'content-differs'],
    ['png', 'a web page', Buffer.from('<!doctype html>'), 'content-differs'],
    ['jpg', 'an old Word document', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'content-differs'],
    ['csv', 'a PDF', Buffer.from('%PDF-1.7\n'), 'content-differs'],
    ['pdf', 'empty', Buffer.alloc(0), 'no-bytes'],
  ])('refuses a .%s file that is %s', (extension, _what, beginning, detail) => {
    expect(checkSignature(beginning, extension, allowed)).toMatchObject({ detail });
  });

  it('reports a type that the partner does not accept', () => {
    const zip = Buffer.from('504b030414', 'hex');
    expect(checkSignature(zip, 'pdf', ['pdf'])).toMatchObject({
      code: 'document-type-refused',
      detail: 'content-not-allowed',
    });
  });
});
