// An inspection thread that does what its document says: hangs, breaks, takes all memory, or tells what it was given.

import { parentPort } from 'node:worker_threads';
import { serveInspections } from '../../../../bff/documents/serve-inspections.ts';

serveInspections(parentPort!, async ({ bytes, extension }, allowedExtensions) => {
  const text = Buffer.from(bytes).toString('latin1');
  if (text === 'hang') for (;;);
  if (text === 'break') throw new Error('A fault of the inspection');
  if (text === 'fill the memory') fillMemory();
  const seen = JSON.stringify({
    text: text.length > 100 ? text.length : text,
    extension,
    allowedExtensions,
    secrets: Object.keys(process.env),
  });
  return { kind: 'accepted', extension: seen, needsPassword: false };
});

function fillMemory(): void {
  const kept: number[][] = [];
  for (;;) kept.push(Array.from({ length: 100_000 }, (_none, index) => index));
}
