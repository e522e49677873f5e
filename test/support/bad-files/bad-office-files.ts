// Office documents that act, call out, or are no honest archives: at least one for each rule.

import {
  relationshipTypes,
  toContentTypes,
  toRelationships,
  writeOffice,
} from '../good-files/office-writer.ts';
import { toBadFiles, type BadFile } from './bad-file.ts';

const wordType = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
const documentRelationships = 'word/_rels/document.xml.rels';

/** Kinds of parts that may not be there, whatever they are called. */
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
      `a part by its relationship, ${kind}`,
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
    () => withTypes(wordType.replace('document.main', 'template.main')),
  ],
  [
    'office-structure',
    'no archive',
    () => Buffer.concat([writeOffice('docx'), Buffer.from('more')]),
  ],
  ['office-structure', 'a comment', () => writeOffice('docx', {}, [], { comment: 'x' })],
  [
    'office-structure',
    'no document',
    () => writeOffice('docx', { '_rels/.rels': toRelationships() }),
  ],
  [
    'office-structure',
    'two documents',
    () =>
      writeOffice('docx', {
        '_rels/.rels': toRelationships(
          `Type="${relationshipTypes}/officeDocument" Target="a.xml"`,
          `Type="${relationshipTypes}/officeDocument" Target="word/document.xml"`,
        ),
      }),
  ],
  [
    'office-structure',
    'something before the directory',
    () => writeOffice('docx', {}, [], { beforeDirectory: Buffer.alloc(200) }),
  ],
  ['office-structure', 'another way of packing', () => withEntry({ method: 9 })],
  ['office-overlap', 'a part that reaches into the directory', () => withEntry({ packedMore: 9 })],
  ['office-structure', 'a wrong size', () => withEntry({ saidBytes: 3 })],
  [
    'office-structure',
    'another name before the content',
    () => withEntry({ localName: 'word/b.xml' }),
  ],
  ['office-structure', 'something between entries', () => withEntry({ before: Buffer.alloc(200) })],
  ['office-structure', 'a path upwards', () => writeOffice('docx', { '../a.xml': '<a/>' })],
  ['office-path', 'one name twice', () => writeOffice('docx', { 'WORD/document.xml': '<a/>' })],
  ['office-path', 'a link', () => withEntry({ unixMode: 0xa1ff })],
  [
    'office-path',
    'a name that cannot be read',
    () => writeOffice('docx', { 'word/a\0.xml': '<a/>' }),
  ],
  ['office-encrypted', 'an encrypted part', () => withEntry({ flags: 1 })],
  ['office-overlap', 'two entries in one place', () => overlap()],
  [
    'office-too-many-parts',
    '2,100 parts',
    () =>
      writeOffice(
        'docx',
        Object.fromEntries(
          Array.from({ length: 2100 }, (_, index) => [`word/${index}.xml`, '<a/>']),
        ),
      ),
  ],
  [
    'office-inflates-too-far',
    'a part of 30 MB',
    () => writeOffice('docx', { 'word/media/a.bmp': Buffer.alloc(30_000_000) }),
  ],
  [
    'office-inflates-too-far',
    'a text of 17 MB',
    () =>
      writeOffice('docx', { 'word/media/a.bmp': createText(1_000_000) }, [
        { name: 'word/a.xml', data: '<a/>', saidBytes: 17 * 2 ** 20 },
      ]),
  ],
  ['office-macros', 'a program', () => writeOffice('docx', { 'word/vbaProject.bin': 'x' })],
  [
    'office-macros',
    'the type of a document with macros',
    () => withTypes('application/vnd.ms-word.document.macroEnabled.main+xml'),
  ],
  [
    'office-embedded-object',
    'an object',
    () => writeOffice('docx', { 'word/embeddings/a.xml': '<a/>' }),
  ],
  [
    'office-embedded-object',
    "an object's type",
    () =>
      withTypes(
        wordType,
        '<Default Extension="png" ContentType="application/vnd.openxmlformats-officedocument.oleObject"/>',
      ),
  ],
  [
    'office-remote-part',
    'a template elsewhere',
    () => withRelationship('attachedTemplate', 'http://evil/a.dotm', 'External'),
  ],
  [
    'office-remote-part',
    'a template elsewhere, written oddly',
    () =>
      writeOffice('docx', {
        [documentRelationships]: `<r:Relationships><r:Relationship Id='a>b' Type = 'x/attachedTemplate' TargetMode\n=\n'&#69;xternal' Target=""/></r:Relationships>`,
      }),
  ],
  [
    'office-remote-part',
    'a picture elsewhere',
    () => withRelationship('image', 'http://evil/a.png', 'External'),
  ],
  ['office-data-exchange', 'a field that starts a program', () => withField('DDEAUTO c:\\cmd.exe')],
  [
    'office-data-exchange',
    'a field in pieces',
    () => withField('DD</w:instrText></w:r><w:r><w:instrText>EAUTO cmd '),
  ],
  ['office-data-exchange', 'a field in entities', () => withField('&#68;DE<![CDATA[AUTO cmd]]>')],
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
    'a picture that a field fetches',
    () => withField('INCLUDEPICTURE "https://evil/a.png"'),
  ],
  ['office-part', 'a part of another kind', () => writeOffice('docx', { 'word/afchunk.mht': 'x' })],
  [
    'office-part',
    'an archive as a picture',
    () => writeOffice('docx', { 'word/media/a.png': writeOffice('docx') }),
  ],
  ['office-part', 'a folder with content', () => writeOffice('docx', { 'word/a/': 'x' })],
  ['office-xml', 'a document type', () => withXml('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')],
  ['office-xml', 'UTF-16', () => withXml(Buffer.from('\uFEFF<a/>', 'utf16le'))],
  [
    'office-xml',
    'another encoding',
    () => withXml('<?xml version="1.0" encoding="ebcdic-cp-us"?><a/>'),
  ],
  [
    'office-xml',
    'relationships that break off',
    () => writeOffice('docx', { [documentRelationships]: '<a' }),
  ],
  ['office-xml', 'no XML', () => withXml('{}')],
  ['office-xml', 'an attribute twice', () => withXml('<a b="1" b="2"/>')],
  ['office-xml', 'a tag without an end', () => withXml('<a b="1"')],
]);

