// Decides whether a text or CSV file is accepted: it is text, no program takes it for another type, and no CSV cell is a formula
// that calls something.

import { isUtf8 } from 'node:buffer';
import type { InspectionDetail } from './refusals.ts';

/** Maximum share of non-ASCII letters in Windows-1252, which older programs of banks write. Western text has fewer. */
const maxNonAsciiShare = 0.1;
/** Codes that Windows-1252 does not assign. */
const unassignedCodes = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
const byteOrderMark = '\xef\xbb\xbf';

/** Beginnings by which programs recognize web pages, documents, and scripts. */
const otherSignature = /^(<|%pdf|%fdf|%!|\{\\rtf|#!|mime-version:|@echo)/i;

/** Accepts UTF-8, and Windows-1252 with few non-ASCII letters. */
export function inspectText(bytes: Buffer): InspectionDetail | undefined {
  if (!bytes.every(isTextByte)) return 'text-control';
  if (!isUtf8(bytes) && !isWindows1252(bytes)) return 'text-encoding';
  const beginning = bytes.toString('latin1', 0, 1024);
  const text = (beginning.startsWith(byteOrderMark) ? beginning.slice(3) : beginning).trimStart();
  return otherSignature.test(text) ? 'text-markup' : undefined;
}

export function inspectCsv(bytes: Buffer): InspectionDetail | undefined {
  return inspectText(bytes) ?? (hasFormula(bytes) ? 'csv-formula' : undefined);
}

/** True unless the byte is a control character other than tab, line feed, form feed, carriage return, or the CP/M end mark. */
function isTextByte(byte: number): boolean {
  return byte >= 0x20 ? byte !== 0x7f : [9, 10, 12, 13, 26].includes(byte);
}

function isWindows1252(bytes: Buffer): boolean {
  let nonAscii = 0;
  for (const byte of bytes) {
    if (unassignedCodes.has(byte)) return false;
    if (byte >= 0x80) nonAscii += 1;
  }
  return nonAscii <= bytes.length * maxNonAsciiShare;
}

/** Japanese versions of Excel also accept the full-width signs. */
const formulaSigns = new Set('=+-@\uFF1D\uFF0B\uFF0D\uFF20');
const cellEnds = new Set('\t\r\n,;');

/**
 * Finds a cell that begins with `=`, `+`, `-`, or `@` and calls a function (`=HYPERLINK(`) or a program (`=cmd|`); see OWASP,
 * "CSV Injection". Amounts, telephone numbers, `="00123"`, `=1+1`, and `-DEPOSIT (ATM)` are harmless and common.
 */
function hasFormula(bytes: Buffer): boolean {
  let sign = '';
  let isCellStart = true;
  let previous = '';
  let previousNonSpace = '';
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
      // A call with a string argument. Spaces may stand between the name and the parenthesis.
      if (isCall && character === '"') return true;
      if (character === '(' && isNamePart(previous)) return true;
      if (character === '|') {
        if (isNamePart(previousNonSpace) && !isDigit(previousNonSpace)) return true;
        // After an amount, `|` separates two cells.
        isCellStart = true;
        sign = '';
      }
      if (character !== ' ') isCall = character === '(' && isNamePart(previousNonSpace);
    } else isCellStart = character === '|' || (isCellStart && isBeforeCell(character));
    previous = character;
    if (character !== ' ') previousNonSpace = character;
  }
  return false;
}

/** True for a space or quote before the text of a cell, and for a byte order mark before the first cell. */
function isBeforeCell(character: string): boolean {
  return character === ' ' || character === '"' || character === '\uFEFF';
}

function isNamePart(character: string): boolean {
  return /^[A-Za-z0-9_.]$/.test(character);
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}
