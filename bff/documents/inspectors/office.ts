// A document or a workbook of an office program (ISO/IEC 29500): an archive that hides nothing, whose parts neither act nor call out.

import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { listEntries, readContent } from './office-archive.ts';
import { inspectBinary, inspectContentTypes, inspectPath, inspectXml } from './office-parts.ts';
import type { InspectionDetail } from './verdict.ts';

/** Parts whose content is looked at; the others are only measured. */
const readableParts = /\.(xml|rels|vml|svg)$/i;
/** Of one readable part; the body of a long contract has one or two. */
const maxPartBytes = 16 * 2 ** 20;

export async function inspectOffice(
  bytes: Buffer,
  type: 'docx' | 'xlsx',
): Promise<InspectionDetail | undefined> {
  const archive = await openArchive(bytes);
  if (!archive) return 'office-structure';
  const entries = await listEntries(archive, bytes);
  if (typeof entries === 'string') return entries;
  for (const { fileName } of entries) {
    const wrong = inspectPath(fileName);
    if (wrong) return wrong;
  }
  const parts = new Map<string, string>();
  for (const entry of entries) {
    const wrong = await inspectPart(archive, entry, bytes, parts);
    if (wrong) return wrong;
  }
  return inspectContentTypes(parts, type);
}

async function openArchive(bytes: Buffer): Promise<ZipFile | undefined> {
  try {
    return await fromBufferPromise(bytes, { strictFileNames: true });
  } catch {
    // The library throws plain errors for whatever is no archive.
    return undefined;
  }
}

/** `parts` gathers the two that say what the document is. */
async function inspectPart(
  archive: ZipFile,
  entry: Entry,
  bytes: Buffer,
  parts: Map<string, string>,
): Promise<InspectionDetail | undefined> {
  if (entry.fileName.endsWith('/')) return entry.uncompressedSize > 0 ? 'office-part' : undefined;
  const isReadable = readableParts.test(entry.fileName);
  if (isReadable && entry.uncompressedSize > maxPartBytes) return measure(archive, entry, bytes);
  const content = await readContent(archive, entry, bytes, isReadable);
  if (!content) return 'office-structure';
  if (!isReadable) return inspectBinary(content);
  const wrong = inspectXml(entry.fileName, content);
  if (wrong) return wrong;
  if (['[Content_Types].xml', '_rels/.rels'].includes(entry.fileName)) {
    parts.set(entry.fileName, content.toString('utf8'));
  }
  return undefined;
}

/** A sheet may be large, and holds nothing that acts; nothing else may. */
async function measure(
  archive: ZipFile,
  entry: Entry,
  bytes: Buffer,
): Promise<InspectionDetail | undefined> {
  if (!/^xl\/(worksheets\/[^/]+|sharedStrings)\.xml$/.test(entry.fileName)) {
    return 'office-inflates-too-far';
  }
  return (await readContent(archive, entry, bytes, false)) ? undefined : 'office-structure';
}
