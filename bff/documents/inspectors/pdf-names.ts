// The names that mean something to the inspection of a PDF, and what they mean.

import type { InspectionDetail } from './verdict.ts';

/** Refused wherever they stand, since as an action's type or a file's kind they may also be objects of their own (ISO 32000-2, 12.6.4). */
export const activeNames: ReadonlyMap<string, InspectionDetail> = new Map([
  ['JavaScript', 'pdf-javascript'],
  ['Launch', 'pdf-launch'],
  ['SubmitForm', 'pdf-form-submission'],
  ['ImportData', 'pdf-form-submission'],
  // They open another file, which Windows fetches from a foreign server with the user's login (CVE-2018-4993).
  ['GoToE', 'pdf-remote-target'],
  ['GoToR', 'pdf-remote-target'],
  ['RichMedia', 'pdf-media'],
  ['RichMediaExecute', 'pdf-media'],
  ['Rendition', 'pdf-media'],
  ['Movie', 'pdf-media'],
  ['Sound', 'pdf-media'],
  ['3D', 'pdf-media'],
  ['U3D', 'pdf-media'],
  ['PRC', 'pdf-media'],
  ['XFA', 'pdf-xfa'],
  ['EmbeddedFile', 'pdf-embedded-file'],
  ['EmbeddedFiles', 'pdf-embedded-file'],
  ['FileAttachment', 'pdf-embedded-file'],
]);

/** Refused within a dictionary; as short as they are, a font's glyph or a page's resource may bear the same name. */
export const activeEntries: ReadonlyMap<string, InspectionDetail> = new Map([
  ['JS', 'pdf-javascript'],
  ['AA', 'pdf-additional-action'],
  // With it a file is attached, whatever type it says it is (7.11.4).
  ['EF', 'pdf-embedded-file'],
]);

/** Dictionaries whose keys a producer is free to choose (7.8.3, 9.6.4). */
export const resourceDictionaries: ReadonlySet<string> = new Set([
  'Font',
  'XObject',
  'ExtGState',
  'ColorSpace',
  'Pattern',
  'Shading',
  'Properties',
  'CharProcs',
]);

/** What a document may do when it is opened, apart from showing one of its places: ask whether to print, or turn to a page. */
export const harmlessOpenings: ReadonlySet<string> = new Set(['GoTo', 'Named']);

/** Actions that a person may start by a click, and opening the document may not. */
export const clickedActions: ReadonlySet<string> = new Set([
  'URI',
  'Hide',
  'Thread',
  'ResetForm',
  'SetOCGState',
  'Trans',
  'GoTo3DView',
  'GoToDp',
]);

/** Filters of a stream, with the short names that readers know too (7.4); `FlateDecode` is the only one that is undone here. */
export const flateNames: ReadonlySet<string> = new Set(['FlateDecode', 'Fl']);
export const otherFilterNames: ReadonlySet<string> = new Set([
  'ASCIIHexDecode',
  'AHx',
  'ASCII85Decode',
  'A85',
  'LZWDecode',
  'LZW',
  'RunLengthDecode',
  'RL',
  'CCITTFaxDecode',
  'CCF',
  'DCTDecode',
  'DCT',
  'JBIG2Decode',
  'JPXDecode',
  'Crypt',
]);
