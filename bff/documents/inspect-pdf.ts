// Decides whether a PDF (ISO 32000-2) is accepted: it opens without a password, nothing in it acts by itself, and it carries
// no other file. docs/security.md, "Files", explains the policy.

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
import type { InspectionDetail } from './refusals.ts';
import { findPdfHeader } from './check-signature.ts';

/** `refuse`: also refuse PDFs with scripts or an XFA form, and PDFs that viewers must repair before they can show them. */
export type ScriptPolicy = 'accept' | 'refuse';

/** Reasons to refuse a PDF that opens. The applicant reads the first one found: its cure also removes those below it. */
const findings = [
  'pdf-launch',
  'pdf-sends-itself',
  'pdf-remote-target',
  'pdf-media',
  'pdf-attachment',
  'pdf-script',
  'pdf-xfa',
  'pdf-repaired',
] as const satisfies readonly InspectionDetail[];

type Finding = (typeof findings)[number];

const strictFindings: ReadonlySet<Finding> = new Set(['pdf-script', 'pdf-xfa', 'pdf-repaired']);

/** Action types (12.6.4) that are found wherever an action may stand, even behind a click. */
const anyActions: ReadonlyMap<string, Finding> = new Map([
  ['Launch', 'pdf-launch'],
  ['Rendition', 'pdf-media'],
  ['Movie', 'pdf-media'],
  ['Sound', 'pdf-media'],
  ['RichMediaExecute', 'pdf-media'],
  ['JavaScript', 'pdf-script'],
]);

/** Action types that are found only where no click is needed to start them. */
const automaticActions: ReadonlyMap<string, Finding> = new Map([
  ['GoToR', 'pdf-remote-target'],
  ['GoToE', 'pdf-remote-target'],
  ['URI', 'pdf-sends-itself'],
  ['SubmitForm', 'pdf-sends-itself'],
  ['ImportData', 'pdf-sends-itself'],
]);

/** Annotation types (12.5.6). */
const annotations: ReadonlyMap<string, Finding> = new Map([
  ['FileAttachment', 'pdf-attachment'],
  ['RichMedia', 'pdf-media'],
  ['Movie', 'pdf-media'],
  ['Sound', 'pdf-media'],
  ['3D', 'pdf-media'],
]);

/** The keys under which a file specification holds an embedded file's stream (7.11.4). */
const embeddedFileKeys = ['F', 'UF', 'DOS', 'Mac', 'Unix'] as const;

/** Additional actions (12.6.3) that start with a click: the mouse button goes down, and up. */
const clickTriggers = new Set(['D', 'U']);

const endMark = '%%EOF';

/** Reads the file twice and judges both views, because no two readers agree on a damaged or deceitful file. */
export async function inspectPdf(
  bytes: Buffer,
  scripts: ScriptPolicy,
): Promise<InspectionDetail | undefined> {
  const start = findPdfHeader(bytes);
  if (start === -1) return 'content-differs';
  // A cut-off file can often be repaired, but pages would be missing.
  if (isCutOff(bytes)) return 'pdf-cut-off';
  const found = new Set<Finding>();
  const unreadable = await withoutWarnings(
    async () =>
      (await collect(() => readByScan(bytes), found)) ??
      // The table counts from the header, and viewers look for its place near the end.
      (await inspectByTable(bytes.subarray(start, findEnd(bytes)), found)),
  );
  if (unreadable) return unreadable;
  return findings.find(
    (finding) => found.has(finding) && (scripts === 'refuse' || !strictFindings.has(finding)),
  );
}

async function inspectByTable(
  body: Buffer,
  found: Set<Finding>,
): Promise<InspectionDetail | undefined> {
  let problem = await collect(() => readPages(body, 'strict'), found);
  if (problem !== 'pdf-unreadable') return problem;
  const aligned = alignTables(body);
  if (aligned) problem = await collect(() => readPages(aligned, 'strict'), found);
  if (problem !== 'pdf-unreadable') return problem;
  found.add('pdf-repaired');
  return collect(() => readPages(aligned ?? body, 'lenient'), found);
}

async function readPages(body: Buffer, mode: TableMode): Promise<PdfView> {
  const view = await readByTable(body, mode);
  if (!hasPage(view)) throw new RangeError('No page can be reached');
  return view;
}

async function collect(
  readFile: () => Promise<PdfView>,
  found: Set<Finding>,
): Promise<InspectionDetail | undefined> {
  try {
    collectFindings(await readFile(), found);
    return undefined;
  } catch (error) {
    // The libraries throw errors of many classes. Each of them means that the file could not be read.
    return error instanceof LockedPdfError ? 'pdf-password' : 'pdf-unreadable';
  }
}

/** Behind the last end mark, unless a table follows that has lost its own. */
function findEnd(bytes: Buffer): number {
  const mark = bytes.lastIndexOf(endMark);
  return mark === -1 || bytes.includes('startxref', mark) ? bytes.length : mark + endMark.length;
}

/** Objects follow the last end mark, and no table follows them: a download that stopped, or an update that was not finished. */
function isCutOff(bytes: Buffer): boolean {
  const end = Math.max(0, bytes.lastIndexOf(endMark));
  if (bytes.includes('startxref', end)) return false;
  for (let at = bytes.indexOf(' obj', end); at !== -1; at = bytes.indexOf(' obj', at + 1)) {
    if (/\d\s+\d+$/.test(bytes.toString('latin1', Math.max(end, at - 20), at))) return true;
  }
  return false;
}

