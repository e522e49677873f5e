// The sentence about what it costs to give nothing stands only as long as it is true.

import { nothing } from 'lit';
import { describe, expect, it } from 'vitest';
import { enAfter } from '../../../widget/i18n/en-after.ts';
import { createTranslate } from '../../../widget/i18n/text.ts';
import { renderLacking } from '../../../widget/steps/given.ts';
import type { StepContext } from '../../../widget/steps/step-context.ts';

function isSaid(parts: object): boolean {
  const context = { t: createTranslate(enAfter), flow: { parts } } as unknown as StepContext;
  return renderLacking(context) !== nothing;
}

const statement = { category: 'bank-statements-oct', status: 'received' };

describe('that statements or a bank connection are missing', () => {
  it.each<[string, object, boolean]>([
    ['is said while there are neither', { documents: { sent: [] }, bank: {} }, true],
    [
      'is said beside other documents',
      { documents: { sent: [{ ...statement, category: 'drivers-license' }] }, bank: {} },
      true,
    ],
    [
      'is said when what was given was refused',
      {
        documents: { sent: [{ ...statement, status: 'rejected' }] },
        bank: { status: { status: 'rejected' } },
      },
      true,
    ],
    ['is not said beside a statement', { documents: { sent: [statement] }, bank: {} }, false],
    [
      'is not said beside a bank connection',
      { documents: { sent: [] }, bank: { status: { status: 'delivered' } } },
      false,
    ],
  ])('%s', (_what, parts, expected) => {
    expect(isSaid(parts)).toBe(expected);
  });
});
