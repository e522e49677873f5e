// The frame of one field: label, hint, error, then the control.

import { html, nothing, type TemplateResult } from 'lit';
import { Directive, directive, type DirectiveResult } from 'lit/directive.js';
import type { Translate } from '../i18n/text.ts';
import { icons } from './icons.ts';

/** What fields need to know: the answers, their errors as sentences, and which may stay empty. */
export interface FieldContext {
  readonly t: Translate;
  readonly valueOf: (path: string) => string;
  readonly errorOf: (path: string) => string | undefined;
  readonly isOptional: (path: string) => boolean;
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

/** The id of a field's control. */
export function toFieldId(path: string): string {
  return path.replaceAll('/', '-');
}

/** Ids of the hint and the error that describe a control, for `aria-describedby`. */
export function toDescription(
  context: FieldContext,
  { path, hint }: FieldText,
): string | typeof nothing {
  const id = toFieldId(path);
  const ids = [hint && `${id}-hint`, context.errorOf(path) !== undefined && `${id}-error`].filter(
    Boolean,
  );
  return ids.length > 0 ? ids.join(' ') : nothing;
}

export function renderField(
  context: FieldContext,
  text: FieldText,
  control: TemplateResult | DirectiveResult,
): TemplateResult {
  const id = toFieldId(text.path);
  return html`
    <div
      class="field single ${context.errorOf(text.path) === undefined ? '' : 'wrong'}"
      part="field"
    >
      <label for=${id} part="label">${text.label}${renderOptional(context, text.path)}</label>
      ${renderHint(text)} ${renderError(context, text.path)} ${control}
    </div>
  `;
}

export function renderOptional(
  context: FieldContext,
  path: string,
): TemplateResult | typeof nothing {
  return context.isOptional(path)
    ? html` <span class="optional">${context.t('optional')}</span>`
    : nothing;
}

export function renderHint({ path, hint }: FieldText): TemplateResult | typeof nothing {
  return hint
    ? html`<p class="hint" id="${toFieldId(path)}-hint" part="hint">${hint}</p>`
    : nothing;
}

export function renderError({ t, errorOf }: FieldContext, path: string): DirectiveResult {
  const sentence = errorOf(path);
  return keepCorrected(path, sentence === undefined ? [] : [{ path, sentence }], (errors) =>
    errors.map((error) =>
      renderErrorLine(t, error.sentence, `${toFieldId(path)}-error`, error.isCorrected),
    ),
  );
}

class KeepCorrected extends Directive {
  #key = '';
  #kept: readonly ErrorMessage[] = [];

  render(
    key: string,
    errors: readonly ErrorMessage[],
    render: (errors: readonly ErrorMessage[]) => unknown,
  ): unknown {
    const isKept = ({ path }: ErrorMessage) => this.#kept.some((kept) => kept.path === path);
    if (key !== this.#key || !errors.every(isKept)) this.#kept = errors;
    this.#key = key;
    const isCorrected = true;
    return render(
      this.#kept.map(
        (kept) => errors.find(({ path }) => path === kept.path) ?? { ...kept, isCorrected },
      ),
    );
  }
}

/**
 * Renders the errors together with those that were corrected since, until there is a new error or another key. The style
 * sheet hides a corrected error, and closes its space when nothing is pressed.
 */
export const keepCorrected = directive(KeepCorrected);

/** @param isCorrected hides the message. */
export function renderErrorLine(
  t: Translate,
  sentence: string,
  id?: string,
  isCorrected = false,
): TemplateResult {
  return html`<p class="error ${isCorrected ? 'corrected' : ''}" id=${id ?? nothing} part="error">
    ${icons.alert}<span><span class="visually-hidden">${t('error.prefix')} </span>${sentence}</span>
  </p>`;
}
