// Office documents with active or remote content, or with wrong archives: at least one for each detail.

import {
  mainTypes,
  toContentTypes,
  toRelationship,
  toRelationships,
  writeOffice,
} from '../files/office.ts';
import { toBadFiles, type BadFile } from './bad-file.ts';

const documentRelationships = 'word/_rels/document.xml.rels';

/** Relationship types of parts that are refused under any name. */
const partKinds = {
  'office-macros': [
    'vbaProject',
    'wordVbaData',
    'xlMacrosheet',
    'xlIntlMacrosheet',
    'dialogsheet',
    'attachedToolbars',
    'extensibility',
  ],
  'office-embedded-object': ['oleObject', 'package', 'control', 'activeXControlBinary', 'aFChunk'],
  'office-remote-part': ['subDocument', 'frame', 'webextension', 'webextensiontaskpanes'],
  'office-data-exchange': ['connections', 'queryTable'],
} as const;

const parts = (
  ['office-macros', 'office-embedded-object', 'office-remote-part', 'office-data-exchange'] as const
).flatMap((detail) =>
  toBadFiles(
    'docx',
    partKinds[detail].map((kind) => [
      detail,
      `a relationship of the type ${kind}`,
      () => withRelationship(kind, 'word/a.xml'),
    ]),
  ),
);

const documents = toBadFiles('docx', [
  ['content-differs', 'a PDF', () => Buffer.from('%PDF-1.7\n')],
  ['content-differs', 'a workbook', () => writeOffice('xlsx')],
  [
    'content-differs',
    'a template',
    () => withTypes(mainTypes.docx.replace('document.main', 'template.main')),
  ],
  [
    'office-structure',
    'bytes after the end of the archive',
    () => Buffer.concat([writeOffice('docx'), Buffer.from('more')]),
  ],
  ['office-structure', 'an unknown compression method', () => withEntry({ method: 9 })],
  ['office-structure', 'a part with a wrong size', () => withEntry({ uncompressedSize: 3 })],
  [
    'office-structure',
    'a path to a parent folder',
    () => writeOffice('docx', { '../a.xml': '<a/>' }),
  ],
  [
    'office-structure',
    'two parts with the same name',
    () => writeOffice('docx', { 'WORD/document.xml': '<a/>' }),
  ],
  [
    'office-password',
    'an encrypted document',
    () =>
      Buffer.concat([
        Buffer.from('d0cf11e0a1b11ae1', 'hex'),
        Buffer.from('EncryptedPackage', 'utf16le'),
      ]),
  ],
  ['content-differs', 'an old Word document', () => Buffer.from('d0cf11e0a1b11ae100', 'hex')],
  ['office-password', 'an encrypted part', () => withEntry({ flags: 1 })],
  [
    'office-too-large',
    '5,100 parts',
    () =>
      writeOffice(
        'docx',
        Object.fromEntries(
          Array.from({ length: 5100 }, (_, index) => [`word/${index}.xml`, '<a/>']),
        ),
      ),
  ],
  [
    'office-too-large',
    'a part of 30 MB',
    () => writeOffice('docx', { 'word/media/a.bmp': Buffer.alloc(30_000_000) }),
  ],
  ['office-macros', 'a VBA project', () => writeOffice('docx', { 'word/vbaProject.bin': 'x' })],
  [
    'office-macros',
    'the content type of a document with macros',
    () => withTypes('application/vnd.ms-word.document.macroEnabled.main+xml'),
  ],
  [
    'office-embedded-object',
    'an embedded object',
    () => writeOffice('docx', { 'word/embeddings/a.xml': '<a/>' }),
  ],
  [
    'office-embedded-object',
    'the content type of an embedded object',
    () =>
      withTypes(
        mainTypes.docx,
        '<Default Extension="png" ContentType="application/vnd.openxmlformats-officedocument.oleObject"/>',
      ),
  ],
  [
    'office-remote-part',
    'a remote template',
    () => withRelationship('attachedTemplate', 'http://evil/a.dotm', 'External'),
  ],
  [
    'office-remote-part',
    'a remote template in unusual XML',
    () =>
      writeOffice('docx', {
        [documentRelationships]: `<r:Relationships><r:Relationship Id='a>b' Type = 'x/attachedTemplate' TargetMode\n=\n'&#69;xternal' Target=""/></r:Relationships>`,
      }),
  ],
  [
    'office-remote-part',
    'a template on a network share',
    () => withRelationship('attachedTemplate', 'file:///\\\\evil\\a.dotm', 'External'),
  ],
  [
    'office-remote-part',
    'a remote picture',
    () => withRelationship('image', 'http://evil/a.png', 'External'),
  ],
  ['office-data-exchange', 'a field that starts a program', () => withField('DDEAUTO c:\\cmd.exe')],
  [
    'office-data-exchange',
    'a field in several runs',
    () => withField('DD</w:instrText></w:r><w:r><w:instrText>EAUTO cmd '),
  ],
  [
    'office-data-exchange',
    'a field with entities and CDATA',
    () => withField('&#68;DE<![CDATA[AUTO cmd]]>'),
  ],
  [
    'office-data-exchange',
    'a field in an attribute',
    () =>
      writeOffice('docx', {
        'word/document.xml': '<w:d><w:fldSimple w:instr=" LINK Excel.Sheet.12 x"/></w:d>',
      }),
  ],
  [
    'office-data-exchange',
    'a field that includes a remote picture',
    () => withField('INCLUDEPICTURE "https://evil/a.png"'),
  ],
  [
    'office-xml',
    'a document type with an entity',
    () => withXml('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'),
  ],
  [
    'office-data-exchange',
    'a field in a part with an unknown extension',
    () => writeOffice('docx', { 'word/document.dat': '\n<instrText>DDEAUTO cmd</instrText>' }),
  ],
  ['office-xml', 'a zero character', () => withXml('<a>\0</a>')],
  [
    'office-data-exchange',
    'a field in UTF-16',
    () => withXml(Buffer.from('\uFEFF<instrText>DDEAUTO cmd</instrText>', 'utf16le')),
  ],
  [
    'office-xml',
    'an unknown encoding',
    () => withXml('<?xml version="1.0" encoding="ebcdic-cp-us"?><a/>'),
  ],
  [
    'office-xml',
    'truncated relationships',
    () => writeOffice('docx', { [documentRelationships]: '<a' }),
  ],
]);

