// Text files that are another type, and CSV files with formulas: at least one for each detail.

import { toBytes } from '../files/bytes.ts';
import { toBadFiles, type BadFile } from './bad-file.ts';

const texts = toBadFiles('txt', [
  ['no-bytes', 'an empty file', () => Buffer.alloc(0)],
  ['content-differs', 'a PDF', () => toBytes('%PDF-1.7\n')],
  ['text-control', 'a zero byte', () => toBytes('a\0b')],
  ['text-control', 'an escape character', () => toBytes('a\x1b[2Jb')],
  ['text-control', 'UTF-16', () => Buffer.from('\uFEFFStatement', 'utf16le')],
  [
    'text-encoding',
    'bytes without a character in Windows-1252',
    () => toBytes('Statement of March \x81'),
  ],
  ['text-encoding', 'too many non-ASCII letters', () => toBytes('\xcf\xf0\xe8\xe2\xe5\xf2, hi')],
  ['text-markup', 'a web page', () => toBytes('\n <p>x')],
  ['text-markup', 'a web page after a byte order mark', () => Buffer.from('\uFEFF<p>x')],
  ['text-markup', 'rich text', () => toBytes('{\\rtf1 x}')],
  ['text-markup', 'a shell script', () => toBytes('#!/bin/sh')],
  ['text-markup', 'form data', () => toBytes('%FDF-1.2')],
]);

const tables = toBadFiles('csv', [
  ['text-markup', 'a web page', () => toBytes('<table>')],
  ['csv-formula', 'a HYPERLINK call', () => toBytes('a,=HYPERLINK("http://evil","x")')],
  [
    'csv-formula',
    'a call with a space before the parenthesis',
    () => toBytes('a\n+HYPERLINK ("http://evil")'),
  ],
  ['csv-formula', 'a formula that starts a program', () => toBytes("a;=cmd|'/C calc'!A0")],
  [
    'csv-formula',
    'a quoted formula that starts a program',
    () => toBytes('a,"-2+3+cmd|\' /C calc\'!D2"'),
  ],
  ['csv-formula', 'a call that begins with @', () => toBytes('@SUM(1+1)')],
  ['csv-formula', 'a formula after a byte order mark', () => Buffer.from("\uFEFF=cmd|'x'!A0")],
  ['csv-formula', 'a formula with a full-width equals sign', () => Buffer.from("\uFF1Dcmd|'x'!A0")],
  [
    'csv-formula',
    'a formula after an amount and a vertical bar',
    () => toBytes("-12.50|=cmd|'x'!A0"),
  ],
]);

const names = toBadFiles('exe', [['extension-not-allowed', 'a program', () => toBytes('MZ')]]);

export const badTexts: readonly BadFile[] = [...texts, ...tables, ...names];
