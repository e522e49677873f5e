// There is one version: that of the project's package.json. Folders with a package.json of their own repeat it, or have none.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import project from '../../package.json' with { type: 'json' };
import { readJson, root } from '../../scripts/project.mjs';

const folders = globSync('**/package.json', {
  cwd: root,
  exclude: ['**/node_modules/**', 'dist/**', '**/test-output/**', 'release/**'],
});

it('the version is a release, which ranges match', () => {
  expect(project.version).toMatch(/^\d+\.\d+\.\d+$/);
});

it.each(folders)('%s has no other version', (file) => {
  const { version = project.version } = readJson(join(root, file));
  expect(version).toBe(project.version);
});

it('the lockfile and the OpenAPI document have the same version', () => {
  const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  expect(read('package-lock.json').version).toBe(project.version);
  expect(read('docs/public/openapi.json').info.version).toBe(project.version);
});
