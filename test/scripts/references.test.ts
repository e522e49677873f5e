// Tests that the committed references are what the code says.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../scripts/project.mjs';
import { references } from '../../scripts/references.ts';

it.each(references)('$path is up to date (if not, run "npm run docs")', async (reference) => {
  const committed = readFileSync(join(root, reference.path), 'utf8');
  expect(committed).toBe(await reference.toText());
});
