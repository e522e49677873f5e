// A faulty inspection process: writes the document to its output, exits for small documents, and throws for large ones.

import { serveInspections } from '../../../bff/documents/serve-inspections.ts';

const smallBytes = 50_000;

serveInspections(async (bytes) => {
  const text = Buffer.from(bytes).toString('latin1');
  process.stderr.write(text);
  process.stdout.write(text);
  if (bytes.byteLength < smallBytes) process.exit(3);
  throw Object.assign(new RangeError(text, { cause: text }), { name: text, code: text });
});
