// Another parser, which looks for active content in the damaged files that the inspection accepts.

import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFObject,
  PDFStream,
} from '@cantoo/pdf-lib';
import jpeg from 'jpeg-js';
import { PNG } from 'pngjs';

export interface Opinion {
  /** False if the other library cannot read the file. An accepted file may be damaged. */
  readonly isReadable: boolean;
  /** Content for which the file should have been refused. */
  readonly bad: readonly string[];
}

const badParts = /vbaProject|activeX|embeddings|\.\.\//i;
const badActions = new Set(['Launch', 'Rendition', 'Movie', 'Sound', 'RichMediaExecute']);
const badAnnotations = new Set(['FileAttachment', 'RichMedia', 'Movie', 'Sound', '3D']);
const actionKeys = ['OpenAction', 'A', 'PA', 'NA', 'Next'];

export async function askSecondOpinion(extension: string, bytes: Uint8Array): Promise<Opinion> {
  switch (extension) {
    case 'pdf':
      return readPdf(bytes);
    case 'jpg':
      return { isReadable: canRead(() => jpeg.decode(bytes, { maxMemoryUsageInMB: 64 })), bad: [] };
    case 'png':
      return { isReadable: canRead(() => PNG.sync.read(Buffer.from(bytes))), bad: [] };
    case 'docx':
    case 'xlsx':
      return { isReadable: true, bad: listLocalNames(bytes).filter((name) => badParts.test(name)) };
    default:
      return { isReadable: true, bad: bytes.includes(0) ? ['a zero in a text'] : [] };
  }
}

/** Follows all references from the catalog, and searches for actions by their keys. */
async function readPdf(bytes: Uint8Array): Promise<Opinion> {
  const { console } = globalThis;
  const { warn } = console;
  console.warn = () => undefined;
  try {
    const { context } = await PDFDocument.load(bytes, { password: '', updateMetadata: false });
    return { isReadable: true, bad: [...new Set(listDictionaries(context).flatMap(findActs))] };
  } catch {
    return { isReadable: false, bad: [] };
  } finally {
    console.warn = warn;
  }
}

function listDictionaries(context: PDFContext): readonly PDFDict[] {
  const dictionaries: PDFDict[] = [];
  const visited = new Set<PDFObject>();
  const waiting = [context.trailerInfo.Root];
  while (waiting.length > 0) {
    const object = context.lookup(waiting.pop());
    if (!object || visited.has(object)) continue;
    visited.add(object);
    if (object instanceof PDFArray) waiting.push(...object.asArray());
    const dictionary = object instanceof PDFStream ? object.dict : object;
    if (!(dictionary instanceof PDFDict)) continue;
    waiting.push(...dictionary.values());
    dictionaries.push(dictionary);
  }
  return dictionaries;
}

function findActs(dictionary: PDFDict): string[] {
  const lookup = (value: PDFObject) => dictionary.context.lookup(value);
  const triggered = getDictionary(dictionary, 'AA')?.values().map(lookup) ?? [];
  const actions = [...actionKeys.map((key) => getDictionary(dictionary, key)), ...triggered];
  const names = actions.map((action) => (action instanceof PDFDict ? getName(action, 'S') : ''));
  const files = getDictionary(dictionary, 'EF')?.values().map(lookup) ?? [];
  const isBadAnnotation =
    dictionary.has(PDFName.of('Rect')) && badAnnotations.has(getName(dictionary, 'Subtype'));
  return [
    ...names.filter((name) => badActions.has(name)),
    ...(isBadAnnotation ? ['annotation'] : []),
    ...(files.some((file) => file instanceof PDFStream) ? ['attachment'] : []),
  ];
}

function getDictionary(dictionary: PDFDict, key: string): PDFDict | undefined {
  const value = dictionary.lookup(PDFName.of(key));
  return value instanceof PDFDict ? value : undefined;
}

function getName(dictionary: PDFDict, key: string): string {
  const value = dictionary.lookup(PDFName.of(key));
  return value instanceof PDFName ? value.decodeText() : '';
}

/** Reads the local headers, which programs use to repair an archive. */
function listLocalNames(bytes: Uint8Array): string[] {
  const [, ...headers] = Buffer.from(bytes).toString('latin1').split('PK\x03\x04');
  return headers.map((header) => {
    const length = Buffer.from(header.slice(22, 24).padEnd(2, '\0'), 'latin1').readUInt16LE();
    return header.slice(26, 26 + length);
  });
}

function canRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
