// Documents of real programs (`test/fixtures/documents/README.md`).

import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import type { GoodFile } from './good-file.ts';

const folder = new URL('../../fixtures/documents/', import.meta.url);
const namesWithPassword = /^qpdf-(locked|owner-empty)/;

export const fixtureFiles: readonly GoodFile[] = readdirSync(folder)
  .filter((name) => !name.endsWith('.md') && !namesWithPassword.test(name))
  .map((name) => ({
    name,
    extension: extname(name).slice(1),
    make: () => readFixture(name),
  }));

export function readFixture(name: string): Buffer {
  return readFileSync(new URL(name, folder));
}
