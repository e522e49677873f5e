// What must not be passed on is refused, for the reason that it is refused for.

import { describe, expect, it } from 'vitest';
import { documentExtensions } from '../../../../bff/documents/document-extensions.ts';
import { inspectDocument } from '../../../../bff/documents/inspect-document.ts';
import { refusalCodes, refuse } from '../../../../bff/documents/inspectors/verdict.ts';
import { activePdfs } from '../../../support/bad-files/active-pdfs.ts';
import { badImages } from '../../../support/bad-files/bad-images.ts';
import { badOfficeFiles } from '../../../support/bad-files/bad-office-files.ts';
import { badTexts } from '../../../support/bad-files/bad-texts.ts';
import { brokenPdfs } from '../../../support/bad-files/broken-pdfs.ts';

const badFiles = [...activePdfs, ...brokenPdfs, ...badImages, ...badOfficeFiles, ...badTexts];

// Generous, as some files are large and the machine may be busy.
describe('inspectDocument', { timeout: 60_000 }, () => {
  it.each(badFiles)('refuses $extension: $name', async ({ extension, detail, make }) => {
    expect(await inspectDocument({ bytes: make(), extension }, documentExtensions)).toEqual(
      refuse(detail),
    );
  });

  it('has a file for every reason to refuse one', () => {
    const proven = new Set<string>(badFiles.map(({ detail }) => detail));
    // What is of a type that is not allowed: see `inspect-document.test.ts`.
    proven.add('content-not-allowed');
    expect(Object.keys(refusalCodes).filter((detail) => !proven.has(detail))).toEqual([]);
  });
});
