// PDFs with active content: written plainly, obfuscated, and with a table that does not match the objects, under both script
// policies. For each obfuscation, we saw MuPDF or PDF.js find the content.

import { toBytes } from '../../support/file-writers/bytes.ts';
import { statementObjects, writePdfText } from '../../support/file-writers/pdf-writer.ts';
import { activeContents, type ActiveContent } from './active-content.ts';
import type { HostileFile } from './hostile-file.ts';
import { inconsistentTables } from './inconsistent-tables.ts';
import { obfuscations, type Obfuscation } from './obfuscations.ts';

const plain: Obfuscation = {
  name: 'in the open',
  apply: (_statement, objects) => writePdfText([...new Map([...statementObjects, ...objects])]),
};

export const activePdfs: readonly HostileFile[] = [
  ...[plain, ...obfuscations].flatMap((obfuscation) => listFiles('active PDF', obfuscation)),
  ...inconsistentTables.flatMap((obfuscation) => listFiles('inconsistent table', obfuscation)),
];

/** One file for each content and policy. */
function listFiles(group: string, obfuscation: Obfuscation): HostileFile[] {
  return (['accept', 'refuse'] as const).flatMap((scripts) =>
    activeContents.map((content) => ({
      group,
      name: `${content.name}, ${obfuscation.name}${scripts === 'refuse' ? ', strict' : ''}`,
      extension: 'pdf',
      scripts,
      expected: toExpected(content, obfuscation, scripts),
      make: () => toBytes(obfuscation.apply(writePdfText(), content.objects)),
    })),
  );
}

/** Allowed content must be accepted if it is written plainly. An obfuscated file may be too damaged to open. */
function toExpected(
  { refused }: ActiveContent,
  obfuscation: Obfuscation,
  scripts: 'accept' | 'refuse',
): HostileFile['expected'] {
  if (refused === 'always' || (refused === 'strict' && scripts === 'refuse')) return 'refused';
  return obfuscation === plain ? 'accepted' : 'either';
}
