// Inspects one file at a time in a process of its own, which the parent ends when a file takes too long.

import { readFile } from 'node:fs/promises';
import { inspectFile } from './inspect-file.ts';
import type { InspectionRequest, InspectionReply } from './inspection-process.ts';

process.on('message', (message) => {
  // Only the parent of this file sends messages, and only of this type.
  void reply(message as InspectionRequest);
});
// Without this, a child whose parent was killed would wait forever.
process.on('disconnect', () => process.exit());

async function reply({ path, extension, mode }: InspectionRequest): Promise<void> {
  const bytes = await readFile(path);
  const startedAt = performance.now();
  const verdict = await inspectFile(bytes, extension, mode);
  process.send?.({ ...verdict, ms: performance.now() - startedAt } satisfies InspectionReply);
}
