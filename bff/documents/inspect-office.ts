// Decides whether a Word document or an Excel workbook (ISO/IEC 29500) is accepted. It must have a limited unpacked size, no
// macros, no embedded objects, and nothing that loads or starts when the file is opened.

import { isUtf8 } from 'node:buffer';
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import type { InspectionDetail } from './refusals.ts';

const maxParts = 5000;
const maxUnpackedBytes = 100 * 10 ** 6;
/** Maximum ratio of the unpacked size to the file size, after the first megabyte. Sheets of numbers reach about 20. */
const maxCompressionRatio = 100;
/** Office stores an encrypted document under this name in an OLE container (MS-OFFCRYPTO 2.3.4.4). */
const encryptedPackage = Buffer.from('EncryptedPackage', 'utf16le');

const mainTypes = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml',
} as const;

/** Patterns for the path of a part, its content type, and the last segment of a relationship's type. */
const refusedParts: readonly (readonly [RegExp, InspectionDetail])[] = [
  [/vba[pd]|macro(sheet|enabled)|dialogsheet|dToolbars|customui|^extensibility$/i, 'office-macros'],
  [/activex|(^|\/)embeddings\/|oleobject$|^(package|control|afchunk)$/i, 'office-embedded-object'],
  [/webextension|^(subdocument|frame)$/i, 'office-remote-part'],
  [/^xl\/(connections|querytables|model)\W|^(connections|querytable)$/i, 'office-data-exchange'],
];

/** Relationship types whose external target opens only after a click or a confirmation. */
const harmlessExternalTypes = /^(hyperlink|externallinkpath|xlpathmissing)$/i;
/** A path on the author's computer. References to templates often have one. */
const localPath = /^(file:\/{0,3})?[a-z]:[\\/]/i;

/** Fields (ISO/IEC 29500-1, 17.16.5) that start a program or load remote content. `{` marks where a field or a part of it begins. */
const activeFields =
  /\{ ?"?((DDE|DDEAUTO|LINK|DATABASE|HTMLCONTROL)[ "{]|(INCLUDE|INCLUDETEXT|INCLUDEPICTURE|IMPORT) ?"? ?(https?:|ftp:|file:|\\\\|\/\/))/i;

export async function inspectOffice(
  bytes: Buffer,
  type: 'docx' | 'xlsx',
): Promise<InspectionDetail | undefined> {
  if (!bytes.subarray(0, 2).equals(Buffer.from('PK'))) {
    return bytes.includes(encryptedPackage) ? 'office-password' : 'content-differs';
  }
  try {
    const archive = await fromBufferPromise(bytes);
    if (archive.entryCount > maxParts) return 'office-too-large';
    return await inspectParts(archive, bytes.length, type);
  } catch {
    // yauzl throws plain errors for damaged archives.
    return 'office-structure';
  }
}

async function inspectParts(
  archive: ZipFile,
  fileBytes: number,
  type: 'docx' | 'xlsx',
): Promise<InspectionDetail | undefined> {
  const entries: Entry[] = [];
  for await (const entry of archive.eachEntry()) entries.push(entry);
  const unpackedBytes = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  if (unpackedBytes > Math.min(maxUnpackedBytes, maxCompressionRatio * fileBytes + 10 ** 6)) {
    return 'office-too-large';
  }
  const names = new Set(entries.map(({ fileName }) => fileName.toLowerCase()));
  if (names.size < entries.length) return 'office-structure';
  let types = '';
  for (const entry of entries) {
    if (entry.isEncrypted()) return 'office-password';
    const content = await readPart(archive, entry);
    const xml = content ? toXml(content, entry.fileName) : '';
    if (xml === undefined) return 'office-xml';
    const refusal = findRefusedPart(entry.fileName) ?? inspectXml(xml, entry.fileName);
    if (refusal) return refusal;
    if (entry.fileName === '[Content_Types].xml') types = xml;
  }
  return types.includes(mainTypes[type]) ? undefined : 'content-differs';
}

function findRefusedPart(text: string): InspectionDetail | undefined {
  return refusedParts.find(([pattern]) => pattern.test(text))?.[1];
}

/** Returns the content if the part is XML by its name or its beginning. It unpacks other parts as well, so that yauzl checks their size. */
async function readPart(archive: ZipFile, entry: Entry): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let isXml: boolean | undefined = /\.(xml|rels|vml)$/i.test(entry.fileName) || undefined;
  for await (const chunk of await archive.openReadStreamPromise(entry)) {
    if (!Buffer.isBuffer(chunk)) continue;
    isXml ??= /^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*(<|$)/.test(chunk.toString('latin1'));
    if (isXml) chunks.push(chunk);
  }
  return isXml ? Buffer.concat(chunks) : undefined;
}

