// The parts of an office document: which ones may be there, and what their relationships, fields and links may do.

import { isUtf8 } from 'node:buffer';
import { hasActiveField } from './office-fields.ts';
import { toLocalName, walkXml, type XmlTag } from './xml-walk.ts';
import type { InspectionDetail } from './verdict.ts';

/** By the end of a part's name: text, pictures, and fonts. */
const harmlessParts =
  /\.(xml|rels|vml|png|jpe?g|gif|emf|wmf|tiff?|bmp|svg|wdp|odttf|ttf|fntdata)$/i;
/** Binary settings that sheets carry along. */
const settingsParts = /^xl\/(printerSettings|customProperty)[^/]*(\/[^/]+)?\.bin$/i;

const pathRules: readonly (readonly [RegExp, InspectionDetail])[] = [
  [/vba|macrosheets\/|dialogsheets\/|attachedToolbars|customUI/i, 'office-macros'],
  [/(^|\/)(activeX|embeddings)\//i, 'office-embedded-object'],
  [/webextensions?\//i, 'office-remote-part'],
  [/^xl\/(connections\.xml|queryTables\/|model\/)/i, 'office-data-exchange'],
];

/** The last word of a relationship's type, in lower case: a part is what its relationship says, whatever it is called. */
const relationshipRules: ReadonlyMap<string, InspectionDetail> = new Map([
  ['vbaproject', 'office-macros'],
  ['wordvbadata', 'office-macros'],
  ['xlmacrosheet', 'office-macros'],
  ['xlintlmacrosheet', 'office-macros'],
  ['dialogsheet', 'office-macros'],
  ['attachedtoolbars', 'office-macros'],
  ['extensibility', 'office-macros'],
  ['oleobject', 'office-embedded-object'],
  ['package', 'office-embedded-object'],
  ['control', 'office-embedded-object'],
  ['activexcontrolbinary', 'office-embedded-object'],
  ['afchunk', 'office-embedded-object'],
  ['subdocument', 'office-remote-part'],
  ['frame', 'office-remote-part'],
  ['webextension', 'office-remote-part'],
  ['webextensiontaskpanes', 'office-remote-part'],
  ['connections', 'office-data-exchange'],
  ['querytable', 'office-data-exchange'],
]);

/** What a person follows by a click, and the name of another workbook, which is opened only when somebody agrees to. */
const harmlessOutside = new Set(['hyperlink', 'externallinkpath', 'xlpathmissing']);

const activeContentTypes: readonly (readonly [RegExp, InspectionDetail])[] = [
  [/macro|vba|dialogsheet/i, 'office-macros'],
  [/oleobject|activex/i, 'office-embedded-object'],
];

/** Of `<?xml … ?>`, with blanks before it. */
const longestDeclaration = 300;

const mainContentTypes = {
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml',
} as const;

/** What a picture or a font never begins with: archives, PDFs, programs, and older office documents. */
const otherBeginnings = [
  'PK\x03\x04',
  '%PDF',
  'MZ',
  '\x7fELF',
  'Rar!',
  '7z\xbc\xaf',
  '\xd0\xcf\x11\xe0',
  '<',
];

export function inspectPath(path: string): InspectionDetail | undefined {
  // Others are written with percent signs (ISO/IEC 29500-2, 6.2.2).
  if (!/^[\x20-\x7e]+$/.test(path)) return 'office-path';
  if (path.endsWith('/')) return undefined;
  const rule = pathRules.find(([pattern]) => pattern.test(path));
  if (rule) return rule[1];
  return harmlessParts.test(path) || settingsParts.test(path) ? undefined : 'office-part';
}

/** A part that is not XML. @param beginning some of its first bytes */
export function inspectBinary(beginning: Buffer): InspectionDetail | undefined {
  const text = beginning.toString('latin1', 0, 8);
  return otherBeginnings.some((other) => text.startsWith(other)) ? 'office-part' : undefined;
}

/** A part in XML, and the tags of it when it is one of relationships or of content types. */
export function inspectXml(path: string, content: Buffer): InspectionDetail | undefined {
  if (!isPlainXml(content)) return 'office-xml';
  const text = content.toString('utf8');
  if (/\.rels$/i.test(path)) return inspectRelationships(text);
  let isLinked = false;
  const fields: string[] = [];
  let isField = false;
  const isRead = walkXml(text, {
    open({ name, attributes }) {
      isLinked ||= /^(dde|ole)Link$/i.test(name);
      isField = name === 'instrText';
      if (name === 'fldChar') fields.push('{');
      for (const [key, value] of attributes) {
        if (toLocalName(key) === 'instr') fields.push('{', value, '{');
      }
    },
    close(name) {
      if (name === 'instrText') isField = false;
    },
    text(piece) {
      if (isField) fields.push(piece);
    },
  });
  if (!isRead) return 'office-xml';
  return isLinked || hasActiveField(fields.join('')) ? 'office-data-exchange' : undefined;
}

/** The document is what `_rels/.rels` names, and this is a document or a workbook without macros. */
export function inspectContentTypes(
  parts: ReadonlyMap<string, string>,
  type: 'docx' | 'xlsx',
): InspectionDetail | undefined {
  const types = readTags(parts.get('[Content_Types].xml') ?? '') ?? [];
  const relationships = readTags(parts.get('_rels/.rels') ?? '') ?? [];
  for (const { attributes } of types) {
    const contentType = attributes.get('ContentType') ?? '';
    const rule = activeContentTypes.find(([pattern]) => pattern.test(contentType));
    if (rule) return rule[1];
  }
  const documents = relationships.filter((tag) => getRelationshipType(tag) === 'officedocument');
  const target = documents[0]?.attributes.get('Target')?.replace(/^\//, '');
  if (documents.length !== 1 || target === undefined) return 'office-structure';
  return findContentType(types, target) === mainContentTypes[type] ? undefined : 'content-differs';
}

function findContentType(types: readonly XmlTag[], path: string): string | undefined {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  const own = types.find(
    ({ attributes }) => attributes.get('PartName')?.toLowerCase() === `/${path}`.toLowerCase(),
  );
  const general = types.find(
    ({ attributes }) => attributes.get('Extension')?.toLowerCase() === extension,
  );
  return (own ?? general)?.attributes.get('ContentType')?.trim();
}

function inspectRelationships(text: string): InspectionDetail | undefined {
  const tags = readTags(text);
  if (!tags) return 'office-xml';
  for (const tag of tags) {
    const type = getRelationshipType(tag);
    const rule = relationshipRules.get(type);
    if (rule) return rule;
    const isOutside = tag.attributes.get('TargetMode')?.trim().toLowerCase() === 'external';
    if (isOutside && !harmlessOutside.has(type)) return 'office-remote-part';
  }
  return undefined;
}

function getRelationshipType({ attributes }: XmlTag): string {
  const type = attributes.get('Type')?.trim().toLowerCase() ?? '';
  return type.slice(type.lastIndexOf('/') + 1);
}

/** UTF-8 with nothing that says otherwise: in another encoding every search here could be passed by. */
function isPlainXml(content: Buffer): boolean {
  if (!isUtf8(content) || content.includes(0)) return false;
  const beginning = content.toString('utf8', 0, longestDeclaration).replace(/^\uFEFF?\s*/, '');
  if (!beginning.startsWith('<')) return false;
  if (!beginning.startsWith('<?xml')) return true;
  const end = beginning.indexOf('?>');
  const encoding = /encoding\s*=\s*["']([^"']*)/i.exec(beginning.slice(0, Math.max(0, end)))?.[1];
  return end !== -1 && (encoding === undefined || /^(utf-8|us-ascii)$/i.test(encoding));
}

function readTags(text: string): readonly XmlTag[] | undefined {
  const tags: XmlTag[] = [];
  return walkXml(text, { open: (tag) => tags.push(tag) }) ? tags : undefined;
}
