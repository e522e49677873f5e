// The fields after the first step: checkboxes, radio buttons, dates, numbers to hide, and addresses.

import { html, nothing, type TemplateResult } from 'lit';
import {
  renderField,
  renderHint,
  renderInput,
  renderOptional,
  renderTextField,
  toDescription,
  toFieldId,
  toInvalid,
  type FieldContext,
  type FieldText,
} from './field.ts';
import { live } from './live.ts';
import type { Pickers } from './pickers.ts';

/** A checkbox. Its answer is `yes` or empty. */
export function renderCheckbox(
  context: FieldContext,
  options: FieldText & { readonly after?: TemplateResult },
): TemplateResult {
  const { path, label, after = nothing } = options;
  const id = toFieldId(path);
  return html`<div class="field ${context.errorOf(path) === undefined ? '' : 'wrong'}" part="field">
    ${context.renderError(path)}
    <label class="choice" part="choice" for=${id}>
      <input
        type="checkbox"
        id=${id}
        name=${path}
        value="yes"
        aria-describedby=${toDescription(context, options)}
        aria-invalid=${toInvalid(context, path)}
        .checked=${live(context.valueOf(path) === 'yes')}
      />
      <span>${label}${renderOptional(context, path)}</span>
    </label>
    ${after}
  </div>`;
}

/** The radio buttons Yes and No side by side. Their answers are `yes` and `no`. */
export function renderYesNo(context: FieldContext, text: FieldText): TemplateResult {
  const { path } = text;
  const value = context.valueOf(path);
  const radios = (['yes', 'no'] as const).map((choice, index) => {
    // The error summary links to the first button.
    const id = index === 0 ? toFieldId(path) : `${toFieldId(path)}-${index}`;
    return html`<label class="choice" part="choice" for=${id}>
      <input
        type="radio"
        id=${id}
        name=${path}
        .value=${choice}
        .checked=${live(value === choice)}
      />
      <span>${context.t(choice)}</span>
    </label>`;
  });
  const description = toDescription(context, text);
  return renderFieldset(
    context,
    text,
    [path],
    description,
    html`<div class="choices">${radios}</div>`,
  );
}

export interface DatePart {
  readonly path: string;
  readonly label: string;
  readonly autocomplete: string;
  readonly width: 2 | 4;
  /** The name of a month is accepted, so the touch keyboard has letters. */
  readonly acceptsName?: boolean;
}

/**
 * A date as three text inputs in US order. There is no calendar, and the focus never moves by itself.
 *
 * @param options.path the group, for errors about the whole date.
 */
export function renderDateFields(
  context: FieldContext,
  options: FieldText & {
    readonly parts: readonly DatePart[];
    /** An explanation of the complete date, for example an age. An empty string reserves its line. */
    readonly meaning?: string;
  },
): TemplateResult {
  const { path, hint, parts, meaning } = options;
  return renderFieldset(
    context,
    options,
    [path, ...parts.map((part) => part.path)],
    // The inputs are described by the errors.
    hint ? `${toFieldId(path)}-hint` : nothing,
    html`<div class="parts">${parts.map((part) => renderPart(context, path, part))}</div>
      ${meaning === undefined ? nothing : html`<output class="hint meaning" part="hint">${meaning}</output>`}`,
  );
}

function renderPart(context: FieldContext, groupPath: string, part: DatePart): TemplateResult {
  const { path, label, acceptsName, ...options } = part;
  const errorPath = [groupPath, path].find((each) => context.errorOf(each) !== undefined);
  const input = renderInput(
    context,
    {
      ...options,
      path,
      label,
      ...(acceptsName ? { autocapitalize: 'words' } : { inputmode: 'numeric' }),
    },
    { errorPath },
  );
  return html`<div class="field single" part="field">
    <label for=${toFieldId(path)} part="label">${label}</label>
    ${input}
  </div>`;
}

/** @param paths the fields whose errors are shown. */
function renderFieldset(
  context: FieldContext,
  text: FieldText,
  paths: readonly string[],
  description: string | typeof nothing,
  content: TemplateResult,
): TemplateResult {
  const isWrong = paths.some((path) => context.errorOf(path) !== undefined);
  return html`<fieldset
    class="field ${isWrong ? 'wrong' : ''}"
    part="field"
    aria-describedby=${description}
  >
    <legend class="label" part="label">${text.label}${renderOptional(context, text.path)}</legend>
    ${renderHint(text)} ${paths.map((path) => context.renderError(path))} ${content}
  </fieldset>`;
}

export interface SecretFieldOptions extends FieldText {
  readonly hint: string;
  readonly format: 'ssn' | 'ein';
  readonly isShown: boolean;
  readonly onToggle: () => void;
}

/**
 * A number that others should not read from the screen: readable while it has the focus, then dots, with a Show button. Not a
 * password input, because browsers would offer to save it, and hide mistakes during typing.
 */
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
    { className: isShown ? 'secret shown' : 'secret' },
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

/**
 * A US address. The ZIP code comes before city and state, because it fills them in.
 *
 * @param path the address, such as `business/address`.
 * @param section the autofill section, such as `section-business`. In HTML, `home` and `work` are for phone and email only.
 */
export function renderAddressFields(
  context: FieldContext,
  path: string,
  section: string,
  pickers: Pickers,
): TemplateResult {
  const { t } = context;
  return html`
    ${renderTextField(context, {
      path: `${path}/street`,
      label: t('label.address/street'),
      autocomplete: `${section} address-line1`,
      autocapitalize: 'words',
    })}
    ${renderTextField(context, {
      path: `${path}/suite`,
      label: t('label.address/suite'),
      autocomplete: `${section} address-line2`,
      autocapitalize: 'words',
      width: 16,
    })}
    <div class="place">
      <div class="row">
        ${renderTextField(context, {
          path: `${path}/zip`,
          label: t('label.address/zip'),
          autocomplete: `${section} postal-code`,
          inputmode: 'numeric',
          format: 'zip',
          width: 10,
        })}
        ${renderTextField(context, {
          path: `${path}/city`,
          label: t('label.address/city'),
          autocomplete: `${section} address-level2`,
          autocapitalize: 'words',
        })}
        ${pickers.renderState(context, `${path}/state`, `${section} address-level1`)}
      </div>
      ${context.renderAdvice(`${path}/zip`)}
    </div>
  `;
}
