import { describe, expect, it } from 'vitest';
import { normalizeExtension } from '../../../bff/documents/check-signature.ts';
import { inspectDocument } from '../../../bff/documents/inspect-document.ts';
import type { GoodFile } from '../../support/good-files/good-file.ts';
import { goodFiles } from '../../support/good-files/good-files.ts';
import { extensionSchema } from '../../../bff/config/settings.ts';

// Some files are large, and the machine may be busy.
describe('inspectDocument', () => {
  it.each(goodFiles)('accepts $extension: $name', async ({ extension, make }) => {
    const options = { allowedExtensions: extensionSchema.options };
    expect(await inspectDocument(await make(), extension, options)).toEqual({
      kind: 'accepted',
      extension: normalizeExtension(extension),
    });
  });

  it.each(goodFiles.filter(({ isRefusedInStrictMode }) => !isRefusedInStrictMode))(
    'accepts $extension in the strict mode: $name',
    async (file) => expect(await inspectStrictly(file)).toBe('accepted'),
  );

  it.each(goodFiles.filter(({ isRefusedInStrictMode }) => isRefusedInStrictMode))(
    'refuses $extension in the strict mode: $name',
    async (file) => expect(await inspectStrictly(file)).toBe('refused'),
  );
});

async function inspectStrictly({ extension, make }: GoodFile): Promise<string> {
  const options = { allowedExtensions: extensionSchema.options, scripts: 'refuse' } as const;
  return (await inspectDocument(await make(), extension, options)).kind;
}
