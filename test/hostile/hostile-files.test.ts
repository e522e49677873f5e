// All hostile files with small bombs, 2,000 mutants, and hostile names.

import { describe, expect, it } from 'vitest';
import { listGoodFiles } from './files/good-files.ts';
import { listHostileFiles, runFiles, runGoodFiles, runMutants } from './hostile-files.ts';
import { runHostileNames } from './hostile-names.ts';

describe('inspection', () => {
  it('accepts the good files', async () => {
    const { files, problems } = await runGoodFiles(await listGoodFiles());
    expect(problems).toEqual([]);
    expect(files).toBe(13);
  });

  it('gives hostile files the expected verdict', async () => {
    const { files, problems } = await runFiles(listHostileFiles(500_000));
    expect(problems).toEqual([]);
    expect(files).toBeGreaterThan(2_000);
  });

  it('accepts no mutant in which another library finds active content', async () => {
    const { files, problems } = await runMutants(2_000);
    expect(problems).toEqual([]);
    expect(files).toBe(2_000);
  });
});

describe('POST /v1/documents', () => {
  it('gives the applicant the same safe name as the funding service', async () => {
    const { names, problems } = await runHostileNames(4);
    expect(problems).toEqual([]);
    expect(names).toBeGreaterThan(100);
  });
});