/**
 * The meaning of a value, given by its place in the file. Names alone prove nothing: a font, a glyph, a state or a role may be
 * called Launch, S or AA.
 */
type Place =
  | 'anywhere'
  /** In `Annots`. */
  | 'annotation'
  /** An action that a click starts; an action that starts without one. */
  | 'clicked-action'
  | 'automatic-action'
  /** The value of `AA`. */
  | 'triggers'
  /** The catalog's `Names`, and the tree of its `JavaScript`. */
  | 'names'
  | 'script-tree'
  /** The value of `AcroForm`. */
  | 'form'
  /** The value of `EF`. */
  | 'embedded-files';

/** The place of the value of each of these keys, in any dictionary. */
const placesOfKeys: ReadonlyMap<string, Place> = new Map([
  ['OpenAction', 'automatic-action'],
  ['NA', 'automatic-action'],
  ['A', 'clicked-action'],
  ['AA', 'triggers'],
  ['Annots', 'annotation'],
  ['EF', 'embedded-files'],
  ['Names', 'names'],
  ['AcroForm', 'form'],
]);

/** Visits every object, referenced or not, with a stack of its own: a file must not decide how deep the program's stack grows. */
function collectFindings(view: PdfView, found: Set<Finding>): void {
  const visited = new Map<Place, Set<object>>();
  const stack: { readonly node: PdfContainer; readonly place: Place }[] = [];

  function add(value: unknown, place: Place): void {
    const node = view.read(value);
    if (node.kind !== 'array' && node.kind !== 'dictionary') return;
    let seen = visited.get(place);
    if (!seen) visited.set(place, (seen = new Set()));
    if (seen.has(node.source)) return;
    seen.add(node.source);
    stack.push({ node, place });
  }

  function getName(dictionary: PdfDictionary, key: string): string {
    const node = view.read(dictionary.get(key));
    return node.kind === 'name' ? node.name : '';
  }

  function isStream(value: unknown): boolean {
    const node = view.read(value);
    return node.kind === 'dictionary' && node.isStream;
  }

  function find(finding: Finding | undefined): void {
    if (finding) found.add(finding);
  }

  function visitAnywhere(dictionary: PdfDictionary): void {
    for (const [key, value] of dictionary.entries()) {
      add(value, 'anywhere');
      switch (key) {
        // Of a link: the address that it had before, which no viewer follows (12.5.6.5).
        case 'PA':
          if (getName(dictionary, 'Subtype') !== 'Link') add(value, 'automatic-action');
          break;
        // Only annotations have a rectangle, so that the list that names them does not have to be found.
        case 'Rect':
          find(annotations.get(getName(dictionary, 'Subtype')));
          break;
        default: {
          const place = placesOfKeys.get(key);
          if (place) add(value, place);
        }
      }
    }
  }

  function visitAction(action: PdfDictionary, place: 'clicked-action' | 'automatic-action'): void {
    const type = getName(action, 'S');
    find(anyActions.get(type));
    if (place === 'automatic-action') find(automaticActions.get(type));
    add(action.get('Next'), place);
  }

  function visit(dictionary: PdfDictionary, place: Place): void {
    switch (place) {
      case 'anywhere':
        visitAnywhere(dictionary);
        break;
      case 'annotation':
        find(annotations.get(getName(dictionary, 'Subtype')));
        break;
      case 'clicked-action':
      case 'automatic-action':
        visitAction(dictionary, place);
        break;
      case 'triggers':
        for (const [key, value] of dictionary.entries()) {
          add(value, clickTriggers.has(key) ? 'clicked-action' : 'automatic-action');
        }
        break;
      case 'names':
        add(dictionary.get('JavaScript'), 'script-tree');
        break;
      case 'script-tree':
        add(dictionary.get('Kids'), 'script-tree');
        add(dictionary.get('Names'), 'automatic-action');
        break;
      case 'form':
        if (view.read(dictionary.get('XFA')).kind !== 'other') find('pdf-xfa');
        break;
      case 'embedded-files':
        if (embeddedFileKeys.some((key) => isStream(dictionary.get(key)))) find('pdf-attachment');
        break;
    }
  }

  add(view.catalog, 'anywhere');
  for (const object of view.objects()) {
    add(object, 'anywhere');
    for (let next = stack.pop(); next; next = stack.pop()) {
      // The items of an array have the place of the array.
      if (next.node.kind === 'array') for (const item of next.node.items) add(item, next.place);
      else visit(next.node, next.place);
    }
  }
}

/** True if the page tree (7.7.3.2) has a page. A node without kids is a page; its type may be missing. */
function hasPage(view: PdfView): boolean {
  const catalog = view.read(view.catalog);
  if (catalog.kind !== 'dictionary') return false;
  const visited = new Set<object>();
  const stack = [catalog.get('Pages')];
  while (stack.length > 0) {
    const node = view.read(stack.pop());
    if (node.kind !== 'dictionary' || visited.has(node.source)) continue;
    visited.add(node.source);
    const kids = view.read(node.get('Kids'));
    if (kids.kind !== 'array') return true;
    for (const kid of kids.items) stack.push(kid);
  }
  return false;
}

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
