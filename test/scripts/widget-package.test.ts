// Tests that the types of the built widget are one file without imports.

import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { joinTypes } from '../../scripts/widget-package.mjs';

describe('the types of the built widget', () => {
  it('are one file without imports', () => {
    const folder = new URL('../../widget/public-types/', import.meta.url);
    const files = globSync('*.ts', { cwd: folder });
    const joined = joinTypes(files.map((file) => readFileSync(new URL(file, folder), 'utf8')));

    expect(joined).not.toMatch(/^import|import\(|from '/m);
    const names = [...joined.matchAll(/^export (?:interface|type) (\w+)/gm)].map(
      ([, name]) => name,
    );
    expect(names).toEqual(expect.arrayContaining(['FundingApplication', 'FundingApi']));
    expect(new Set(names).size).toBe(names.length);
  });
});
