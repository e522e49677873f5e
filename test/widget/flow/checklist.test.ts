// What counts for a line of the checklist, and which months it names.

import { describe, expect, it } from 'vitest';
import type { ChecklistItem } from '../../../shared/api/configuration.ts';
import { toChecklist } from '../../../widget/flow/checklist.ts';
import { DocumentQueue } from '../../../widget/flow/document-queue.ts';
import { createConfiguration } from '../../support/configuration.ts';
import { FakeFundingApi } from '../../support/fake-funding-api.ts';
import { createManualPolling } from '../../support/manual-polling.ts';

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

/** Sent ones first, then chosen ones. */
function check(
  item: ChecklistItem,
  sent: readonly (readonly [category: string, status: 'delivered' | 'rejected'])[],
  chosen: readonly string[] = [],
) {
  const queue = new DocumentQueue({
    api: new FakeFundingApi(),
    polling: createManualPolling().environment,
    limits: { ...createConfiguration().documents, maxFiles: 9 },
    sent: sent.map(([category, status], index) => {
      return { number: index + 1, category, status, bytes: 1, delayed: false };
    }),
    onChange: () => undefined,
    onStatus: () => undefined,
  });
  queue.add(chosen.map((category) => new File(['a'], `${category}.pdf`)));
  for (const [index, { id }] of queue.queued.entries()) queue.choose(id, chosen[index] ?? '');
  const [line] = toChecklist([item], queue.rows, january);
  return line!;
}

describe('a line of the checklist', () => {
  it('counts what is sent and what is chosen, but not what was refused', () => {
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

  it('counts only the months that it names', () => {
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

  it('names no months, and counts files, where it would not take the last ones', () => {
    const line = check(
      { ...statements, categories: ['bank-statements-jan', 'bank-statements-feb'] },
      [['bank-statements-feb', 'delivered']],
      ['bank-statements-jan'],
    );
    expect([line.found, line.months]).toEqual([2, []]);
  });

  it('takes two files of one month for one', () => {
    const twice = check(statements, [], ['bank-statements-oct']);
    const again = check(
      statements,
      [['bank-statements-oct', 'delivered']],
      ['bank-statements-oct'],
    );
    expect([twice.found, again.found]).toEqual([1, 1]);
  });

  it('takes a file of several months for enough', () => {
    expect(check(statements, [['bank-statements', 'delivered']]).found).toBe(3);
  });

  it('counts files where it does not ask for months, and never more than it asks for', () => {
    expect(check(returns, [['business-tax-return', 'delivered']]).found).toBe(1);
    const one = ['drivers-license', 'delivered'] as const;
    expect(check(identity, [one, one]).found).toBe(1);
  });

  it('names the months that are over, also across the turn of the year', () => {
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
