// The step "Your business".

import { html, type TemplateResult } from 'lit';
import { toMonth, toWholeNumber } from '../../shared/application/normalize-input.ts';
import {
  renderAddressFields,
  renderDateFields,
  renderSecretField,
} from '../fields/further-fields.ts';
import { renderSelectField, renderTextField } from '../fields/field.ts';
import type { StepContext } from '../app/feature.ts';
import { toCounted } from '../app/later-parts.ts';
import { toFieldText } from '../app/parts.ts';
import type { Pickers } from '../fields/pickers.ts';

export function renderBusiness(context: StepContext, pickers: Pickers): TemplateResult {
  const { t, fields, configuration, locale } = context;
  return html`
    <fieldset class="group">
      <legend class="visually-hidden">${t('group.business-details')}</legend>
      ${renderTextField(fields, {
        ...toFieldText(t, 'business/name'),
        autocomplete: 'organization',
        autocapitalize: 'words',
      })}
      ${renderSelectField(fields, {
        ...toFieldText(t, 'business/type'),
        choices: configuration.businessTypes,
      })}
      ${pickers.renderIndustry(fields, locale)}
      ${renderSecretField(fields, {
        ...toFieldText(t, 'business/taxId'),
        format: 'ein',
        isShown: context.isExpanded('business/taxId'),
        onToggle: () => context.toggle('business/taxId'),
      })}
    </fieldset>
    <fieldset class="group">
      <legend class="group-title">${t('label.businessAddress')}</legend>
      ${renderAddressFields(fields, 'business/address', 'section-business', pickers)}
    </fieldset>
    <fieldset class="group">
      <legend class="group-title">${t('group.figures')}</legend>
      ${renderTextField(fields, {
        ...toFieldText(t, 'business/annualRevenue'),
        isAdvised: true,
        autocomplete: 'off',
        inputmode: 'numeric',
        format: 'money',
        width: 16,
        before: '$',
      })}
      ${renderDateFields(fields, {
        path: 'business/founded',
        label: t('group.founded'),
        hint: t('group.founded.hint'),
        meaning: toAgeOfBusiness(context, context.now()),
        parts: [
          {
            ...toFieldText(t, 'business/foundedMonth'),
            autocomplete: 'off',
            width: 4,
            acceptsName: true,
          },
          {
            ...toFieldText(t, 'business/foundedDay'),
            autocomplete: 'off',
            width: 2,
          },
          {
            ...toFieldText(t, 'business/foundedYear'),
            autocomplete: 'off',
            width: 4,
          },
        ],
      })}
      ${renderTextField(fields, {
        ...toFieldText(t, 'business/employees'),
        autocomplete: 'off',
        inputmode: 'numeric',
        format: 'count',
        isLast: true,
        width: 10,
      })}
    </fieldset>
  `;
}

/** The age of the business, so that the applicant notices a wrong year. Empty until month and year are valid. */
export function toAgeOfBusiness(
  context: Pick<StepContext, 't' | 'format' | 'fields'>,
  now: Date,
): string {
  const { t, format, fields } = context;
  const month = toMonth(fields.valueOf('business/foundedMonth')) ?? Number.NaN;
  const year = toWholeNumber(fields.valueOf('business/foundedYear')) ?? Number.NaN;
  // UTC, like the validation of the founding date.
  const months = (now.getUTCFullYear() - year) * 12 + now.getUTCMonth() + 1 - month;
  const isValid = month >= 1 && month <= 12 && year >= 1800 && months >= 0;
  if (!isValid) return '';
  if (months === 0) return t('founded.this-month');
  const parts = [
    months >= 12 && toCounted(context, 'years.one', 'years.many', Math.floor(months / 12)),
    months % 12 > 0 && toCounted(context, 'months.one', 'months.many', months % 12),
  ];
  return t('founded.ago', { age: format.all(parts.filter((part) => part !== false)) });
}
