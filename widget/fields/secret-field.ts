// A number that nobody behind the applicant should read: plain while it is typed, dots afterwards, with Show and Hide.

import { html, type TemplateResult } from 'lit';
import { renderField, toFieldId, type FieldContext, type FieldText } from './field.ts';
import { renderInput } from './text-field.ts';

export interface SecretFieldOptions extends FieldText {
  readonly hint: string;
  readonly format: 'ssn' | 'ein';
  readonly isShown: boolean;
  readonly onToggle: () => void;
}

/** Not a password input: that would offer to save it and hide typing mistakes while they are made. */
export function renderSecretField(
  context: FieldContext,
  options: SecretFieldOptions,
): TemplateResult {
  const { t } = context;
  const hint = context.isOptional(options.path)
    ? `${options.hint} ${t('hint.optional')}`
    : options.hint;
  const text = { ...options, hint };
  const input = renderInput(
    context,
    { ...text, autocomplete: 'off', inputmode: 'numeric' },
    options.isShown ? 'secret shown' : 'secret',
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
        aria-controls=${toFieldId(options.path)}
        @click=${options.onToggle}
      >
        ${options.isShown ? t('hide') : t('show')}<span class="visually-hidden">
          ${options.label}</span
        >
      </button>
    </div>`,
  );
}
