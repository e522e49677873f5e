// Tests the list of sources that `npm start` compares with the build.

import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { widgetSources } from '../../scripts/widget-sources.ts';

const root = join(import.meta.dirname, '..', '..');

describe('the sources of the widget', () => {
  it('contain every file that the build imports', () => {
    const files = globSync(widgetSources, { cwd: root });
    const run = listWithImports('vite.config.ts');
    expect(run.length).toBeGreaterThan(1);
    expect(run.filter((file) => !files.includes(file))).toEqual([]);
  });
});

/** Returns a file and its local imports, recursively. */
function listWithImports(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8');
  const imports = [...source.matchAll(/^import .* from '(\.[^']+)';$/gm)];
  const imported = imports.map(([, name = '']) => relative(root, join(root, file, '..', name)));
  return [file, ...new Set(imported.flatMap(listWithImports))];
}