const workbooks = toBadFiles('xlsx', [
  [
    'office-structure',
    'a sheet that is smaller than its declared size',
    () =>
      writeOffice('xlsx', { 'xl/media/a.bmp': createText(1_000_000) }, [
        { name: 'xl/worksheets/sheet2.xml', data: '<a/>', uncompressedSize: 17 * 2 ** 20 },
      ]),
  ],
  ['content-differs', 'a Word document', () => writeOffice('docx')],
  [
    'office-data-exchange',
    'a DDE link',
    () =>
      writeOffice('xlsx', {
        'xl/a.xml': '<x:externalLink><x:ddeLink ddeService="cmd"/></x:externalLink>',
      }),
  ],
  [
    'office-data-exchange',
    'a data connection',
    () => writeOffice('xlsx', { 'xl/connections.xml': '<a/>' }),
  ],
  [
    'office-macros',
    'Excel 4.0 macros',
    () => writeOffice('xlsx', { 'xl/macrosheets/sheet1.xml': '<a/>' }),
  ],
]);

export const badOfficeFiles: readonly BadFile[] = [...parts, ...documents, ...workbooks];

function withTypes(type: string, more = ''): Buffer {
  return writeOffice('docx', {
    '[Content_Types].xml': toContentTypes('word/document.xml', type, more),
  });
}

function withRelationship(type: string, target: string, mode = 'Internal'): Buffer {
  const relationship = toRelationship(type, `Target="${target}" TargetMode="${mode}"`);
  return writeOffice('docx', { [documentRelationships]: toRelationships(relationship) });
}

function withField(instruction: string): Buffer {
  return withXml(`<w:d><w:r><w:instrText>${instruction}</w:instrText></w:r></w:d>`);
}

function withXml(content: string | Uint8Array): Buffer {
  return writeOffice('docx', { 'word/document.xml': content });
}

function withEntry(fields: object): Buffer {
  return writeOffice('docx', {}, [{ name: 'word/a.xml', data: '<a/>', ...fields }]);
}

/** Numbers that do not repeat, so that the compression ratio stays low. */
function createText(length: number): string {
  return Array.from({ length: Math.ceil(length / 12) }, (_, index) =>
    String(index * 7919).padStart(12, '0'),
  ).join('');
}
