// Decides whether a PDF (ISO 32000-2) is accepted: it opens without a password, nothing in it acts without a click, and no
// other file is embedded in it. docs/security/documents.md, explains the policy.

import {
  ParseSpeeds,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  PDFRef,
  PDFStream,
} from '@cantoo/pdf-lib';
import { PDF, PdfArray, PdfDict, PdfName, PdfRef, PdfStream } from '@libpdf/core';
import { findPdfHeader } from './check-signature.ts';
import type { InspectionDetail } from './refusals.ts';

/** `refuse` is the strict mode. It also refuses scripts, XFA forms, and PDFs that a viewer has to repair. */
export type ScriptPolicy = 'accept' | 'refuse';

/** Reasons to refuse a PDF that opens, most serious first. The applicant is told the first one that applies. */
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

/** The keys under which a file specification holds the stream of an embedded file (7.11.4). */
const embeddedFileKeys = ['F', 'UF', 'DOS', 'Mac', 'Unix'] as const;

/** Additional actions (12.6.3) that start with a click: mouse button down and up. */
const clickTriggers: ReadonlySet<string> = new Set(['D', 'U']);

const endOfFileMarker = '%%EOF';

/**
 * Reads the file with two libraries and applies the policy to both results: readers disagree about damaged files and about
 * files that are made to deceive one of them.
 */
export async function inspectPdf(
  bytes: Buffer,
  scripts: ScriptPolicy,
): Promise<InspectionDetail | undefined> {
  const start = findPdfHeader(bytes);
  if (start === -1) return 'content-differs';
  // Viewers can often repair a truncated file, but pages would be missing.
  if (isTruncated(bytes)) return 'pdf-cut-off';
  const found = new Set<Finding>();
  const problem =
    (await collectFindings(() => readByScan(bytes), found)) ??
    // Offsets in the table count from the header, and a viewer searches for the table near the end of the file.
    (await inspectByTable(bytes.subarray(start, findEnd(bytes)), found));
  if (problem) return problem;
  return findings.find(
    (finding) => found.has(finding) && (scripts === 'refuse' || !strictFindings.has(finding)),
  );
}

async function inspectByTable(
  body: Buffer,
  found: Set<Finding>,
): Promise<InspectionDetail | undefined> {
  let problem = await collectFindings(() => readPages(body, 'strict'), found);
  if (problem !== 'pdf-unreadable') return problem;
  const aligned = alignTables(body);
  if (aligned) problem = await collectFindings(() => readPages(aligned, 'strict'), found);
  if (problem !== 'pdf-unreadable') return problem;
  found.add('pdf-repaired');
  return collectFindings(() => readPages(aligned ?? body, 'lenient'), found);
}

async function readPages(body: Buffer, mode: TableMode): Promise<PdfView> {
  const view = await readByTable(body, mode);
  if (!hasPage(view)) throw new RangeError('The page tree has no page');
  return view;
}

async function collectFindings(
  readFile: () => Promise<PdfView>,
  found: Set<Finding>,
): Promise<InspectionDetail | undefined> {
  try {
    walk(await readFile(), (finding) => found.add(finding));
    return undefined;
  } catch (error) {
    // The libraries throw errors of many classes. Each of them means that the file is not readable.
    return error instanceof LockedPdfError ? 'pdf-password' : 'pdf-unreadable';
  }
}

/** The end of the last end-of-file marker, unless a table without a marker follows it. */
function findEnd(bytes: Buffer): number {
  const marker = bytes.lastIndexOf(endOfFileMarker);
  if (marker === -1 || bytes.includes('startxref', marker)) return bytes.length;
  return marker + endOfFileMarker.length;
}

/** True if objects follow the last end-of-file marker, and no table follows them: an incomplete download or update. */
function isTruncated(bytes: Buffer): boolean {
  const end = Math.max(0, bytes.lastIndexOf(endOfFileMarker));
  if (bytes.includes('startxref', end)) return false;
  for (let at = bytes.indexOf(' obj', end); at !== -1; at = bytes.indexOf(' obj', at + 1)) {
    if (/\d\s+\d+$/.test(bytes.toString('latin1', Math.max(end, at - 20), at))) return true;
  }
  return false;
}

/**
 * The meaning of a value, which follows from its position in the file. A name alone proves nothing: a font, a glyph, or a
 * role may be called Launch, S, or AA.
 */
type Position =
  | 'anywhere'
  /** In `Annots`. */
  | 'annotation'
  | 'clicked-action'
  | 'automatic-action'
  /** The value of `AA`. */
  | 'triggers'
  /** The catalog's `Names`. */
  | 'names'
  /** The tree under `JavaScript` in `Names`. */
  | 'script-tree'
  /** The value of `AcroForm`. */
  | 'form'
  /** The value of `EF`. */
  | 'embedded-files';

