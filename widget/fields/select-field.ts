// One choice out of a short list, in a native select.

import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import {
  renderField,
  toDescription,
  toFieldId,
  type FieldContext,
  type FieldText,
} from './field.ts';
import { icons } from './icons.ts';

export interface SelectFieldOptions extends FieldText {
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly autocomplete?: string;
}

export function renderSelectField(
  context: FieldContext,
  options: SelectFieldOptions,
): TemplateResult {
  const value = context.valueOf(options.path);
  return renderField(
    context,
    options,
    renderWithArrow(
      html`<select
        class="control"
        part="input"
        id=${toFieldId(options.path)}
        name=${options.path}
        autocomplete=${options.autocomplete ?? 'off'}
        aria-describedby=${toDescription(context, options)}
        aria-invalid=${context.errorOf(options.path) === undefined ? nothing : 'true'}
        .value=${live(value)}
      >
        <option value="" ?selected=${value === ''}>${context.t('choose')}</option>
        ${options.choices.map(
          (choice) =>
            html`<option value=${choice.value} ?selected=${choice.value === value}>
              ${choice.label}
            </option>`,
        )}
      </select>`,
    ),
  );
}

/** The frame of a native list, in the place of the arrow that each browser draws in its own way. */
export function renderWithArrow(select: TemplateResult): TemplateResult {
  return html`<div class="selecting">${select}${icons.down}</div>`;
}
