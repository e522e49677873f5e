// The list of documents that the lender wants first: which of them are chosen or sent.

import { html, nothing, type TemplateResult } from 'lit';
import type { ChecklistItem } from '../../shared/api/configuration.ts';
import { toShownCategory, withoutRejected } from '../app/attachment-parts.ts';
import type { StepContext } from '../app/feature.ts';
import { toPartnerLanguage } from '../app/parts.ts';
import { type DocumentsState, isSendable } from '../app/store.ts';
import { icons } from '../fields/icons.ts';
import { monthIds } from './suggest-category.ts';

export interface ChecklistLine extends ChecklistItem {
  /** At most `count`. */
  readonly found: number;
  /** First days of the months that the item asks for, oldest first. Empty if it doesn't ask for months. */
  readonly months: readonly Date[];
}

/** The category of one file with statements of several months. It completes an item, because the number of months is unknown. */
const severalMonths = 'bank-statements';

export function renderChecklist(context: StepContext): TemplateResult | typeof nothing {
  const { t, format, state, configuration } = context;
  const { checklist } = configuration.documents;
  const renderLine = ({ label, found, count, months }: ChecklistLine) => {
    const isDone = found === count;
    return html`<li class=${isDone ? 'done' : ''}>
      <span class="check-mark">${isDone ? icons.check : nothing}</span>
      <div>
        <span class="visually-hidden">${t(isDone ? 'checklist.done' : 'checklist.open')}: </span>
        <span lang=${toPartnerLanguage(context)}>${label}</span>
        ${months.length > 0 ? html`<p class="hint" part="hint">${format.all(months.map(format.month))}</p>` : nothing}
      </div>
      ${count === 1 ? nothing : html`<span class="figures">${t('checklist.count', { found, count })}</span>`}
    </li>`;
  };
  return checklist.length === 0
    ? nothing
    : html`<section class="checklist" aria-labelledby="checklist-title">
        <h3 id="checklist-title" aria-level=${context.headingLevel(1)}>${t('checklist.title')}</h3>
        <ul>
          ${toChecklist(checklist, state.documents, context.now()).map(renderLine)}
        </ul>
      </section>`;
}

/** @param now the checklist doesn't ask for the current month, because it is not over. */
export function toChecklist(
  checklist: readonly ChecklistItem[],
  { queued, uploaded }: DocumentsState,
  now: Date,
): readonly ChecklistLine[] {
  const available = [
    ...withoutRejected(uploaded).map(toShownCategory),
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
