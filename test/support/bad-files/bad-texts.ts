// Text files that are another type, and CSV files with formulas: at least one for each detail.

import { toBytes } from '../files/bytes.ts';
import { readRows } from '../files/rows.ts';
import type { BadFile } from './bad-file.ts';

type TextRow = Pick<BadFile, 'name' | 'extension' | 'detail'> & { readonly text: string };

const places: Readonly<Record<string, (formula: string) => string>> = {
  first: (formula) => `${formula},1\n`,
  'after a byte order mark': (formula) => `\xef\xbb\xbf${formula},1\n`,
  'in the middle': (formula) => `date,amount\n2026-03-01,${formula}\n2026-03-02,1\n`,
  'after a semicolon': (formula) => `date;amount\r\n2026-03-01;${formula}`,
  'on a line of its own in quotes': (formula) => `a,"b\n${formula.replaceAll('"', '""')}"\n`,
};

/** Each formula at each place. */
const formulas = readRows<[string, string]>('formulas.ndjson', import.meta.url).flatMap(
  ([name, formula]) =>
    Object.entries(places).map(([place, write]): TextRow => ({
      detail: 'csv-formula',
      extension: 'csv',
      name: `${name}, ${place}`,
      text: write(formula),
    })),
);

export const badTexts: readonly BadFile[] = [
  ...readRows<TextRow>('texts.ndjson', import.meta.url),
  ...formulas,
].map((row) => ({ ...row, make: () => toBytes(row.text) }));
