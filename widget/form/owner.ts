// The step "About you": name, contact, and home address.

import { html, nothing, type TemplateResult } from 'lit';
import { renderAddressFields, renderCheckbox } from '../fields/further-fields.ts';
import { renderTextField } from '../fields/field.ts';
import type { StepContext } from '../app/feature.ts';
import type { Pickers } from '../fields/pickers.ts';

export function renderOwner({ t, fields }: StepContext, pickers: Pickers): TemplateResult {
  const isHomeSame = fields.valueOf('owner/homeSameAsBusiness') === 'yes';
  return html`
    <fieldset class="group">
      <legend class="group-title">${t('group.person')}</legend>
      <div class="row two">
        ${renderTextField(fields, {
          path: 'owner/firstName',
          label: t('label.owner/firstName'),
          autocomplete: 'given-name',
          autocapitalize: 'words',
        })}
        ${renderTextField(fields, {
          path: 'owner/lastName',
          label: t('label.owner/lastName'),
          autocomplete: 'family-name',
          autocapitalize: 'words',
        })}
      </div>
      ${renderTextField(fields, {
        path: 'owner/email',
        label: t('label.owner/email'),
        hint: t('hint.owner/email'),
        autocomplete: 'email',
        type: 'email',
        inputmode: 'email',
      })}
      ${renderTextField(fields, {
        path: 'owner/phone',
        label: t('label.owner/phone'),
        hint: t('hint.owner/phone'),
        autocomplete: 'tel',
        type: 'tel',
        inputmode: 'tel',
        format: 'phone',
        width: 16,
      })}
    </fieldset>
    <fieldset class="group">
      <legend class="group-title">${t('group.home-address')}</legend>
      ${renderCheckbox(fields, {
        path: 'owner/homeSameAsBusiness',
        label: t('label.owner/homeSameAsBusiness'),
      })}
      ${isHomeSame ? nothing : renderAddressFields(fields, 'owner/homeAddress', 'section-home', { pickers, isLast: true })}
    </fieldset>
  `;
}
