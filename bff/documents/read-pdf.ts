// Reads a PDF with two libraries and shows what each of them found as one small model.
// The libraries look at a file differently: @libpdf/core follows the cross-reference table, as viewers do, and @cantoo/pdf-lib
// scans the file from its beginning, as viewers do when they repair it. A file that hides something from one shows it to the other.

import {
  ParseSpeeds,
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFParser,
  PDFRef,
  PDFStream,
} from '@cantoo/pdf-lib';
import { PDF, PdfArray, PdfDict, PdfName, PdfRef, PdfStream } from '@libpdf/core';

/** A value of a PDF, as far as the policy needs it. Numbers, strings and missing objects are `other`. */
export type PdfNode =
  { readonly kind: 'name'; readonly name: string } | PdfContainer | { readonly kind: 'other' };

export type PdfContainer = PdfArrayNode | PdfDictionary;

export interface PdfArrayNode {
  readonly kind: 'array';
  /** The library's own object, to recognize one that was visited. */
  readonly source: object;
  readonly items: Iterable<unknown>;
}

export interface PdfDictionary {
  readonly kind: 'dictionary';
  readonly source: object;
  /** The dictionary of a stream. The stream's content is never decoded, except for object streams by the libraries. */
  readonly isStream: boolean;
  get(key: string): unknown;
  entries(): Iterable<readonly [key: string, value: unknown]>;
}

/** One library's view of a file. Values are the library's own until `read` turns them into nodes. */
export interface PdfView {
  /** Every object, whether anything refers to it or not. */
  objects(): Iterable<unknown>;
  /** The document's catalog. */
  readonly catalog: unknown;
  /** Follows references. Throws what the library throws for a damaged object. */
  read(value: unknown): PdfNode;
}

/** The file cannot be opened without a password or a certificate. */
export class LockedPdfError extends Error {}

const other = { kind: 'other' } as const;

/** Viewers follow a reference to a reference ten times at most. */
const maxReferenceChain = 100;

/** Object numbers above this are visited only when something refers to them, so that a table cannot claim billions of objects. */
const maxEnumeratedObjects = 1_000_000;

/** Blanks that programs leave before a table, so that they can fill in its place later. */
const longestPadding = 256;

/** `strict`: throw at the first object that is not where the table says. `lenient`: search the file for objects instead. */
export type TableMode = 'strict' | 'lenient';

/** Reads by the cross-reference table. */
export async function readByTable(bytes: Uint8Array, mode: TableMode): Promise<PdfView> {
  const pdf = await PDF.load(bytes, { lenient: mode === 'lenient' });
  if (pdf.isEncrypted && !pdf.isAuthenticated) throw new LockedPdfError();
  const { registry, info } = pdf.context;
  const count = Math.min(registry.nextObjectNumber, maxEnumeratedObjects);

  function* objects(): Generator<unknown> {
    for (let number = 1; number < count; number += 1) yield PdfRef.of(number, 0);
  }

  function read(value: unknown): PdfNode {
    const target = follow(value, (step) =>
      step instanceof PdfRef ? registry.resolve(step) : step,
    );
    if (target instanceof PdfName) return { kind: 'name', name: target.value };
    if (target instanceof PdfArray) return { kind: 'array', source: target, items: target };
    if (!(target instanceof PdfDict)) return other;
    return {
      kind: 'dictionary',
      source: target,
      isStream: target instanceof PdfStream,
      get: (key) => target.get(key),
      *entries() {
        for (const [key, item] of target) yield [key.value, item];
      },
    };
  }

  return { objects, read, catalog: info.trailer.getRef('Root') };
}

/**
 * A copy whose references to tables lead to the tables themselves, where they led to blanks before them. Signing services and
 * older browsers write such files; viewers pass over the blanks, and @libpdf/core does not. Undefined if there are none.
 */
export function alignTables(bytes: Buffer): Buffer | undefined {
  let copy: Buffer | undefined;
  for (const word of ['startxref', '/Prev']) {
    for (let at = bytes.indexOf(word); at !== -1; at = bytes.indexOf(word, at + 1)) {
      const start = at + word.length;
      // A reference to an object, as bookmarks have it, is no place in the file.
      const match = /^(\s+)(\d+)(?!\d|\s+\d+\s+R)/.exec(
        bytes.toString('latin1', start, start + 40),
      );
      const [, blanks = '', place = ''] = match ?? [];
      const padding = bytes.toString('latin1', Number(place), Number(place) + longestPadding);
      const passed = /^\s+(?=xref\s|\d+\s+\d+\s+obj)/.exec(padding)?.[0].length ?? 0;
      const corrected = String(Number(place) + passed);
      if (!match || passed === 0 || corrected.length !== place.length) continue;
      copy ??= Buffer.from(bytes);
      copy.write(corrected, start + blanks.length, 'latin1');
    }
  }
  return copy;
}

