// Computes which documents that the lender wants first are chosen or sent.

import type { ChecklistItem } from '../../shared/api/configuration.ts';
import { isSendable } from '../app/attachments.ts';
import type { DocumentsState } from '../app/state.ts';
import { monthIds } from './suggest-category.ts';

export interface ChecklistLine extends ChecklistItem {
  /** At most `count`. */
  readonly found: number;
  /** First days of the months that the item asks for, oldest first. Empty if it doesn't ask for months. */
  readonly months: readonly Date[];
}

/** The category of one file with statements of several months. It completes an item, because their number is unknown. */
const severalMonths = 'bank-statements';

/** @param now its month is not over, so the checklist doesn't ask for it. */
export function toChecklist(
  checklist: readonly ChecklistItem[],
  { queued, sent }: DocumentsState,
  now: Date,
): readonly ChecklistLine[] {
  const available = [
    ...sent.flatMap(({ status }) => (status.status === 'rejected' ? [] : [status.category])),
    ...queued.filter(isSendable).map(({ category }) => category),
  ];
  return checklist.map((item) => {
    const { categories, count } = item;
    const matching = available.filter((id) => categories.includes(id));
    const months = Array.from(
      { length: count },
      (_none, index) => new Date(now.getFullYear(), now.getMonth() - count + index, 1),
    );
    const monthCategories = months.map((month) => `${severalMonths}-${monthIds[month.getMonth()]}`);
    if (count === 1 || !monthCategories.every((id) => categories.includes(id))) {
      return { ...item, found: Math.min(matching.length, count), months: [] };
    }
    // Two files of one month count once, for example statements of two accounts. Other months don't count.
    const found = monthCategories.filter((id) => matching.includes(id)).length;
    return { ...item, found: matching.includes(severalMonths) ? count : found, months };
  });
}
