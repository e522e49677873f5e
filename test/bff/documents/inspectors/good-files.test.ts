// What applicants really send is accepted, whoever wrote it.

import { describe, expect, it } from 'vitest';
import {
  documentExtensions,
  toTypeExtension,
} from '../../../../bff/documents/document-extensions.ts';
import { inspectDocument } from '../../../../bff/documents/inspect-document.ts';
import { goodFiles } from '../../../support/good-files/good-files.ts';

// Generous, as some files are large and the machine may be busy.
describe('inspectDocument', { timeout: 60_000 }, () => {
  it.each(goodFiles)('accepts $name', async ({ extension, needsPassword = false, make }) => {
    expect(await inspectDocument({ bytes: await make(), extension }, documentExtensions)).toEqual({
      kind: 'accepted',
      extension: toTypeExtension(extension),
      needsPassword,
    });
  });

  it('has some hundred and fifty files to prove it', () => {
    expect(goodFiles.length).toBeGreaterThanOrEqual(150);
  });
});
