// Boxes to tick and either-or questions.

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
} from './field.ts';

/** One box; holds `yes` or nothing. */
export function renderCheckbox(
  context: FieldContext,
  options: FieldText & { readonly after?: TemplateResult },
): TemplateResult {
  const { path, label } = options;
  return html`<div class="field ${context.errorOf(path) === undefined ? '' : 'wrong'}" part="field">
    ${renderError(context, path)}
    <label class="choice" part="choice" for=${toFieldId(path)}>
      <input
        type="checkbox"
        id=${toFieldId(path)}
        name=${path}
        value="yes"
        aria-describedby=${toDescription(context, options)}
        aria-invalid=${context.errorOf(path) === undefined ? nothing : 'true'}
        .checked=${live(context.valueOf(path) === 'yes')}
      />
      <span>${label}${renderOptional(context, path)}</span>
    </label>
    ${options.after ?? nothing}
  </div>`;
}

/** A question with a few answers side by side. */
export function renderRadios(
  context: FieldContext,
  options: FieldText & {
    readonly choices: readonly { readonly value: string; readonly label: string }[];
  },
): TemplateResult {
  const { path, label, choices } = options;
  const id = toFieldId(path);
  return html`<fieldset
    class="field ${context.errorOf(path) === undefined ? '' : 'wrong'}"
    part="field"
    aria-describedby=${toDescription(context, options)}
  >
    <legend class="label" part="label">${label}${renderOptional(context, path)}</legend>
    ${renderHint(options)} ${renderError(context, path)}
    <div class="choices">
      ${choices.map(
        (choice, index) =>
          html`<label class="choice" part="choice" for=${index === 0 ? id : `${id}-${index}`}>
            <input
              type="radio"
              id=${index === 0 ? id : `${id}-${index}`}
              name=${path}
              .value=${choice.value}
              .checked=${live(context.valueOf(path) === choice.value)}
            />
            <span>${choice.label}</span>
          </label>`,
      )}
    </div>
  </fieldset>`;
}
