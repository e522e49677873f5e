// Checks the import rules of the architecture.
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readGroupedRows } from '../support/grouped-rows.ts';
import { findBreaches } from '../support/import-rules.ts';

const root = new URL('../../', import.meta.url);

describe('the source files', () => {
  it('follow the import rules without cycles', () => {
    const files = globSync('{shared,widget,bff,sandbox,conformance}/**/*.ts', { cwd: root });
    const sources = files.map((file) => [file, readFileSync(new URL(file, root), 'utf8')]);

    expect(files.length).toBeGreaterThan(0);
    expect(findBreaches(Object.fromEntries(sources))).toEqual([]);
  });
});

describe('findBreaches', () => {
  it.each(readGroupedRows('import-rules.txt'))('%s: %s', (statement, expected) => {
    const [file = '', name] = statement.split(' imports ');
    const breaches = findBreaches({ [file]: `import { a } from '${name}';` });
    expect(breaches).toHaveLength(expected === 'refused' ? 1 : 0);
  });

  it.each([
    ['a type', `import type { A } from '../app.ts';`],
    ['a re-export', `export { a } from '../app.ts';`],
    ['a lazy import', `const load = () => import('../app.ts');`],
    ['a side effect', `import '../app.ts';`],
  ])('recognizes %s', (_kind, source) => {
    expect(findBreaches({ 'bff/routes/a.ts': source })).toEqual([
      'bff/routes/a.ts imports bff/app.ts',
    ]);
  });

  it('allows the client of the widget to import types of a schema', () => {
    const source = `import type { Session } from '../../shared/api/session.ts';`;
    expect(findBreaches({ 'widget/api/a.ts': source })).toEqual([]);
  });

  it('reports a cycle across files', () => {
    const sources = {
      'bff/store/a.ts': `import { b } from './b.ts';`,
      'bff/store/b.ts': `export { c } from './c.ts';`,
      'bff/store/c.ts': `const later = () => import('./a.ts');`,
    };
    expect(findBreaches(sources)).toEqual([
      'cycle: bff/store/a.ts → bff/store/b.ts → bff/store/c.ts → bff/store/a.ts',
    ]);
  });

  it('ignores cycles of type imports', () => {
    const sources = {
      'bff/store/a.ts': `import { b } from './b.ts';`,
      'bff/store/b.ts': `import type { A } from './a.ts';`,
    };
    expect(findBreaches(sources)).toEqual([]);
  });
});
