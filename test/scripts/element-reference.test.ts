// Tests that the committed reference of the element is up to date.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { referenceFile, toElementReference } from '../../scripts/element-reference.mjs';
import { createWidgetProgram } from '../../scripts/widget-types.mjs';

it('docs/reference/element.md has the comments of the source (if not, run "npm run docs")', async () => {
  expect(readFileSync(referenceFile, 'utf8')).toBe(await toElementReference(createWidgetProgram()));
}, 60_000);
