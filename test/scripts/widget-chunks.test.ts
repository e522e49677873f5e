import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { entries, toChunkName } from '../../scripts/widget-chunks.mjs';

const root = join(import.meta.dirname, '../..');
const imports: Readonly<Record<string, readonly string[]>> = {
  'widget/define.ts': ['lit.js', 'widget/funding-application.ts'],
  'widget/chunks/after-submission.ts': ['lit.js', 'widget/offers/offers.ts'],
  'widget/offers/offers.ts': ['widget/offers/offer-views.ts'],
  'widget/bank/demonstration-bank.ts': ['widget/bank/demonstration-report.ts'],
};
const graph = {
  getModuleInfo: (id: string) => ({
    importedIds: (imports[id.slice(root.length + 1)] ?? []).map((file) => join(root, file)),
  }),
};
const nameOf = (file: string) => toChunkName(join(root, file), graph);

describe('the chunks of the widget', () => {
  it('contain the steps after the submission with their imports', () => {
    const files = ['chunks/after-submission', 'offers/offers', 'offers/offer-views'];

    expect(files.map((file) => nameOf(`widget/${file}.ts`))).toEqual(
      files.map(() => 'after-submission'),
    );
  });

  it('begin with the module that they are loaded by', () => {
    expect(Object.values(entries).map(nameOf)).toEqual(Object.keys(entries));
    expect(entries).toMatchObject({ form: 'widget/chunks/form.ts' });
  });

  it('leave the imports of the entry in the entry', () => {
    expect(
      ['widget/define.ts', 'lit.js', 'widget/bank/demonstration-report.ts'].map(nameOf),
    ).toEqual(['funding-application', 'funding-application', null]);
  });
});
