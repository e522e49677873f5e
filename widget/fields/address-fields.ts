// A US address: four native inputs that autofill knows.

import { html, type TemplateResult } from 'lit';
import { states } from '../../shared/application/states.ts';
import type { FieldContext } from './field.ts';
import { renderSelectField } from './select-field.ts';
import { renderTextField } from './text-field.ts';

const stateChoices = states
  .map(({ code, name }) => ({ value: code, label: `${name} (${code})` }))
  .toSorted((one, other) => one.label.localeCompare(other.label, 'en'));

/**
 * @param path of the address, for example `business/address`.
 * @param section autofill section, for example `section-business` (HTML, "Autofill"; `home` and `work` belong to phone and mail only).
 */
export function renderAddressFields(
  context: FieldContext,
  path: string,
  section: string,
): TemplateResult {
  const { t } = context;
  return html`
    ${renderTextField(context, {
      path: `${path}/street`,
      label: t('label.address/street'),
      autocomplete: `${section} address-line1`,
    })}
    <div class="row place">
      ${renderTextField(context, {
        path: `${path}/city`,
        label: t('label.address/city'),
        autocomplete: `${section} address-level2`,
      })}
      ${renderSelectField(context, {
        path: `${path}/state`,
        label: t('label.address/state'),
        autocomplete: `${section} address-level1`,
        choices: stateChoices,
      })}
      ${renderTextField(context, {
        path: `${path}/zip`,
        label: t('label.address/zip'),
        autocomplete: `${section} postal-code`,
        inputmode: 'numeric',
        width: 10,
      })}
    </div>
  `;
}