const workbooks = toBadFiles('xlsx', [
  [
    'office-structure',
    'a sheet that is smaller than said',
    () =>
      writeOffice('xlsx', { 'xl/media/a.bmp': createText(1_000_000) }, [
        { name: 'xl/worksheets/sheet1.xml', data: '<a/>', saidBytes: 17 * 2 ** 20 },
      ]),
  ],
  ['content-differs', 'a document', () => writeOffice('docx')],
  [
    'office-data-exchange',
    'a link to a program',
    () =>
      writeOffice('xlsx', {
        'xl/a.xml': '<x:externalLink><x:ddeLink ddeService="cmd"/></x:externalLink>',
      }),
  ],
  [
    'office-data-exchange',
    'a connection',
    () => writeOffice('xlsx', { 'xl/connections.xml': '<a/>' }),
  ],
  [
    'office-macros',
    'old macros',
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
  const attributes = `Type="${relationshipTypes}/${type}" Target="${target}" TargetMode="${mode}"`;
  return writeOffice('docx', { [documentRelationships]: toRelationships(attributes) });
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

/** The directory names the first entry's place twice. */
function overlap(): Buffer {
  const bytes = writeOffice('docx', {}, [{ name: 'word/a.xml', data: '<a/>' }]);
  const last = bytes.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'));
  bytes.writeUInt32LE(0, last + 42);
  return bytes;
}

/** Words that do not repeat, so that they do not count as a bomb. */
function createText(length: number): string {
  return Array.from({ length: Math.ceil(length / 12) }, (_, index) =>
    String(index * 7919).padStart(12, '0'),
  ).join('');
}
