// A US address: street, city, state, and ZIP code.

import { html, type TemplateResult } from 'lit';
import { renderTextField, type FieldContext } from './field.ts';
import type { Pickers } from './pickers.ts';

/**
 * @param path the address, such as `business/address`.
 * @param section the autofill section, such as `section-business`. In HTML, `home` and `work` are for phone and email only.
 * @param options.isLast no text input follows on this step.
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