/** Reads by scanning the file from its beginning to its end; later objects replace earlier ones of the same number. */
export async function readByScan(bytes: Buffer): Promise<PdfView> {
  const context = await scan(bytes);

  function read(value: unknown): PdfNode {
    const target = follow(value, (step) => (step instanceof PDFRef ? context.lookup(step) : step));
    if (target instanceof PDFName) return { kind: 'name', name: toText(target) };
    if (target instanceof PDFArray) {
      return { kind: 'array', source: target, items: target.asArray() };
    }
    const dictionary = target instanceof PDFStream ? target.dict : target;
    if (!(dictionary instanceof PDFDict)) return other;
    return {
      kind: 'dictionary',
      source: dictionary,
      isStream: target instanceof PDFStream,
      get: (key) => dictionary.get(PDFName.of(key)),
      *entries() {
        for (const [key, item] of dictionary.entries()) yield [toText(key), item];
      },
    };
  }

  return {
    *objects() {
      for (const [, object] of context.enumerateIndirectObjects()) yield object;
    },
    read,
    catalog: context.trailerInfo.Root,
  };
}

/** Faster than the library's `decodeText`, from which it differs only for names with unusual characters. */
function toText(name: PDFName): string {
  return name.asString().slice(1);
}

/** The library says that a password or certificate is missing by the message of an `Error`, and in no other way. */
const lockedMessages = new Set([
  'NEEDS PASSWORD',
  'Password incorrect',
  'unknown encryption method',
  'unsupported encryption algorithm',
]);

async function scan(bytes: Buffer): Promise<PDFContext> {
  const context = await new FastPdfParser(bytes).parseDocument();
  if (!context.lookup(context.trailerInfo.Encrypt)) return context;
  try {
    const document = await PDFDocument.load(bytes, {
      password: '',
      updateMetadata: false,
      preserveXFA: true,
      parseSpeed: ParseSpeeds.Fastest,
    });
    return document.context;
  } catch (error) {
    if (error instanceof Error && lockedMessages.has(error.message)) throw new LockedPdfError();
    throw error;
  }
}

/**
 * The library's parser with a faster search for the end of a stream whose length is another object. The library compares every
 * byte with five words, which takes a second for a scan of 25 MB; this search takes milliseconds and finds the same end.
 */
export class FastPdfParser extends PDFParser {
  private readonly file: Buffer;

  constructor(file: Buffer) {
    // Never yields to a timer, since nothing else runs in the inspecting program.
    super(file, ParseSpeeds.Fastest);
    this.file = file;
  }

  protected override findEndOfStreamFallback(
    position: Parameters<PDFParser['findEndOfStreamFallback']>[0],
  ): number {
    const start = this.bytes.offset();
    let depth = 1;
    let at = start;
    for (;;) {
      const word = this.file.indexOf('stream', at);
      if (word === -1) {
        // At the end of the file the library reports that the stream has none.
        this.bytes.moveTo(this.file.length);
        return super.findEndOfStreamFallback(position);
      }
      const isEnd = word - 3 >= at && this.file.toString('latin1', word - 3, word) === 'end';
      depth += isEnd ? -1 : 1;
      at = word + 'stream'.length;
      if (depth > 0) continue;
      this.bytes.moveTo(at);
      const lineEnd = /(\r\n|\r|\n)?$/.exec(
        this.file.toString('latin1', Math.max(start, word - 5), word - 3),
      );
      return word - 3 - (lineEnd?.[0].length ?? 0);
    }
  }
}

/** The libraries write parts of the file to the console. A log must not contain these. */
export async function withoutWarnings<Result>(run: () => Promise<Result>): Promise<Result> {
  const { console } = globalThis;
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return await run();
  } finally {
    console.warn = warn;
  }
}

/** @param resolve returns what is no reference as it is */
function follow(start: unknown, resolve: (value: unknown) => unknown): unknown {
  let value = start;
  for (let count = 0; count < maxReferenceChain; count += 1) {
    const target = resolve(value);
    if (target === value) return value;
    value = target;
  }
  return undefined;
}
