import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toChunkName } from '../../scripts/widget-chunks.mjs';

const root = join(import.meta.dirname, '../..');
const imports: Readonly<Record<string, readonly string[]>> = {
  'widget/define.ts': ['lit.js', 'widget/frame.ts'],
  'widget/steps/after-submission.ts': ['lit.js', 'widget/steps/tracking.ts'],
  'widget/steps/offers-step.ts': ['widget/steps/tracking.ts', 'widget/steps/offers.ts'],
  'widget/steps/offers.ts': ['widget/steps/offers-step.ts', 'lit.js'],
  'widget/steps/demonstration-bank.ts': ['widget/bank/report.ts'],
};
const graph = {
  getModuleInfo: (id: string) => ({
    importedIds: (imports[id.slice(root.length + 1)] ?? []).map((file) => join(root, file)),
  }),
};
const nameOf = (file: string) => toChunkName(join(root, file), graph);

describe('the chunks of the widget', () => {
  it('contain the steps after the submission with their imports', () => {
    const files = ['after-submission', 'offers-step', 'tracking', 'offers'];

    expect(files.map((file) => nameOf(`widget/steps/${file}.ts`))).toEqual(
      files.map(() => 'after-submission'),
    );
  });

  it('leave the imports of the entry in the entry', () => {
    expect(['widget/define.ts', 'lit.js', 'widget/bank/report.ts'].map(nameOf)).toEqual([
      'funding-application',
      'funding-application',
      null,
    ]);
  });
});
