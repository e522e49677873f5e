// The parts that all fields share, and the fields of the first step: text inputs and selects.

import { html, nothing, type TemplateResult } from 'lit';
import type { DirectiveResult } from 'lit/directive.js';
import type { Translate } from '../i18n/messages.ts';
import { icons } from './icons.ts';
import { live } from './live.ts';
import type { InputFormat } from './masks.ts';

/** The argument of all fields: the answers, and the error message of each field. */
export interface FieldContext {
  readonly t: Translate;
  readonly valueOf: (path: string) => string;
  readonly errorOf: (path: string) => string | undefined;
  readonly isOptional: (path: string) => boolean;
  /** The error message of the field, and its place after it is corrected. */
  readonly renderError: (path: string) => unknown;
  readonly hasAdvice: (path: string) => boolean;
  /** The advice below the field, or the empty place for it. */
  readonly renderAdvice: (path: string) => unknown;
}

export interface ErrorMessage {
  readonly path: string;
  readonly sentence: string;
  readonly isCorrected?: boolean;
}

export interface FieldText {
  readonly path: string;
  readonly label: string;
  readonly hint?: string | undefined;
}

export interface TextFieldOptions extends FieldText {
  /** A token of the HTML standard, or `off` (WCAG 2.2, 1.3.5). */
  readonly autocomplete: string;
  readonly type?: 'email' | 'tel';
  readonly inputmode?: 'numeric' | 'email' | 'tel';
  /** `words`: for the names of people, businesses, and places. */
  readonly autocapitalize?: 'words' | 'characters';
  readonly format?: InputFormat;
  /** There is room for advice below the field. */
  readonly isAdvised?: boolean;
  /** No text input follows on this step: Enter on a touch keyboard continues. */
  readonly isLast?: boolean;
  /** The expected number of characters. Full width by default. */
  readonly width?: 2 | 4 | 10 | 16;
  /** A symbol before the text, such as `$`. */
  readonly before?: string;
  /** A symbol after the text, such as `%`. */
  readonly after?: string;
}

export interface SelectFieldOptions extends FieldText {
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly autocomplete?: string;
}

/** The id of a field's control. */
export function toFieldId(path: string): string {
  return path.replaceAll('/', '-');
}

/** The ids of the hint and the error of a control, for `aria-describedby`. */
export function toDescription(
  { errorOf, hasAdvice }: FieldContext,
  { path, hint }: FieldText,
  errorPath = path,
): string | typeof nothing {
  const error = errorOf(errorPath) === undefined ? '' : `${toFieldId(errorPath)}-error`;
  const advice = hasAdvice(path) ? `${toFieldId(path)}-advice` : '';
  const ids = [hint ? `${toFieldId(path)}-hint` : '', error, advice].filter(Boolean);
  return ids.join(' ') || nothing;
}

/** The value of `aria-invalid`. */
export function toInvalid({ errorOf }: FieldContext, path: string): 'true' | typeof nothing {
  return errorOf(path) === undefined ? nothing : 'true';
}

/** Label, hint, error, and control. */
export function renderField(
  context: FieldContext,
  text: FieldText,
  control: TemplateResult | DirectiveResult,
): TemplateResult {
  const { path, label } = text;
  return html`<div
    class="field single ${context.errorOf(path) === undefined ? '' : 'wrong'}"
    part="field"
  >
    <label for=${toFieldId(path)} part="label">${label}${renderOptional(context, path)}</label>
    ${renderHint(text)} ${context.renderError(path)} ${control}
  </div>`;
}

export function renderOptional(
  { t, isOptional }: FieldContext,
  path: string,
): TemplateResult | typeof nothing {
  return isOptional(path) ? html` <span class="optional">${t('optional')}</span>` : nothing;
}

export function renderHint({ path, hint }: FieldText): TemplateResult | typeof nothing {
  return hint
    ? html`<p class="hint" id="${toFieldId(path)}-hint" part="hint">${hint}</p>`
    : nothing;
}