/**
 * Types of actions (12.6.4) and annotations (12.5.6), and the reason to refuse a dictionary of the type at the position. An action
 * that is refused after a click is also refused without one.
 */
const refusedTypes: readonly (readonly [Position, RegExp, Finding])[] = [
  ['clicked-action', /^Launch$/, 'pdf-launch'],
  ['clicked-action', /^(Rendition|Movie|Sound|RichMediaExecute)$/, 'pdf-media'],
  ['clicked-action', /^JavaScript$/, 'pdf-script'],
  ['automatic-action', /^(GoToR|GoToE)$/, 'pdf-remote-target'],
  ['automatic-action', /^(URI|SubmitForm|ImportData)$/, 'pdf-sends-itself'],
  ['annotation', /^FileAttachment$/, 'pdf-attachment'],
  ['annotation', /^(RichMedia|Movie|Sound|3D)$/, 'pdf-media'],
];

/** The position of the value of each of these keys, in any dictionary. */
const positionsByKey: ReadonlyMap<string, Position> = new Map([
  ['OpenAction', 'automatic-action'],
  ['NA', 'automatic-action'],
  ['A', 'clicked-action'],
  ['AA', 'triggers'],
  ['Annots', 'annotation'],
  ['EF', 'embedded-files'],
  ['Names', 'names'],
  ['AcroForm', 'form'],
]);

/**
 * Visits every object, referenced or not, once per position. The stack is a list because nested objects of a hostile file
 * would overflow the call stack.
 */
function walk(view: PdfView, report: (finding: Finding) => void): void {
  const visited = new Map<Position, Set<object>>();
  const stack: { readonly node: PdfContainer; readonly position: Position }[] = [];

  function add(value: unknown, position: Position): void {
    const node = view.read(value);
    if (node.kind !== 'array' && node.kind !== 'dictionary') return;
    let sources = visited.get(position);
    if (!sources) visited.set(position, (sources = new Set()));
    if (sources.has(node.source)) return;
    sources.add(node.source);
    stack.push({ node, position });
  }

  function readName(dictionary: PdfDictionary, key: string): string {
    const node = view.read(dictionary.get(key));
    return node.kind === 'name' ? node.name : '';
  }

  function isStream(value: unknown): boolean {
    const node = view.read(value);
    return node.kind === 'dictionary' && node.isStream;
  }

  function reportType(position: Position, dictionary: PdfDictionary): void {
    const type = readName(dictionary, position === 'annotation' ? 'Subtype' : 'S');
    for (const [refusedPosition, pattern, finding] of refusedTypes) {
      if (refusedPosition === position && pattern.test(type)) report(finding);
    }
  }

  function visitEntries(dictionary: PdfDictionary): void {
    for (const [key, value] of dictionary.entries()) {
      add(value, 'anywhere');
      const position = positionsByKey.get(key);
      if (position) add(value, position);
      // In a link, `PA` is the address before Web Capture changed it, and no viewer follows it (12.5.6.5).
      if (key === 'PA' && readName(dictionary, 'Subtype') !== 'Link') {
        add(value, 'automatic-action');
      }
      // Every annotation has a rectangle, so it is found even if no page lists it.
      if (key === 'Rect') reportType('annotation', dictionary);
    }
  }

  function visit(dictionary: PdfDictionary, position: Position): void {
    switch (position) {
      case 'anywhere':
        visitEntries(dictionary);
        break;
      case 'annotation':
        reportType('annotation', dictionary);
        break;
      case 'automatic-action':
      case 'clicked-action':
        reportType('clicked-action', dictionary);
        if (position === 'automatic-action') reportType('automatic-action', dictionary);
        add(dictionary.get('Next'), position);
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
        if (view.read(dictionary.get('XFA')).kind !== 'other') report('pdf-xfa');
        break;
      case 'embedded-files':
        if (embeddedFileKeys.some((key) => isStream(dictionary.get(key)))) report('pdf-attachment');
        break;
    }
  }

  add(view.catalog, 'anywhere');
  for (const object of view.objects()) {
    add(object, 'anywhere');
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { node, position } = next;
      if (node.kind === 'array') for (const item of node.items) add(item, position);
      else visit(node, position);
    }
  }
}

/** True if the page tree (7.7.3.2) has a page. A node without `Kids` is a page, even without a `Type`. */
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

/** One library's result. Values are objects of the library until `read` converts them to nodes. */
export interface PdfView {
  /** All objects, including those that nothing refers to. */
  objects(): Iterable<unknown>;
  readonly catalog: unknown;
  /** Follows references. Throws the library's error if the object is damaged. */
  read(value: unknown): PdfNode;
}

/** The parts of a value that the policy needs. Numbers, strings, and missing objects are `other`. */
type PdfNode =
  { readonly kind: 'name'; readonly name: string } | PdfContainer | { readonly kind: 'other' };

