// What other parsers see in a file that was accepted: whether they can open it, and anything in it that should have kept it out.

import jpeg from 'jpeg-js';
import { PDFArray, PDFDict, PDFDocument, PDFName, PDFStream } from 'pdf-lib';
import { PNG } from 'pngjs';
import { toText } from './hostile-file.ts';

export interface Opinion {
  /** `false`: the other parser gives up. A damaged file can be accepted; it is only of no use. */
  readonly isReadable: boolean;
  /** What should have kept it out. */
  readonly bad: readonly string[];
}

const activeNames = new Set(
  'JavaScript JS AA Launch SubmitForm ImportData GoToE EmbeddedFiles EmbeddedFile EF RichMedia XFA'.split(
    ' ',
  ),
);
/** No picture has these by chance, compressed or not. */
const foreign = ['<script', '<html', '<?php', '%pdf-1', 'pk\x05\x06'];
const badParts = /vbaProject|activeX|embeddings|\.\.\//i;

export async function askSecondOpinion(extension: string, bytes: Uint8Array): Promise<Opinion> {
  switch (extension) {
    case 'pdf':
      return readPdf(bytes);
    case 'jpg':
      return {
        isReadable: canRead(() => jpeg.decode(bytes, { maxMemoryUsageInMB: 64 })),
        bad: findForeign(bytes),
      };
    case 'png':
      return {
        isReadable: canRead(() => PNG.sync.read(Buffer.from(bytes))),
        bad: findForeign(bytes),
      };
    case 'docx':
    case 'xlsx':
      return { isReadable: true, bad: listLocalNames(bytes).filter((name) => badParts.test(name)) };
    default:
      return { isReadable: true, bad: bytes.includes(0) ? ['a zero in a text'] : [] };
  }
}

/** It reads objects one after another, object streams too, and looks at no cross-reference. */
async function readPdf(bytes: Uint8Array): Promise<Opinion> {
  const found = new Set<string>();
  const isReadable = await withoutWarnings(async () => {
    const options = { ignoreEncryption: true, updateMetadata: false };
    const { context } = await PDFDocument.load(bytes, options);
    for (const [, object] of context.enumerateIndirectObjects()) collectNames(object, found);
  });
  return { isReadable, bad: [...found].filter((name) => activeNames.has(name)) };
}

/** The library tells the console of every object it cannot read. */
async function withoutWarnings(read: () => Promise<void>): Promise<boolean> {
  const { console } = globalThis;
  const { warn } = console;
  console.warn = () => undefined;
  try {
    await read();
    return true;
  } catch {
    return false;
  } finally {
    console.warn = warn;
  }
}

function collectNames(object: unknown, found: Set<string>): void {
  if (object instanceof PDFName) found.add(object.decodeText());
  if (object instanceof PDFStream) collectNames(object.dict, found);
  if (object instanceof PDFArray) for (const item of object.asArray()) collectNames(item, found);
  if (object instanceof PDFDict) {
    for (const [name, value] of object.entries()) {
      collectNames(name, found);
      collectNames(value, found);
    }
  }
}

function findForeign(bytes: Uint8Array): string[] {
  const text = toText(bytes).toLowerCase();
  return foreign.filter((mark) => text.includes(mark));
}

/** By the headers in front of the data, where a reader that mends archives looks. */
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
