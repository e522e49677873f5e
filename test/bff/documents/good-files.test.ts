import { describe, expect, it } from 'vitest';
import { normalizeExtension } from '../../../bff/documents/check-signature.ts';
import { inspectDocument } from '../../../bff/documents/inspect-document.ts';
import { goodFiles } from '../../support/good-files/good-files.ts';
import { extensionSchema } from '../../../bff/config/settings.ts';

// Some files are large, and the machine may be busy.
describe('inspectDocument', { timeout: 60_000 }, () => {
  it.each(goodFiles)('accepts $name', async ({ extension, make }) => {
    const options = { allowedExtensions: extensionSchema.options };
    expect(await inspectDocument(await make(), extension, options)).toEqual({
      kind: 'accepted',
      extension: normalizeExtension(extension),
    });
  });

  it.each(goodFiles)('decides in the strict mode on $name', async (file) => {
    const { extension, make, isRefusedInStrictMode = false } = file;
    const options = { allowedExtensions: extensionSchema.options, scripts: 'refuse' } as const;
    const { kind } = await inspectDocument(await make(), extension, options);
    expect(kind).toBe(isRefusedInStrictMode ? 'refused' : 'accepted');
  });
});