type PdfContainer =
  | {
      readonly kind: 'array';
      /** The library's object, which identifies the node. */
      readonly source: object;
      readonly items: Iterable<unknown>;
    }
  | PdfDictionary;

interface PdfDictionary {
  readonly kind: 'dictionary';
  readonly source: object;
  /** The content of a stream is never decoded, except object streams, which the libraries decode. */
  readonly isStream: boolean;
  get(key: string): unknown;
  entries(): Iterable<readonly [key: string, value: unknown]>;
}

/** The file needs a password or a certificate to open. */
export class LockedPdfError extends Error {}

const other = { kind: 'other' } as const;

/** Limits the objects that are visited without a reference, because a table can claim billions of objects. */
const maxEnumeratedObjects = 1_000_000;

/** `strict` throws if an object is not where the table says. `lenient` then searches the file for objects. */
type TableMode = 'strict' | 'lenient';

/** Reads the file by its cross-reference table, as a viewer does. */
export async function readByTable(bytes: Uint8Array, mode: TableMode): Promise<PdfView> {
  const pdf = await PDF.load(bytes, { lenient: mode === 'lenient' });
  if (pdf.isEncrypted && !pdf.isAuthenticated) throw new LockedPdfError();
  const { registry, info } = pdf.context;
  const count = Math.min(registry.nextObjectNumber, maxEnumeratedObjects);
  return {
    *objects() {
      for (let number = 1; number < count; number += 1) yield PdfRef.of(number, 0);
    },
    catalog: info.trailer.getRef('Root'),
    read(value) {
      const target = followReferences(value, (step) =>
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
    },
  };
}

/** Messages by which @cantoo/pdf-lib reports a missing password or certificate. Its errors have no class or code. */
const lockedMessages: ReadonlySet<string> = new Set([
  'NEEDS PASSWORD',
  'Password incorrect',
  'unknown encryption method',
  'unsupported encryption algorithm',
]);

/** Reads the file from its beginning to its end, as a viewer does to repair it. A later object replaces one of the same number. */
export async function readByScan(bytes: Buffer): Promise<PdfView> {
  const { context } = await loadByScan(bytes);
  return {
    *objects() {
      for (const [, object] of context.enumerateIndirectObjects()) yield object;
    },
    catalog: context.trailerInfo.Root,
    read(value) {
      const target = followReferences(value, (step) =>
        step instanceof PDFRef ? context.lookup(step) : step,
      );
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
    },
  };
}

async function loadByScan(bytes: Buffer): Promise<PDFDocument> {
  try {
    return await PDFDocument.load(bytes, {
      // Many files open without a password and are encrypted only to restrict changes.
      password: '',
      updateMetadata: false,
      preserveXFA: true,
      parseSpeed: ParseSpeeds.Fastest,
    });
  } catch (error) {
    if (error instanceof Error && lockedMessages.has(error.message)) throw new LockedPdfError();
    throw error;
  }
}

/** Faster than the library's `decodeText`. The result differs only for names with unusual characters. */
function toText(name: PDFName): string {
  return name.asString().slice(1);
}

/** Viewers follow a reference to a reference up to ten times. */
const maxReferences = 100;

/** @param resolve returns the target of a reference, and any other value unchanged. */
function followReferences(start: unknown, resolve: (value: unknown) => unknown): unknown {
  let value = start;
  for (let count = 0; count < maxReferences; count += 1) {
    const target = resolve(value);
    if (target === value) return value;
    value = target;
  }
  return undefined;
}

/** Space that programs reserve before a table, to fill in the table's offset later. */
const maxPaddingBytes = 256;

/**
 * Returns a copy whose table offsets skip the white space before a table, or undefined if no offset points to white space.
 * Signing services and older browsers write such files. Viewers skip the white space, and @libpdf/core does not.
 */
function alignTables(bytes: Buffer): Buffer | undefined {
  let copy: Buffer | undefined;
  for (const word of ['startxref', '/Prev']) {
    for (let at = bytes.indexOf(word); at !== -1; at = bytes.indexOf(word, at + 1)) {
      const start = at + word.length;
      // The `Prev` of a bookmark is a reference to an object (`12 0 R`), not an offset.
      const match = /^(\s+)(\d+)(?!\d|\s+\d+\s+R)/.exec(
        bytes.toString('latin1', start, start + 40),
      );
      const [, space = '', offset = ''] = match ?? [];
      const padding = bytes.toString('latin1', Number(offset), Number(offset) + maxPaddingBytes);
      const skipped = /^\s+(?=xref\s|\d+\s+\d+\s+obj)/.exec(padding)?.[0].length ?? 0;
      const corrected = String(Number(offset) + skipped);
      if (!match || skipped === 0 || corrected.length !== offset.length) continue;
      copy ??= Buffer.from(bytes);
      copy.write(corrected, start + space.length, 'latin1');
    }
  }
  return copy;
}
