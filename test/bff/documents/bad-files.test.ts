import { describe, expect, it } from 'vitest';
import { refusalCodes, refuse } from '../../../bff/documents/refusals.ts';
import { inspectDocument } from '../../../bff/documents/inspect-document.ts';
import { badFiles } from '../../support/bad-files/bad-files.ts';
import { extensionSchema } from '../../../bff/config/settings.ts';

const accepting = { allowedExtensions: extensionSchema.options, scripts: 'accept' } as const;
const strict = { allowedExtensions: extensionSchema.options, scripts: 'refuse' } as const;

// Some files are large, and the machine may be busy.
describe('inspectDocument', () => {
  it.each(badFiles)('refuses $extension as $detail: $name', async (file) => {
    const { extension, detail, make, isStrict = false } = file;
    const options = isStrict ? strict : accepting;
    expect(await inspectDocument(make(), extension, options)).toEqual(refuse(detail));
  });

  it.each(badFiles.filter(({ isStrict }) => isStrict))(
    'accepts $extension by default: $name',
    async ({ extension, make }) => {
      expect(await inspectDocument(make(), extension, accepting)).toMatchObject({
        kind: 'accepted',
      });
    },
  );

  it('has a test file for each reason', () => {
    const tested = new Set<string>(badFiles.map(({ detail }) => detail));
    // inspect-document.test.ts tests this one.
    tested.add('content-not-allowed');
    expect(Object.keys(refusalCodes).filter((detail) => !tested.has(detail))).toEqual([]);
  });
});
