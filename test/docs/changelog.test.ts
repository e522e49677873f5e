// The sections of CHANGELOG.md are those of the release procedure in docs/contribute/versions.md.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import project from '../../package.json' with { type: 'json' };
import { root } from '../../scripts/project.mjs';

const headings = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').match(/^## .+$/gm) ?? [];

it('the first section of the changelog is unreleased, or has a day as all others', () => {
  expect(headings[0]).toMatch(/^## \d+\.\d+\.\d+ \((?:unreleased|\d{4}-\d\d-\d\d)\)$/);
  for (const heading of headings.slice(1))
    expect(heading).toMatch(/^## \d+\.\d+\.\d+ \(\d{4}-\d\d-\d\d\)$/);
});

it('the newest released section has the version of package.json', () => {
  const [released = project.version] = headings.flatMap(
    (heading) => /^## (\S+) \(\d/.exec(heading)?.[1] ?? [],
  );
  expect(released).toBe(project.version);
});
