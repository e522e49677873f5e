// Reads an accepted file with another library, and searches it for active content.

import jpeg from 'jpeg-js';
import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFStream,
  type PDFContext,
  type PDFObject,
} from '@cantoo/pdf-lib';
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
      return {
        isReadable: canRead(() => jpeg.decode(bytes, { maxMemoryUsageInMB: 64 })),
        bad: [],
      };
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
    return { isReadable: true, bad: findActs(context) };
  } catch {
    return { isReadable: false, bad: [] };
  } finally {
    console.warn = warn;
  }
}

function findActs(context: PDFContext): string[] {
  const found = new Set<string>();
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
    for (const act of listActs(dictionary)) found.add(act);
  }
  return [...found];
}

function listActs(dictionary: PDFDict): string[] {
  const triggers = getDictionary(dictionary, 'AA')?.values() ?? [];
  const actions = [
    ...actionKeys.map((key) => getDictionary(dictionary, key)),
    ...triggers.map((value) => dictionary.context.lookup(value)),
  ];
  const names = actions.map((action) => (action instanceof PDFDict ? getName(action, 'S') : ''));
  const embedded = getDictionary(dictionary, 'EF')?.values() ?? [];
  const isAnnotation = dictionary.has(PDFName.of('Rect'));
  return [
    ...names.filter((name) => badActions.has(name)),
    ...(isAnnotation && badAnnotations.has(getName(dictionary, 'Subtype')) ? ['annotation'] : []),
    ...(embedded.some((value) => dictionary.context.lookup(value) instanceof PDFStream)
      ? ['attachment']
      : []),
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
  const buffer = Buffer.from(bytes);
  const names: string[] = [];
  for (
    let at = buffer.indexOf('PK\x03\x04');
    at !== -1;
    at = buffer.indexOf('PK\x03\x04', at + 4)
  ) {
    if (at + 30 > buffer.length) break;
    names.push(buffer.toString('latin1', at + 30, at + 30 + buffer.readUInt16LE(at + 26)));
  }
  return names;
}

function canRead(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
