// Writes the smallest documents and workbooks that office programs open (ISO/IEC 29500), with parts added or replaced.

import { writeZip, type ZipEnd, type ZipEntry } from './zip-writer.ts';

const kinds = {
  docx: { path: 'word/document.xml', type: 'wordprocessingml.document.main+xml' },
  xlsx: { path: 'xl/workbook.xml', type: 'spreadsheetml.sheet.main+xml' },
} as const;

export const relationshipTypes =
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

/** Parts by their names; one of a name that is there already replaces it. */
export function writeOffice(
  kind: 'docx' | 'xlsx',
  parts: Readonly<Record<string, string | Uint8Array>> = {},
  more: readonly ZipEntry[] = [],
  end: ZipEnd = {},
): Buffer {
  const all = { ...listParts(kind), ...parts };
  return writeZip([...Object.entries(all).map(([name, data]) => ({ name, data })), ...more], end);
}

function listParts(kind: 'docx' | 'xlsx'): Record<string, string> {
  const { path, type } = kinds[kind];
  return {
    '[Content_Types].xml': toContentTypes(
      path,
      `application/vnd.openxmlformats-officedocument.${type}`,
    ),
    '_rels/.rels': toRelationships(`Type="${relationshipTypes}/officeDocument" Target="${path}"`),
    [path]: `${head}<w:document xmlns:w="x"><w:body><w:p><w:r><w:t>Lease</w:t></w:r></w:p></w:body></w:document>`,
  };
}

export function toContentTypes(path: string, type: string, more = ''): string {
  return `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${path}" ContentType="${type}"/>${more}</Types>`;
}

/** @param attributes of each relationship, without its id */
export function toRelationships(...attributes: readonly string[]): string {
  const all = attributes.map((text, index) => `<Relationship Id="rId${index + 1}" ${text}/>`);
  return `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all.join('')}</Relationships>`;
}