/** Returns undefined for XML that cannot be searched: it has an unknown encoding, or it declares entities. */
function toXml(content: Buffer, path: string): string | undefined {
  const isUtf16 = ['fffe', 'feff'].includes(content.toString('hex', 0, 2));
  if (!isUtf16 && !isUtf8(content)) return undefined;
  const littleEndian = content[0] === 0xfe ? Buffer.from(content).swap16() : content;
  const xml = isUtf16 ? littleEndian.toString('utf16le') : content.toString('utf8');
  const declaration = xml.slice(0, xml.indexOf('>') + 1);
  const otherEncoding = /^\uFEFF?\s*<\?xml\s.*encoding\s*=\s*["'](?!(utf-8|utf-16|us-ascii)["'])/is;
  const hasEntities = xml.includes('<!DOCTYPE') && !/\.svg$/i.test(path);
  return hasEntities || xml.includes('\0') || otherEncoding.test(declaration) ? undefined : xml;
}

/** Matches a comment, a processing instruction, CDATA, a tag, or text. */
const xmlToken =
  /<!--[^]*?-->|<\?[^]*?\?>|<!\[CDATA\[([^]*?)\]\]>|<\/?(?:[^\s/>:="'<!?]+:)?([^\s/>:="'<!?]+)((?:\s+[^\s/>="'<]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*\/?>|([^<]+)/y;
const xmlAttribute = /(?:[^\s/>:="'<]+:)?([^\s/>:="'<]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Words that occur in every part with a field or a link. Only such parts, content types, and relationships are parsed. */
const fieldOrLink = /instrText|fldSimple|ddeLink|oleLink/i;

function inspectXml(xml: string, path: string): InspectionDetail | undefined {
  if (!/\.rels$|^\[Content_Types\]\.xml$/i.test(path) && !fieldOrLink.test(xml)) return undefined;
  const fields: string[] = [];
  let isField = false;
  xmlToken.lastIndex = 0;
  while (xmlToken.lastIndex < xml.length) {
    const token = xmlToken.exec(xml);
    if (!token) return 'office-xml';
    const [all, raw, name = '', attributeText = '', text] = token;
    if (isField) fields.push(raw ?? decodeEntities(text ?? ''));
    if (name === '') continue;
    isField = name === 'instrText' && !/^<\/|\/>$/.test(all);
    if (name === 'fldChar') fields.push('{');
    if (/^(dde|ole)Link$/i.test(name)) return 'office-data-exchange';
    const attributes = new Map<string, string>();
    for (const [, key = '', double, single] of attributeText.matchAll(xmlAttribute)) {
      attributes.set(key, decodeEntities(double ?? single ?? '').trim());
    }
    if (attributes.has('instr')) fields.push('{', attributes.get('instr') ?? '', '{');
    const type = (attributes.get('Type') ?? '').replace(/^.*\//s, '');
    const refusal = findRefusedPart(attributes.get('ContentType') ?? '') ?? findRefusedPart(type);
    if (refusal) return refusal;
    const isExternal = attributes.get('TargetMode')?.toLowerCase() === 'external';
    const isLocal = localPath.test(attributes.get('Target') ?? '');
    if (isExternal && !isLocal && !harmlessExternalTypes.test(type)) return 'office-remote-part';
  }
  const instructions = `{${fields.join('').replaceAll(/\s+/g, ' ')} `;
  return activeFields.test(instructions) ? 'office-data-exchange' : undefined;
}

const entities = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

function decodeEntities(text: string): string {
  return text.replaceAll(/&(#x?)?([0-9a-z]{1,7});/gi, (entity, number, body) => {
    if (number === undefined) return entities.get(body) ?? entity;
    const code = Number.parseInt(body, number === '#' ? 10 : 16);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : entity;
  });
}
