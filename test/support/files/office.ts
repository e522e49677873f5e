// Writes small ZIP archives (APPNOTE.TXT), Word documents, and Excel workbooks (ISO/IEC 29500) whose headers and parts a test
// can make wrong.

import { crc32, deflateRawSync } from 'node:zlib';
import { toBytes } from './bytes.ts';

export interface ZipEntry {
  readonly name: string;
  readonly data: Uint8Array | string;
  /** Default: the data, deflated. */
  readonly packed?: Uint8Array;
  /** In both headers. Default: 8, which means deflated. */
  readonly method?: number;
  /** In both headers. 1 means encrypted. */
  readonly flags?: number;
  /** In the directory. Default: the actual size. */
  readonly uncompressedSize?: number;
  readonly compressedSize?: number;
  /** In the local header. Default: `name`. */
  readonly localName?: string;
  /** The upper half is the Unix mode. */
  readonly attributes?: number;
  /** In the directory. Default: the actual offset. */
  readonly offset?: number;
}

export interface ZipOptions {
  readonly before?: Uint8Array;
  readonly comment?: string;
  /** In the end record. Default: the actual number of entries. */
  readonly entryCount?: number;
}

const madeByUnix = 0x0314;

export function writeZip(entries: readonly ZipEntry[], options: ZipOptions = {}): Buffer {
  const { before = new Uint8Array(), comment = '', entryCount = entries.length } = options;
  const parts: Uint8Array[] = [before];
  const directory: Buffer[] = [];
  let at = before.length;
  for (const entry of entries) {
    const local = toLocal(entry);
    directory.push(toDirectoryEntry(entry, local, at));
    parts.push(local.header, local.packed);
    at += local.header.length + local.packed.length;
  }
  const central = Buffer.concat(directory);
  return Buffer.concat([...parts, central, toEnd(central.length, at, comment, entryCount)]);
}

/** The end record (4.3.16). */
export function toEnd(
  directoryBytes: number,
  directoryAt: number,
  comment: string,
  count: number,
): Buffer {
  const end = Buffer.alloc(22 + comment.length);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count & 0xffff, 8);
  end.writeUInt16LE(count & 0xffff, 10);
  end.writeUInt32LE(directoryBytes, 12);
  end.writeUInt32LE(directoryAt, 16);
  end.writeUInt16LE(comment.length, 20);
  end.write(comment, 22, 'latin1');
  return end;
}

export interface LocalEntry {
  readonly header: Buffer;
  readonly packed: Uint8Array;
  readonly checksum: number;
  readonly bytes: number;
}

/** The local header (4.3.7) and the data after it. */
export function toLocal(entry: ZipEntry): LocalEntry {
  const data = typeof entry.data === 'string' ? Buffer.from(entry.data) : entry.data;
  const packed = entry.packed ?? deflateRawSync(data);
  const checksum = crc32(data);
  const name = toBytes(entry.localName ?? entry.name);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  header.writeUInt16LE(20, 4);
  header.writeUInt16LE(entry.flags ?? 0, 6);
  header.writeUInt16LE(entry.method ?? 8, 8);
  header.writeUInt32LE(checksum, 14);
  header.writeUInt32LE(packed.length, 18);
  header.writeUInt32LE(data.length, 22);
  header.writeUInt16LE(name.length, 26);
  return { header: Buffer.concat([header, name]), packed, checksum, bytes: data.length };
}

/** The header in the directory (4.3.12). */
export function toDirectoryEntry(entry: ZipEntry, local: LocalEntry, at: number): Buffer {
  const name = toBytes(entry.name);
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(madeByUnix, 4);
  header.writeUInt16LE(20, 6);
  header.writeUInt16LE(entry.flags ?? 0, 8);
  header.writeUInt16LE(entry.method ?? 8, 10);
  header.writeUInt32LE(local.checksum, 16);
  header.writeUInt32LE(entry.compressedSize ?? local.packed.length, 20);
  header.writeUInt32LE(entry.uncompressedSize ?? local.bytes, 24);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt32LE(entry.attributes ?? 0, 38);
  header.writeUInt32LE(entry.offset ?? at, 42);
  return Buffer.concat([header, name]);
}

const relationshipTypes = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageTypes = 'http://schemas.openxmlformats.org/package/2006';
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const mainTypes = {
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
  const unchanged = ownParts.filter(({ name }) => !Object.hasOwn(parts, name));
  const added = Object.entries(parts).map(([name, data]) => ({ name, data }));
  return writeZip([...unchanged, ...added, ...more]);
}

export function listDocxParts(type: 'docx' | 'docm' | 'dotm' = 'docx'): readonly ZipEntry[] {
  return [
    { name: '[Content_Types].xml', data: toContentTypes('word/document.xml', mainTypes[type]) },
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

export function toRelationships(inner: string): string {
  return `${head}<Relationships xmlns="${packageTypes}/relationships">${inner}</Relationships>`;
}

export function toRelationship(type: string, attributes: string): string {
  return `<Relationship Id="rId1" Type="${relationshipTypes}/${type}" ${attributes}/>`;
}

export function toContentTypes(part: string, type: string, more = ''): string {
  return `${head}<Types xmlns="${packageTypes}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${part}" ContentType="${type}"/>${more}</Types>`;
}
