// What the lender wants first, and how much of it is there: ticks itself from the files that are chosen or sent.

import type { ChecklistItem } from '../../shared/api/configuration.ts';
import type { DocumentRow } from './document-queue.ts';
import { isSendable } from './queued-document.ts';
import { monthIds } from '../documents/suggest-category.ts';

export interface ChecklistLine extends ChecklistItem {
  /** Never more than `count`. */
  readonly found: number;
  /** The first days of the months it asks for, the oldest first; empty where it does not ask for months. */
  readonly months: readonly Date[];
}

/** One file of several months: nobody can tell how many, so it is taken for enough. */
const severalMonths = 'bank-statements';

/** @param now whose month is not over yet, so that it is not asked for. */
export function toChecklist(
  checklist: readonly ChecklistItem[],
  rows: readonly DocumentRow[],
  now: Date,
): readonly ChecklistLine[] {
  const given = rows.flatMap(toCategories);
  return checklist.map((item) => {
    const { categories, count } = item;
    const fitting = given.filter((id) => categories.includes(id));
    const months = toLastMonths(now, count);
    const asked = months.map(toCategory);
    if (count === 1 || !asked.every((id) => categories.includes(id))) {
      return { ...item, found: Math.min(fitting.length, count), months: [] };
    }
    // Two files of one month, of two accounts for example, are still one month; another month is none of those it names.
    const found = asked.filter((id) => fitting.includes(id)).length;
    return { ...item, found: fitting.includes(severalMonths) ? count : found, months };
  });
}

/** What cannot be sent, or was refused, is not there. */
function toCategories({ queued, sent }: DocumentRow): readonly string[] {
  if (sent) return sent.status === 'rejected' ? [] : [sent.category];
  return queued && isSendable(queued) ? [queued.category] : [];
}

function toCategory(month: Date): string {
  return `${severalMonths}-${monthIds[month.getMonth()]}`;
}

function toLastMonths(now: Date, count: number): readonly Date[] {
  return Array.from(
    { length: count },
    (_none, index) => new Date(now.getFullYear(), now.getMonth() - count + index, 1),
  );
}
