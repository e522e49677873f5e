// The list by which `npm start` sees that the widget has to be built anew.

import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { widgetSources } from '../../scripts/widget-sources.ts';

const root = join(import.meta.dirname, '..', '..');

describe('what the widget is made of', () => {
  it('has all of its own that its build runs', () => {
    const files = globSync(widgetSources, { cwd: root });
    const run = listWithImports('vite.config.ts');
    expect(run.length).toBeGreaterThan(1);
    expect(run.filter((file) => !files.includes(file))).toEqual([]);
  });
});

/** A file and, all the way down, those beside it that it imports. */
function listWithImports(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8');
  const imports = [...source.matchAll(/^import .* from '(\.[^']+)';$/gm)];
  const imported = imports.map(([, name = '']) => relative(root, join(root, file, '..', name)));
  return [file, ...new Set(imported.flatMap(listWithImports))];
}
