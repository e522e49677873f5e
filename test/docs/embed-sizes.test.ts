// The sizes in docs/embed/versions.md are the limits of the build.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import release from '../../scripts/release/package.json' with { type: 'json' };

it('versions.md has the limits of the build', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/embed/versions.md'), 'utf8');
  const documented = [...page.matchAll(/: ([\d.]+) KB\.$/gm)].map(([, size]) => `${size} KiB`);
  expect(documented).toEqual(release['size-limit'].map(({ limit }) => limit));
});
