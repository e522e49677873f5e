// The step "About you": name, contact, and home address.

import { html, nothing, type TemplateResult } from 'lit';
import { renderAddressFields, renderYesNo } from '../fields/further-fields.ts';
import { renderTextField } from '../fields/field.ts';
import { formatAddress } from '../app/answers.ts';
import { homeChoicePath } from '../app/draft.ts';
import type { StepContext } from '../app/feature.ts';
import { toFieldText } from '../app/parts.ts';
import type { Pickers } from '../fields/pickers.ts';

export function renderOwner({ t, fields }: StepContext, pickers: Pickers): TemplateResult {
  return html`
    <fieldset class="group">
      <legend class="group-title">${t('group.person')}</legend>
      <div class="row two">
        ${renderTextField(fields, {
          ...toFieldText(t, 'owner/firstName'),
          autocomplete: 'given-name',
          autocapitalize: 'words',
        })}
        ${renderTextField(fields, {
          ...toFieldText(t, 'owner/lastName'),
          autocomplete: 'family-name',
          autocapitalize: 'words',
        })}
      </div>
      ${renderTextField(fields, {
        ...toFieldText(t, 'owner/email'),
        isAdvised: true,
        autocomplete: 'email',
        type: 'email',
        inputmode: 'email',
      })}
      ${renderTextField(fields, {
        ...toFieldText(t, 'owner/phone'),
        autocomplete: 'tel',
        type: 'tel',
        inputmode: 'tel',
        format: 'phone',
        width: 16,
      })}
    </fieldset>
    <fieldset class="group">
      <legend class="group-title">${t('label.homeAddress')}</legend>
      ${renderYesNo(fields, {
        ...toFieldText(t, homeChoicePath),
        hint: formatAddress((path) => fields.valueOf(path).trim(), 'business/address'),
      })}
      ${
        fields.valueOf(homeChoicePath) === 'no'
          ? renderAddressFields(fields, 'owner/homeAddress', 'section-home', pickers)
          : nothing
      }
    </fieldset>
  `;
}
