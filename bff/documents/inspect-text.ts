// Decides whether a text or a table of comma-separated values is accepted: text that no program takes for another type, and no
// cell that a spreadsheet runs.

import { isUtf8 } from 'node:buffer';
import type { InspectionDetail } from './refusals.ts';

/** Of letters beyond ASCII in Windows-1252, in which older programs of banks write. More than this share is no Western text. */
const maxHighShare = 0.1;
/** What Windows-1252 leaves open. */
const openCodes = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
const byteOrderMark = '\xef\xbb\xbf';

/** Beginnings by which programs recognize pages, documents and scripts. */
const otherBeginning = /^(<|%pdf|%fdf|%!|\{\\rtf|#!|mime-version:|@echo)/i;

/** UTF-8, or Windows-1252 with few letters beyond ASCII. */
export function inspectText(bytes: Buffer): InspectionDetail | undefined {
  if (!bytes.every(isTextByte)) return 'text-control';
  if (!isUtf8(bytes) && !isWindows1252(bytes)) return 'text-encoding';
  const beginning = bytes.toString('latin1', 0, 1024);
  const text = (beginning.startsWith(byteOrderMark) ? beginning.slice(3) : beginning).trimStart();
  return otherBeginning.test(text) ? 'text-markup' : undefined;
}

/** Text whose cells a spreadsheet will not run: see `hasFormula`. */
export function inspectCsv(bytes: Buffer): InspectionDetail | undefined {
  return inspectText(bytes) ?? (hasFormula(bytes) ? 'csv-formula' : undefined);
}

/** Not a control, but for tab, line feed, form feed, carriage return, and the end mark of CP/M. */
function isTextByte(byte: number): boolean {
  return byte >= 0x20 ? byte !== 0x7f : [9, 10, 12, 13, 26].includes(byte);
}

function isWindows1252(bytes: Buffer): boolean {
  let high = 0;
  for (const byte of bytes) {
    if (openCodes.has(byte)) return false;
    if (byte >= 0x80) high += 1;
  }
  return high <= bytes.length * maxHighShare;
}

/** The full-width signs are formulas to a Japanese Excel. */
const formulaSigns = new Set('=+-@\uFF1D\uFF0B\uFF0D\uFF20');
const cellEnds = new Set('\t\r\n,;');

/**
 * A cell that begins with `=`, `+`, `-` or `@` and calls a function (`=HYPERLINK(`) or another program (`=cmd|`), as
 * OWASP's "CSV Injection" has it. Amounts, telephone numbers, `="00123"`, `=1+1` and `-DEPOSIT (ATM)` are no harm and common.
 */
function hasFormula(bytes: Buffer): boolean {
  let sign = '';
  let isCellStart = true;
  /** The last character, and the last that is no blank. */
  let previous = '';
  let previousSeen = '';
  let isCall = false;
  for (const character of bytes.toString('utf8')) {
    if (cellEnds.has(character)) {
      isCellStart = true;
      sign = '';
      isCall = false;
    } else if (isCellStart && formulaSigns.has(character)) {
      isCellStart = false;
      sign = character;
    } else if (sign !== '') {
      // A call with a text for it; between the name and the bracket blanks may stand.
      if (isCall && character === '"') return true;
      if (character === '(' && isNamePart(previous)) return true;
      if (character === '|') {
        if (isNamePart(previousSeen) && !isDigit(previousSeen)) return true;
        // Behind an amount it parts two cells.
        isCellStart = true;
        sign = '';
      }
      if (character !== ' ') isCall = character === '(' && isNamePart(previousSeen);
    } else isCellStart = character === '|' || (isCellStart && isBeforeCell(character));
    previous = character;
    if (character !== ' ') previousSeen = character;
  }
  return false;
}

/** Blanks and the quote before a cell's text, and the mark before the first cell. */
function isBeforeCell(character: string): boolean {
  return character === ' ' || character === '"' || character === '\uFEFF';
}

function isNamePart(character: string): boolean {
  return /^[A-Za-z0-9_.]$/.test(character);
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}
