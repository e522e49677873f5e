// What the lender wants first, and how much of it is there: ticks itself from the files that are chosen or sent.

import type { ChecklistItem } from '../../shared/api/configuration.ts';
import type { DocumentRow } from './document-queue.ts';
import { isSendable } from './queued-document.ts';

export interface ChecklistLine extends ChecklistItem {
  /** Never more than `count`. */
  readonly found: number;
  /** The first days of the months it asks for, the oldest first; empty where it does not ask for months. */
  readonly months: readonly Date[];
}

const monthly = /^bank-statements-\w/;
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
    const isOfMonths = categories.filter((id) => monthly.test(id)).length >= count && count > 1;
    const fitting = given.filter((id) => categories.includes(id));
    // Two files of one month, of two accounts for example, are still one month.
    const found = isOfMonths ? new Set(fitting).size : fitting.length;
    const isEnough = isOfMonths && fitting.includes(severalMonths);
    return {
      ...item,
      found: isEnough ? count : Math.min(found, count),
      months: isOfMonths ? toLastMonths(now, count) : [],
    };
  });
}

/** What cannot be sent, or was refused, is not there. */
function toCategories({ queued, sent }: DocumentRow): readonly string[] {
  if (sent) return sent.status === 'rejected' ? [] : [sent.category];
  return queued && isSendable(queued) ? [queued.category] : [];
}

function toLastMonths(now: Date, count: number): readonly Date[] {
  return Array.from(
    { length: count },
    (_none, index) => new Date(now.getFullYear(), now.getMonth() - count + index, 1),
  );
}
