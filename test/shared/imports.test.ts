// Checks the import rules of the architecture.
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
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
  it.each([
    ['shared/api/a.ts', '../../bff/config/config.ts'],
    ['shared/api/a.ts', 'zod'],
    ['shared/api/a.ts', 'lit'],
    ['shared/api/a.ts', 'node:crypto'],
    ['widget/app/a.ts', '../../bff/config/config.ts'],
    ['widget/app/a.ts', '../../sandbox/app.ts'],
    ['widget/app/a.ts', '../../shared/funding-service/lead.ts'],
    ['widget/app/a.ts', '../form/owner.ts'],
    ['widget/app/a.ts', 'zod'],
    ['widget/app/a.ts', 'zod/v4'],
    ['widget/app/a.ts', 'node:path'],
    ['widget/offers/a.ts', '../contact/contact.ts'],
    ['widget/offers/a.ts', '../funding-application.ts'],
    ['widget/fields/a.ts', '../app/store.ts'],
    ['widget/api/a.ts', '../app/store.ts'],
    ['widget/api/a.ts', '../i18n/messages.ts'],
    ['widget/api/a.ts', '../../shared/api/session.ts'],
    ['widget/api/a.ts', 'zod/mini'],
    ['widget/funding-application.ts', './define.ts'],
    ['widget/index.ts', './package/index.ts'],
    ['bff/app.ts', '../widget/index.ts'],
    ['bff/app.ts', '../sandbox/app.ts'],
    ['bff/app.ts', './main.ts'],
    ['bff/routes/a.ts', '../app.ts'],
    ['bff/middleware/a.ts', '../routes/session.ts'],
    ['bff/store/a.ts', '../routes/session.ts'],
    ['bff/funding-service/a.ts', '../middleware/session.ts'],
    ['bff/funding-service/a.ts', '../store/store.ts'],
    ['bff/logging/a.ts', '../config/config.ts'],
    ['bff/cli/a.ts', '../app.ts'],
    ['bff/cli/a.ts', '../create-bff.ts'],
    ['bff/store/a.ts', '../cli/format.ts'],
    ['bff/documents/a.ts', '../app.ts'],
    ['sandbox/app.ts', '../bff/app.ts'],
    ['sandbox/app.ts', '../conformance/probes.ts'],
    ['conformance/probes/a.ts', '../../sandbox/errors.ts'],
    ['conformance/probes/a.ts', '../../widget/index.ts'],
  ])('reports %s importing %s', (file, name) => {
    expect(findBreaches({ [file]: `import { a } from '${name}';` })).toHaveLength(1);
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

  it.each([
    ['shared/api/a.ts', 'zod/mini'],
    ['shared/api/a.ts', '../application/address.ts'],
    ['widget/api/a.ts', '../../shared/api/paths.ts'],
    ['widget/define.ts', './funding-application.ts'],
    ['widget/funding-application.ts', './form/start.ts'],
    ['widget/form/a.ts', '../fields/field.ts'],
    ['widget/form/a.ts', '../app/store.ts'],
    ['widget/form/a.ts', '../../shared/application/application.ts'],
    ['widget/app/a.ts', 'lit'],
    ['widget/package/index.ts', '../index.ts'],
    ['bff/cli/deliver.ts', '../create-bff.ts'],
    ['bff/routes/a.ts', '../middleware/session.ts'],
    ['bff/routes/a.ts', '../store/store.ts'],
    ['bff/funding-service/a.ts', '../../shared/funding-service/lead.ts'],
    ['sandbox/app.ts', 'hono'],
    ['conformance/probes/a.ts', '../../bff/funding-service/responses.ts'],
    ['conformance/rehearsal.ts', '../sandbox/app.ts'],
  ])('allows %s importing %s', (file, name) => {
    expect(findBreaches({ [file]: `import { a } from '${name}';` })).toEqual([]);
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
