// A sample of the hostile files, damaged files, and names. The campaigns of the group hostile-files try all of them.

import { describe, expect, it } from 'vitest';
import { listGoodFiles } from './files/mutants.ts';
import { listHostileFiles, runFiles, runGoodFiles, runMutants } from './hostile-files.ts';
import { runHostileNames } from './hostile-names.ts';

/** A prime, so that the sample meets every action and every hiding place. */
const step = 23;

describe('the inspection', () => {
  it('accepts the good files that the others are made from', async () => {
    const { files, problems } = await runGoodFiles(await listGoodFiles());
    expect(problems).toEqual([]);
    expect(files).toBe(13);
  });

  it('refuses hostile files', async () => {
    const all = listHostileFiles(100_000);
    const { files, problems } = await runFiles(all.filter((_, index) => index % step === 0));
    expect(problems).toEqual([]);
    expect(all.length).toBeGreaterThan(2_000);
    expect(files).toBeGreaterThan(100);
  });

  it('accepts no damaged file in which another parser finds active content', async () => {
    const { files, problems } = await runMutants(50);
    expect(problems).toEqual([]);
    expect(files).toBe(50);
  });
});

describe('POST /v1/documents', () => {
  it('replaces hostile file names by harmless ones', async () => {
    const { names, problems } = await runHostileNames(8);
    expect(problems).toEqual([]);
    expect(names).toBeGreaterThan(50);
  });
});
