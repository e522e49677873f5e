// Reads tables of test data: one JSON value on each line.

import { readFileSync } from 'node:fs';

/** @param file relative to `base`, which is the URL of the module that reads the table. */
export function readRows<Row>(file: string, base: string): readonly Row[] {
  const lines = readFileSync(new URL(file, base), 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Row);
}
