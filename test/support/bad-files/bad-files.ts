// All documents that the inspection must refuse, at least one for each detail.

import { activePdfs } from './active-pdfs.ts';
import type { BadFile } from './bad-file.ts';
import { badImages } from './bad-images.ts';
import { badOfficeFiles } from './bad-office-files.ts';
import { badTexts } from './bad-texts.ts';
import { brokenPdfs } from './broken-pdfs.ts';

export const badFiles: readonly BadFile[] = [
  ...activePdfs,
  ...brokenPdfs,
  ...badImages,
  ...badOfficeFiles,
  ...badTexts,
];
