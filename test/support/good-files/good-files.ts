// All documents that the inspection must accept.

import { readRows } from '../files/rows.ts';
import { fixtureFiles } from './fixture-files.ts';
import type { GoodFile } from './good-file.ts';
import { goodJpegs } from './good-jpegs.ts';
import { goodPdfs } from './good-pdfs.ts';
import { goodPngs } from './good-pngs.ts';

interface TextRow extends Pick<GoodFile, 'name' | 'extension'> {
  readonly text: string;
  /** Default: one character per byte. */
  readonly encoding?: BufferEncoding;
}

/** Text and CSV files like those of banks and accounting programs. */
const goodTexts = readRows<TextRow>('good-texts.ndjson', import.meta.url).map(
  ({ text, encoding = 'latin1', ...row }) => ({ ...row, make: () => Buffer.from(text, encoding) }),
);

export const goodFiles: readonly GoodFile[] = [
  ...fixtureFiles,
  ...goodPdfs,
  ...goodJpegs,
  ...goodPngs,
  ...goodTexts,
];
