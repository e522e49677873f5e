// Checkboxes and radio buttons.

import { html, nothing, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import {
  renderError,
  renderHint,
  renderOptional,
  toDescription,
  toFieldId,
  type FieldContext,
  type FieldText,
  type SelectFieldOptions,
} from './field.ts';

/** A checkbox. Its answer is `yes` or empty. */
export function renderCheckbox(
  context: FieldContext,
  options: FieldText & { readonly after?: TemplateResult },
): TemplateResult {
  const { path, label, after = nothing } = options;
  const id = toFieldId(path);
  const isWrong = context.errorOf(path) !== undefined;
  return html`<div class="field ${isWrong ? 'wrong' : ''}" part="field">
    ${renderError(context, path)}
    <label class="choice" part="choice" for=${id}>
      <input
        type="checkbox"
        id=${id}
        name=${path}
        value="yes"
        aria-describedby=${toDescription(context, options)}
        aria-invalid=${isWrong ? 'true' : nothing}
        .checked=${live(context.valueOf(path) === 'yes')}
      />
      <span>${label}${renderOptional(context, path)}</span>
    </label>
    ${after}
  </div>`;
}

/** Radio buttons side by side. */
export function renderRadios(context: FieldContext, options: SelectFieldOptions): TemplateResult {
  const { path, label, choices } = options;
  const value = context.valueOf(path);
  return html`<fieldset
    class="field ${context.errorOf(path) === undefined ? '' : 'wrong'}"
    part="field"
    aria-describedby=${toDescription(context, options)}
  >
    <legend class="label" part="label">${label}${renderOptional(context, path)}</legend>
    ${renderHint(options)} ${renderError(context, path)}
    <div class="choices">
      ${choices.map((choice, index) => {
        // The error summary links to the first button.
        const id = index === 0 ? toFieldId(path) : `${toFieldId(path)}-${index}`;
        return html`<label class="choice" part="choice" for=${id}>
          <input
            type="radio"
            id=${id}
            name=${path}
            .value=${choice.value}
            .checked=${live(value === choice.value)}
          />
          <span>${choice.label}</span>
        </label>`;
      })}
    </div>
  </fieldset>`;
}
