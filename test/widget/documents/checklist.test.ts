import { describe, expect, it } from 'vitest';
import type { ChecklistItem } from '../../../shared/api/configuration.ts';
import { emptyDocuments } from '../../../widget/app/store.ts';
import { toChecklist } from '../../../widget/documents/checklist.ts';
import { createDocumentQueue } from '../../../widget/documents/document-queue.ts';
import { createConfiguration } from '../../support/configuration.ts';
import {
  createAcceptedForm,
  createAcceptedState,
  createFeature,
} from '../../support/create-feature.ts';

const statements: ChecklistItem = {
  id: 'statements',
  label: 'Last three bank statements',
  categories: ['jan', 'feb', 'sept', 'oct', 'nov', 'dec']
    .map((month) => `bank-statements-${month}`)
    .concat('bank-statements'),
  count: 3,
};
const identity: ChecklistItem = {
  id: 'identity',
  label: 'Photo ID',
  categories: ['drivers-license'],
  count: 1,
};
const returns: ChecklistItem = {
  id: 'returns',
  label: 'Two tax returns',
  categories: ['business-tax-return'],
  count: 2,
};
const january = new Date(2027, 0, 5);

function check(
  item: ChecklistItem,
  uploaded: readonly (readonly [category: string, status: 'delivered' | 'rejected'])[],
  chosen: readonly string[] = [],
) {
  const { documents: limits, ...configuration } = createConfiguration();
  const documents = { ...limits, maxFiles: 9 };
  const { feature: queue, store } = createFeature(
    createDocumentQueue,
    createAcceptedState({
      form: createAcceptedForm({ configuration: { ...configuration, documents } }),
      documents: {
        ...emptyDocuments,
        uploaded: uploaded.map(([category, status], index) => ({
          id: index + 1,
          status: { number: index + 1, category, status, bytes: 1, delayed: false },
        })),
        nextId: uploaded.length + 1,
      },
    }),
  );
  queue.add(chosen.map((category) => new File(['a'], `${category}.pdf`)));
  for (const [index, { id }] of store.state.documents.queued.entries()) {
    queue.setCategory(id, chosen[index] ?? '');
  }
  const [line] = toChecklist([item], store.state.documents, january);
  return line!;
}

describe('a checklist item', () => {
  it('counts sent and chosen files, except rejected ones', () => {
    const line = check(
      statements,
      [
        ['bank-statements-oct', 'delivered'],
        ['bank-statements-nov', 'rejected'],
      ],
      ['bank-statements-dec', 'other'],
    );
    expect(line.found).toBe(2);
  });

  it('counts only the months that it asks for', () => {
    const line = check(
      statements,
      [
        ['bank-statements-feb', 'delivered'],
        ['bank-statements-sept', 'delivered'],
      ],
      ['bank-statements-dec'],
    );
    expect(line.found).toBe(1);
  });

  it('counts files if it does not accept the last months', () => {
    const line = check(
      { ...statements, categories: ['bank-statements-jan', 'bank-statements-feb'] },
      [['bank-statements-feb', 'delivered']],
      ['bank-statements-jan'],
    );
    expect(line).toMatchObject({ found: 2, months: [] });
  });

  it('counts two files of one month once', () => {
    const twice = check(statements, [], ['bank-statements-oct']);
    const again = check(
      statements,
      [['bank-statements-oct', 'delivered']],
      ['bank-statements-oct'],
    );
    expect(twice.found).toBe(1);
    expect(again.found).toBe(1);
  });

  it('is complete with a file of several months', () => {
    expect(check(statements, [['bank-statements', 'delivered']]).found).toBe(3);
  });

  it('counts at most as many files as it asks for', () => {
    expect(check(returns, [['business-tax-return', 'delivered']]).found).toBe(1);
    const one = ['drivers-license', 'delivered'] as const;
    expect(check(identity, [one, one]).found).toBe(1);
  });

  it('asks for the last complete months', () => {
    const months = check(statements, []).months.map((month) => [
      month.getFullYear(),
      month.getMonth() + 1,
    ]);
    expect(months).toEqual([
      [2026, 10],
      [2026, 11],
      [2026, 12],
    ]);
    expect(check(identity, []).months).toEqual([]);
  });
});
