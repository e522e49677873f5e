// A number that others should not read from the screen: readable while it has the focus, then dots, with a Show button.

import { html, type TemplateResult } from 'lit';
import { renderField, renderInput, toFieldId, type FieldContext, type FieldText } from './field.ts';

export interface SecretFieldOptions extends FieldText {
  readonly hint: string;
  readonly format: 'ssn' | 'ein';
  readonly isShown: boolean;
  readonly onToggle: () => void;
}

/** Not a password input, because browsers would offer to save it, and hide mistakes during typing. */
export function renderSecretField(
  context: FieldContext,
  options: SecretFieldOptions,
): TemplateResult {
  const { t } = context;
  const { path, label, isShown, onToggle } = options;
  const hint = context.isOptional(path) ? `${options.hint} ${t('hint.optional')}` : options.hint;
  const text = { ...options, hint };
  const input = renderInput(
    context,
    { ...text, autocomplete: 'off', inputmode: 'numeric' },
    isShown ? 'secret shown' : 'secret',
  );
  return renderField(
    context,
    text,
    html`<div class="framed width-16">
      ${input}
      <button
        type="button"
        class="quiet"
        part="link"
        aria-controls=${toFieldId(path)}
        @click=${onToggle}
      >
        ${isShown ? t('hide') : t('show')}<span class="visually-hidden"> ${label}</span>
      </button>
    </div>`,
  );
}