export function renderTextField(context: FieldContext, options: TextFieldOptions): TemplateResult {
  const { before, after, width } = options;
  const input = renderInput(context, options);
  const isFramed = before !== undefined || after !== undefined;
  const advice = options.isAdvised ? context.renderAdvice(options.path) : nothing;
  return renderField(
    context,
    options,
    html`${
      isFramed
        ? html`<div class="framed ${width ? `width-${width}` : ''}">
            ${before === undefined ? nothing : html`<span class="affix" aria-hidden="true">${before}</span>`}
            ${input}
            ${after === undefined ? nothing : html`<span class="affix after" aria-hidden="true">${after}</span>`}
          </div>`
        : input
    }${advice}`,
  );
}

/**
 * The input without label, hint, and error.
 *
 * @param extra.errorPath the field whose error describes the input, if it is another one.
 */
export function renderInput(
  context: FieldContext,
  options: TextFieldOptions,
  extra: { readonly className?: string; readonly errorPath?: string | undefined } = {},
): TemplateResult {
  const { path, type, width } = options;
  const { className = '', errorPath = path } = extra;
  return html`<input
    class="control ${width ? `width-${width}` : ''} ${className}"
    part="input"
    id=${toFieldId(path)}
    name=${path}
    type=${type ?? 'text'}
    inputmode=${options.inputmode ?? nothing}
    autocomplete=${options.autocomplete}
    autocapitalize=${options.autocapitalize ?? nothing}
    enterkeyhint=${options.isLast ? 'go' : 'next'}
    data-format=${options.format ?? nothing}
    spellcheck="false"
    aria-describedby=${toDescription(context, options, errorPath)}
    aria-invalid=${toInvalid(context, errorPath)}
    .value=${live(context.valueOf(path))}
  />`;
}

export function renderSelectField(
  context: FieldContext,
  options: SelectFieldOptions,
): TemplateResult {
  const { path, choices, autocomplete = 'off' } = options;
  const value = context.valueOf(path);
  return renderField(
    context,
    options,
    renderWithArrow(
      html`<select
        class="control"
        part="input"
        id=${toFieldId(path)}
        name=${path}
        autocomplete=${autocomplete}
        aria-describedby=${toDescription(context, options)}
        aria-invalid=${toInvalid(context, path)}
        .value=${live(value)}
      >
        <option value="" ?selected=${value === ''}>${context.t('choose')}</option>
        ${choices.map(
          (choice) =>
            html`<option value=${choice.value} ?selected=${choice.value === value}>
              ${choice.label}
            </option>`,
        )}
      </select>`,
    ),
  );
}

/** Replaces the arrow of a select, which looks different in each browser. */
export function renderWithArrow(select: TemplateResult): TemplateResult {
  return html`<div class="selecting">${select}${icons.down}</div>`;
}

/**
 * A field that people can't see or reach. Programs that fill in every field fill in this one, too. It is off the screen,
 * because programs skip fields that are not displayed. Its name is one that programs look for.
 */
export function renderHoneypot(
  label: string,
  value: string,
  onInput: (value: string) => void,
): TemplateResult {
  const handleInput = ({ target }: Event) => {
    if (target instanceof HTMLInputElement) onInput(target.value);
  };
  return html`<div class="honeypot" aria-hidden="true">
    <label>
      ${label}
      <input
        type="text"
        name="website"
        .value=${live(value)}
        tabindex="-1"
        autocomplete="off"
        @input=${handleInput}
        @change=${handleInput}
      />
    </label>
  </div>`;
}

/**
 * On a touch keyboard, the Enter key of an input with `enterkeyhint="next"` focuses the next field. Elsewhere, Enter submits
 * the form as usual.
 */
export function handleEnterKey(event: KeyboardEvent, isOnTouch = isTouch): void {
  const { target } = event;
  if (event.key !== 'Enter' || event.isComposing || event.defaultPrevented || !isOnTouch()) return;
  // WebKitGTK has no `enterKeyHint`.
  if (!(target instanceof HTMLInputElement) || target.getAttribute('enterkeyhint') !== 'next')
    return;
  event.preventDefault();
  const controls = [...(target.form?.elements ?? [])].filter(isReachable);
  controls[controls.indexOf(target) + 1]?.focus();
}

export function isTouch(): boolean {
  return matchMedia('(pointer: coarse)').matches;
}

function isReachable(control: Element): control is HTMLElement {
  return (
    control instanceof HTMLElement && control.matches('input, select') && control.tabIndex >= 0
  );
}
