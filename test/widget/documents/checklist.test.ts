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
const identity = { id: 'identity', label: 'Photo ID', categories: ['drivers-license'], count: 1 };
const taxReturn = 'business-tax-return';
const returns = { id: 'returns', label: 'Two tax returns', categories: [taxReturn], count: 2 };
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

const [jan, feb, sept, oct, nov, dec] = ['jan', 'feb', 'sept', 'oct', 'nov', 'dec'].map(
  (month) => `bank-statements-${month}`,
) as [string, string, string, string, string, string];
const otherMonths = { ...statements, categories: [jan, feb] };
const license = 'drivers-license';
const sent = (category: string) => [category, 'delivered'] as const;
const rejected = (category: string) => [category, 'rejected'] as const;

describe('a checklist item', () => {
  it.each<[string, ...Parameters<typeof check>, number]>([
    ['files, except rejected ones', statements, [sent(oct), rejected(nov)], [dec, 'other'], 2],
    ['only the months that it asks for', statements, [sent(feb), sent(sept)], [dec], 1],
    ['files if it does not accept the last months', otherMonths, [sent(feb)], [jan], 2],
    ['one file of a month once', statements, [], [oct], 1],
    ['two files of a month once', statements, [sent(oct)], [oct], 1],
    ['a file of several months as all', statements, [sent('bank-statements')], [], 3],
    ['one of two files', returns, [sent(taxReturn)], [], 1],
    ['at most as many files as it asks for', identity, [sent(license), sent(license)], [], 1],
  ])('counts %s', (_what, item, uploaded, chosen, found) => {
    expect(check(item, uploaded, chosen).found).toBe(found);
  });

  it.each([
    [statements, ['2026-10', '2026-11', '2026-12']],
    [otherMonths, []],
    [identity, []],
  ])('asks for the last complete months: $label', (item, months) => {
    const asked = check(item, []).months.map(
      (month) => `${month.getFullYear()}-${month.getMonth() + 1}`,
    );
    expect(asked).toEqual(months);
  });
});
