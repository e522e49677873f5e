// Writes small Word documents and Excel workbooks (ISO/IEC 29500), with parts that a test adds or replaces.

import { writeZip, type ZipEntry } from './zip-writer.ts';

const relationshipTypes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageTypes = 'http://schemas.openxmlformats.org/package/2006';
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

export const mainTypes = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml',
  docm: 'application/vnd.ms-word.document.macroEnabled.main+xml',
  dotm: 'application/vnd.ms-word.template.macroEnabledTemplate.main+xml',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml',
  xlsm: 'application/vnd.ms-excel.sheet.macroEnabled.main+xml',
} as const;

/** @param parts by name. A part replaces the one with the same name. */
export function writeOffice(
  type: 'docx' | 'xlsx',
  parts: Readonly<Record<string, string | Uint8Array>> = {},
  more: readonly ZipEntry[] = [],
): Buffer {
  const ownParts = type === 'docx' ? listDocxParts() : listXlsxParts();
  const kept = ownParts.filter(({ name }) => !Object.hasOwn(parts, name));
  const added = Object.entries(parts).map(([name, data]) => ({ name, data }));
  return writeZip([...kept, ...added, ...more]);
}

export function listDocxParts(type: 'docx' | 'docm' | 'dotm' = 'docx'): readonly ZipEntry[] {
  return [
    {
      name: '[Content_Types].xml',
      data: toContentTypes('word/document.xml', mainTypes[type]),
    },
    {
      name: '_rels/.rels',
      data: toRelationships(toRelationship('officeDocument', 'Target="word/document.xml"')),
    },
    {
      name: 'word/document.xml',
      data: `${head}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>Statement of March</w:t></w:r></w:p></w:body></w:document>`,
    },
    { name: 'word/_rels/document.xml.rels', data: toRelationships('') },
  ];
}

export function listXlsxParts(type: 'xlsx' | 'xlsm' = 'xlsx'): readonly ZipEntry[] {
  const sheets = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  return [
    { name: '[Content_Types].xml', data: toContentTypes('xl/workbook.xml', mainTypes[type]) },
    {
      name: '_rels/.rels',
      data: toRelationships(toRelationship('officeDocument', 'Target="xl/workbook.xml"')),
    },
    {
      name: 'xl/workbook.xml',
      data: `${head}<workbook xmlns="${sheets}" xmlns:r="${relationshipTypes}"><sheets><sheet name="March" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: toRelationships(toRelationship('worksheet', 'Target="worksheets/sheet1.xml"')),
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      data: `${head}<worksheet xmlns="${sheets}"><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>`,
    },
  ];
}

/** Returns the parts with one of them replaced or added. */
export function withPart(parts: readonly ZipEntry[], part: ZipEntry): readonly ZipEntry[] {
  return [...parts.filter(({ name }) => name !== part.name), part];
}

export function toRelationships(inner: string): string {
  return `${head}<Relationships xmlns="${packageTypes}/relationships">${inner}</Relationships>`;
}

export function toRelationship(type: string, attributes: string): string {
  return `<Relationship Id="rId1" Type="${relationshipTypes}/${type}" ${attributes}/>`;
}

export function toContentTypes(part: string, type: string, more = ''): string {
  return `${head}<Types xmlns="${packageTypes}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${part}" ContentType="${type}"/>${more}</Types>`;
}
