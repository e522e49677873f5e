// Hostile files, small: every one that is made, two thousand damaged ones, and names through the whole BFF.

import { describe, expect, it } from 'vitest';
import { listGoodFiles } from './files/good-files.ts';
import { listHostileFiles, runFiles, runGoodFiles, runMutants } from './hostile-files.ts';
import { runHostileNames } from './hostile-names.ts';

describe('the inspection', () => {
  it('accepts the good files from which the others are made', async () => {
    const { files, problems } = await runGoodFiles(await listGoodFiles());
    expect(problems).toEqual([]);
    expect(files).toBe(13);
  });

  it('refuses what acts, lies or is something else, and comes to an end with all', async () => {
    const { files, problems } = await runFiles(listHostileFiles(500_000));
    expect(problems).toEqual([]);
    expect(files).toBeGreaterThan(2_000);
  });

  it('answers for every damaged file, and accepts none in which another parser finds what acts', async () => {
    const { files, problems } = await runMutants(2_000);
    expect(problems).toEqual([]);
    expect(files).toBe(2_000);
  });
});

describe('POST /v1/documents', () => {
  it('tells and sends on every name as the same harmless one', async () => {
    const { names, problems } = await runHostileNames(4);
    expect(problems).toEqual([]);
    expect(names).toBeGreaterThan(100);
  });
});
