// Step "Your business": name, kind, address, size and history.

import { html, type TemplateResult } from 'lit';
import { renderAddressFields } from '../fields/address-fields.ts';
import { renderDateFields } from '../fields/date-fields.ts';
import { renderSecretField } from '../fields/secret-field.ts';
import { renderSelectField, renderTextField } from '../fields/field.ts';
import { toFoundedAgo } from './founded-ago.ts';
import type { FurtherContext } from './step-context.ts';

export function renderBusiness(context: FurtherContext): TemplateResult {
  const { t, fields, configuration, locale, pickers, flow } = context;
  return html`
    <fieldset class="group">
      <legend class="visually-hidden">${t('group.business-details')}</legend>
      ${renderTextField(fields, {
        path: 'business/name',
        label: t('label.business/name'),
        hint: t('hint.business/name'),
        autocomplete: 'organization',
        autocapitalize: 'words',
      })}
      ${renderSelectField(fields, {
        path: 'business/type',
        label: t('label.business/type'),
        choices: configuration.businessTypes,
      })}
      ${pickers.renderIndustry(fields, locale)}
      ${renderSecretField(fields, {
        path: 'business/taxId',
        label: t('label.business/taxId'),
        hint: t('hint.business/taxId'),
        format: 'ein',
        isShown: context.isShown('business/taxId'),
        onToggle: () => context.toggleShown('business/taxId'),
      })}
    </fieldset>
    <fieldset class="group">
      <legend class="group-title">${t('group.business-address')}</legend>
      ${renderAddressFields(fields, 'business/address', 'section-business', { pickers })}
    </fieldset>
    <fieldset class="group">
      <legend class="group-title">${t('group.figures')}</legend>
      ${renderTextField(fields, {
        path: 'business/annualRevenue',
        label: t('label.business/annualRevenue'),
        hint: t('hint.business/annualRevenue'),
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
        meaning: toFoundedAgo(context, flow.now()),
        parts: [
          {
            path: 'business/foundedMonth',
            label: t('label.business/foundedMonth'),
            autocomplete: 'off',
            width: 4,
            acceptsName: true,
          },
          {
            path: 'business/foundedDay',
            label: t('label.business/foundedDay'),
            autocomplete: 'off',
            width: 2,
          },
          {
            path: 'business/foundedYear',
            label: t('label.business/foundedYear'),
            autocomplete: 'off',
            width: 4,
          },
        ],
      })}
      ${renderTextField(fields, {
        path: 'business/employees',
        label: t('label.business/employees'),
        hint: t('hint.business/employees'),
        autocomplete: 'off',
        inputmode: 'numeric',
        format: 'count',
        isLast: true,
        width: 10,
      })}
    </fieldset>
  `;
}
