// How long ago the business was founded, shown back so that a mistyped year is seen.

import { toMonth, toWholeNumber } from '../../shared/application/normalize-input.ts';
import { toCounted } from './parts.ts';
import type { StepContext } from './step-context.ts';

type Context = Pick<StepContext, 't' | 'format' | 'fields'>;

/** `That is 9 years and 8 months.`; empty until month and year are right. */
export function toFoundedAgo(context: Context, now: Date): string {
  const { t, format, fields } = context;
  const month = toMonth(fields.valueOf('business/foundedMonth')) ?? Number.NaN;
  const year = toWholeNumber(fields.valueOf('business/foundedYear')) ?? Number.NaN;
  // As the check of the founding date does, in UTC.
  const months = (now.getUTCFullYear() - year) * 12 + now.getUTCMonth() + 1 - month;
  const isRight = month >= 1 && month <= 12 && year >= 1800 && months >= 0;
  if (!isRight) return '';
  if (months === 0) return t('founded.this-month');
  const parts = [
    months >= 12 && toCounted(context, 'years.one', 'years.many', Math.floor(months / 12)),
    months % 12 > 0 && toCounted(context, 'months.one', 'months.many', months % 12),
  ];
  return t('founded.ago', { age: format.all(parts.filter((part) => part !== false)) });
}
