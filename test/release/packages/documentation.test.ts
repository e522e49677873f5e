// Every export of the npm packages, and every member of their types at every depth, has a comment that editors show.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { referenceFile, toElementReference } from '../../../scripts/release/custom-elements.mjs';
import { createPackedFolder } from '../support/packed-folder.ts';
import { listUndocumented } from './list-undocumented.mjs';
import { packageNames, readPackedPackage } from './packed.ts';

const folders = Object.keys(packageNames) as (keyof typeof packageNames)[];

it('docs/reference/element.md has the comments of the source (if not, run "npm run docs")', async () => {
  expect(readFileSync(referenceFile, 'utf8')).toBe(await toElementReference());
});

describe.each(folders)('the package %s', (folderName) => {
  it('documents each export', () => {
    const { folder, manifest } = readPackedPackage(folderName);
    const entries = Object.values(manifest['exports'] as Record<string, { types?: string }>)
      .flatMap(({ types }) => types ?? [])
      .map((types) => join(folder, types));
    const found = entries.flatMap((entry) => listUndocumented(entry));
    expect(entries).not.toEqual([]);
    expect([...new Set(found)]).toEqual([]);
  });
});

it('finds an export and a member without a comment', () => {
  const { path, remove } = createPackedFolder({});
  onTestFinished(remove);
  const entry = join(path, 'index.d.ts');
  writeFileSync(
    entry,
    `export interface A { b: string }
    /** Has a comment. */
    export interface C {
      /** Too. */
      d: string;
      e(): void;
      /** Too. */
      g: readonly { h: string }[];
    }
    /** Has a comment. */
    export declare const f: 1;`,
  );
  expect(listUndocumented(entry)).toEqual(['A', 'A.b', 'C.e', 'C.g.h']);
});
