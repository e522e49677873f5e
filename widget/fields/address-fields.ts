// A US address: street, city and ZIP code are typed, the state is picked; autofill knows all four.

import { html, type TemplateResult } from 'lit';
import type { FieldContext } from './field.ts';
import type { Pickers } from './pickers.ts';
import { renderTextField } from './text-field.ts';

/**
 * @param path of the address, for example `business/address`.
 * @param section autofill section, for example `section-business` (HTML, "Autofill"; `home` and `work` belong to phone and mail only).
 * @param options.isLast whether nothing more is to be typed on the step.
 */
export function renderAddressFields(
  context: FieldContext,
  path: string,
  section: string,
  options: { readonly pickers: Pickers; readonly isLast?: boolean },
): TemplateResult {
  const { t } = context;
  const { pickers, isLast = false } = options;
  return html`
    ${renderTextField(context, {
      path: `${path}/street`,
      label: t('label.address/street'),
      autocomplete: `${section} address-line1`,
      autocapitalize: 'words',
    })}
    <div class="row place">
      ${renderTextField(context, {
        path: `${path}/city`,
        label: t('label.address/city'),
        autocomplete: `${section} address-level2`,
        autocapitalize: 'words',
      })}
      ${pickers.renderState(context, `${path}/state`, `${section} address-level1`)}
      ${renderTextField(context, {
        path: `${path}/zip`,
        label: t('label.address/zip'),
        autocomplete: `${section} postal-code`,
        inputmode: 'numeric',
        format: 'zip',
        isLast,
        width: 10,
      })}
    </div>
  `;
}
