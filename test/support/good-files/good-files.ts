// All documents that the inspection must accept.

import { fixtureFiles } from './fixture-files.ts';
import type { GoodFile } from './good-file.ts';
import { goodJpegs } from './good-jpegs.ts';
import { goodPdfs } from './good-pdfs.ts';
import { goodPngs } from './good-pngs.ts';
import { goodTexts } from './good-texts.ts';

export const goodFiles: readonly GoodFile[] = [
  ...fixtureFiles,
  ...goodPdfs,
  ...goodJpegs,
  ...goodPngs,
  ...goodTexts,
];
